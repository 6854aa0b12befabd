// A picture to share, drawn on the tablet.

export const [WIDTH, MARGIN, IVORY, GOLD] = [1080, 72, "#fffef8", "#e8c265"];
const GREEN = "#0b4f43";

export class Picture {
  constructor(height) {
    this.height = height;
    this.canvas = Object.assign(document.createElement("canvas"), { width: WIDTH, height });
    this.pen = this.canvas.getContext("2d");
    this.family = getComputedStyle(document.body).fontFamily;
    this.pen.fillStyle = GREEN;
    this.pen.fillRect(0, 0, WIDTH, height);
  }

  write(words, x, y, size, { colour = IVORY, weight = 400, align = "left", room = WIDTH - 2 * MARGIN } = {}) {
    Object.assign(this.pen, { font: `${weight} ${size}px ${this.family}`, fillStyle: colour, textAlign: align });
    this.pen.fillText(words, x, y, room);
  }

  /** @returns {Promise<Blob>} */
  done() {
    this.write("Clubscore", WIDTH - MARGIN, this.height - MARGIN / 2, 32, { align: "right" });
    return new Promise((resolve) => {
      this.canvas.toBlob(resolve, "image/png");
    });
  }
}
