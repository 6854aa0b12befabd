// The table that a kept command is of, and where it is sent to.
export const placeOf = ({ session, slug: club, urls }) => ({ session, club, url: urls.commands, state_url: urls.state, pages: urls });

const near = (address, page) => new URL(`../${page}/`, new URL(address, location.href)).pathname;

// Scripts of an earlier version kept nothing but where the command is sent to: the other pages lie next to that.
export const pagesOf = ({ pages, url }) => pages || { table: near(url, "table"), entry: near(url, "hands/new"), take_in: near(url, "take-in") };

export const clubOf = ({ club, url }) => club || new URL(url, location.href).pathname.split("/")[2];
