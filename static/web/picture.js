// A picture to share, drawn on the tablet.

export const WIDTH = 1080;
export const MARGIN = 72;
export const IVORY = "#fffef8";
export const GOLD = "#e8c265";
const GREEN = "#0b4f43";

/** A green sheet: the pen to draw with, how to write on it, and `done`, which gives it as a PNG. */
export function newPicture(height) {
  const canvas = Object.assign(document.createElement("canvas"), { width: WIDTH, height });
  const pen = canvas.getContext("2d");
  const family = getComputedStyle(document.body).fontFamily;
  pen.fillStyle = GREEN;
  pen.fillRect(0, 0, WIDTH, height);
  const write = (
    words,
    x,
    y,
    size,
    { colour = IVORY, weight = 400, align = "left", room = WIDTH - 2 * MARGIN } = {},
  ) => {
    Object.assign(pen, { font: `${weight} ${size}px ${family}`, fillStyle: colour, textAlign: align });
    pen.fillText(words, x, y, room);
  };
  /** @returns {Promise<Blob>} */
  const done = () => {
    write("Clubscore", WIDTH - MARGIN, height - MARGIN / 2, 32, { align: "right" });
    return new Promise((resolve) => {
      canvas.toBlob(resolve, "image/png");
    });
  };
  return { pen, write, done };
}
