// The addresses of the table that a kept command is of: { club, pages }.
const near = (address, page) => new URL(`../${page}/`, new URL(address, location.href)).pathname;

// Scripts of an earlier version kept nothing but where the command is sent to: the other pages lie beside that.
export const pagesOf = ({ pages, url }) => pages || { table: near(url, "table"), entry: near(url, "hands/new"), take_in: near(url, "take-in") };

export const clubOf = ({ club, url }) => club || new URL(url, location.href).pathname.split("/")[2];
