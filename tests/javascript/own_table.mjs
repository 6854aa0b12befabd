// A table that this tablet has begun itself: a game that no club has, or a table that its club does not have yet.
import { HandPage } from "./hand_page.mjs";
import { beginRules, openWhole, Tablet } from "./page.mjs";

export class OwnTable extends HandPage {
  // Opens a page on a tablet that has what it needs; `name` is that of the table's page.
  static async openOn(tablet, form, name) {
    await beginRules();
    const one = new this();
    one.tablet = tablet || Object.assign(new Tablet(), { hasRules: true, isReady: true });
    one.name = name;
    one.page = await openWhole(one.tablet, form);
    await one.tablet.clock.pass(100);
    return one;
  }

  // Goes to the table that has begun.
  async begun() {
    await this.page.until(() => this.page.left, "the table has begun");
    await this.load(this.page.left);
  }

  // Opens the table, or opens it again.
  async load(address = this.address) {
    this.address = address;
    this.page = await openWhole(this.tablet, this.name, new URL(address, "http://clubscore.test").search);
    await this.page.until(
      () => document.querySelector(".next-east") && "views" in document.documentElement.dataset,
      "the table is shown, with its views",
    );
  }

  east(name) {
    return this.shows(".next-east", `${name} is East`);
  }
}
