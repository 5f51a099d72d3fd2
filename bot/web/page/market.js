// The stock market: the prices that may be chosen are marked, and can be pressed.
import { $, s } from "./dom.js";
import { Picture } from "./picture.js";
import { Stage } from "./stage.js";
/** @import { Context } from "./board.js" */

export class Market {
  /**
   * @param {Context} ctx
   * @param {HTMLElement} root
   */
  constructor(ctx, root) {
    this.ctx = ctx;
    this.root = root;
    /** The picture of the position, which is drawn when it is seen. @type {string[]} */
    this.lines = [];
    this.box = document.createElement("div");
    this.box.className = "stage";
    root.replaceChildren(this.box);
    this.stage = new Stage(this.box);
    this.picture = new Picture(this.stage);
    this.prices = new Set();
    const spaceOf = (event) => event.target.closest?.("[id^='space-']");
    this.box.addEventListener("click", (event) => {
      const space = spaceOf(event);
      if (space) this._press(space);
    });
    this.box.addEventListener("keydown", (event) => {
      const space = spaceOf(event);
      if (!space) return;
      if (event.key === "Enter" || event.key === " ") {
        event.preventDefault();
        this._press(space);
      }
      const by = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key];
      if (by) {
        event.preventDefault();
        this._go(space, by);
      }
    });
  }

  show(lines) {
    this.lines = lines;
    this.draw();
  }

  draw() {
    if (this.root.hidden || !this.lines.length) return;
    this.picture.show(this.lines);
    this._over();
  }

  mark(choices) {
    this.prices = new Set(choices.map((one) => one.price));
    this._over();
  }

  _press(space) {
    if (this._choices().includes(space)) this.ctx.play.price(priceOf(space));
  }

  /** @returns {SVGGElement[]} */
  _spaces() {
    return [.../** @type {NodeListOf<SVGGElement>} */ (this.picture.root.querySelectorAll("[id^='space-']"))];
  }

  // Where a price may be chosen: on the spaces for pars, where there are any.
  _choices() {
    const found = this._spaces().filter((space) => this.prices.has(priceOf(space)));
    const pars = found.filter((space) => /, par\b/.test(space.getAttribute("aria-label") || ""));
    return pars.length ? pars : found;
  }

  _over() {
    const { over } = this.picture;
    over.replaceChildren();
    for (const space of this.prices.size ? this._choices() : []) {
      const box = space.getBBox();
      over.append(
        s("rect", {
          class: "ring legal",
          x: box.x + 3,
          y: box.y + 3,
          width: Math.max(0, box.width - 6),
          height: Math.max(0, box.height - 6),
          transform: space.getAttribute("transform"),
        }),
      );
    }
  }

  _go(space, [down, right]) {
    const [, row, column] = space.id.split("-").map(Number);
    const next = $(`space-${row + down}-${column + right}`);
    if (!next) return;
    for (const node of this.picture.root.querySelectorAll("[id^='space-'][tabindex='0']"))
      node.setAttribute("tabindex", "-1");
    next.setAttribute("tabindex", "0");
    next.focus({ preventScroll: true });
    const place = /translate\(([-\d.]+)[ ,]+([-\d.]+)\)/.exec(next.getAttribute("transform") || "");
    if (place) this.stage.reveal([Number(place[1]) + 30, Number(place[2]) + 30]);
  }
}

function priceOf(space) {
  return Number(/^[^\d,]*(\d+)/.exec(space.getAttribute("aria-label") || "")?.[1] ?? NaN);
}
