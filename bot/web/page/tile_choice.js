// Tiles for one hex: each is laid on the map for a look, and turned.
import { button, h, money, thumbnail } from "./dom.js";
import { Refusal } from "./server.js";
/** @import { Context } from "./board.js" */

// The tiles for a hex, one of them turned; what is done with it is for the classes below.
export class TurnedTiles {
  /**
   * @param {Context} ctx
   * @param {Answer.Choice[]} choices
   * @param {string | undefined} hex
   */
  constructor(ctx, choices, hex) {
    this.ctx = ctx;
    this.hex = hex;
    this.tile = "";
    /** The chosen tile in each rotation. @type {Answer.Choice[]} */
    this.turns = [];
    this.at = 0;
    this.kinds = byTile(choices);
    /** The tile where there is no other. */
    this.only = this.kinds.size === 1 ? [...this.kinds.keys()][0] : null;
  }

  get choice() {
    return this.turns[this.at];
  }

  choose(tile, turned = 0) {
    this.tile = tile;
    this.turns = this.kinds.get(tile) || [];
    const at = this.turns.findIndex((one) => one.rotation === turned);
    this.at = Math.max(0, at);
    return this._laid();
  }

  turn(by) {
    this.at = (this.at + by + this.turns.length) % this.turns.length;
    return this._laid();
  }

  /** The tile lies on the map as it is turned now.
   * @returns {void | Promise<void>}
   */
  _laid() {
    this.ctx.board.preview(this.hex, this.choice.svg);
  }

  /** What follows the tile.
   * @param {Answer.Choice} choice
   * @returns {any}
   */
  _next(choice) {
    return choice.label;
  }

  draw() {
    const { choice } = this;
    const tiles = [...this.kinds].map(([tile, turns], i) => h("li", {}, this._tile(tile, turns[0], i === 0)));
    return [
      choice ? "" : h("p", {}, "Which tile?"),
      h("ul", { class: "tiles" }, tiles),
      this.turns.length > 1 ? this._turning(choice) : "",
      choice ? this._next(choice) : "",
    ];
  }

  /**
   * @param {string} tile
   * @param {Answer.Choice} choice
   * @param {boolean} first
   */
  _tile(tile, { svg, copies_left }, first) {
    const label = h("span", {}, `#${tile}`, copies_left === null ? "" : ` ×${copies_left}`);
    return button([thumbnail(svg, `Tile ${tile}`), label], () => this.choose(tile), {
      class: "tile",
      "aria-pressed": String(tile === this.tile),
      "data-key": `tile-${tile}`,
      "data-first": first,
    });
  }

  /** @param {Answer.Choice} choice */
  _turning({ sides }) {
    return h(
      "p",
      { class: "row" },
      button("⟲", () => this.turn(-1), { "aria-label": "Turn left", "data-key": "left" }),
      `${sides || ""} (${this.at + 1} of ${this.turns.length})`,
      button("⟳", () => this.turn(1), { "aria-label": "Turn right", "data-key": "right" }),
    );
  }
}

// Tiles of a decision: what the whole move would do is asked for.
export class TileChoice extends TurnedTiles {
  /**
   * @param {Context} ctx
   * @param {import("./decisions.js").Decisions} play
   * @param {Answer.OfferJson} offer
   * @param {Answer.Step} step
   * @param {string | undefined} hex
   */
  constructor(ctx, play, offer, step, hex) {
    super(ctx, step.choices || [], hex);
    this.play = play;
    this.offer = offer;
    this.step = step;
    /** What the whole move would do, or what is asked next. @type {Answer.Step | null} */
    this.end = null;
  }

  async _laid() {
    const { play, choice } = this;
    const signal = play.walking.next();
    super._laid();
    this.end = null;
    play.pane.draw();
    try {
      const { step: end } = await play.ask(this.offer, this._picks(choice), signal);
      if (signal.aborted || play.now?.lay !== this) return;
      this.end = end;
    } catch (problem) {
      if (signal.aborted) return;
      if (problem instanceof Refusal && problem.status === 409) {
        await play.late();
        return;
      }
      play.note = problem.message;
    }
    play.pane.draw();
  }

  _picks(choice) {
    return [...this.step.picks, ...choice.picks];
  }

  _next(choice) {
    const { end } = this;
    const worth = end ? null : choice.revenue_change;
    return [
      worth ? h("p", {}, `Best run: ${money(worth[0])} → ${money(worth[1])}`) : "",
      this._end(choice, end),
    ];
  }

  _end(choice, end) {
    if (!end) return h("p", { class: "dim" }, "…");
    if (end.input_kind === "nothing") return this.play.pane.whole(this.offer, end, this._picks(choice));
    const goOn = () => this.play.pick(this.offer, this.step, choice);
    return button(`Continue with #${choice.tile}`, goOn, { class: "primary wide" });
  }
}

/** The ways each tile can be turned.
 * @param {Answer.Choice[]} choices
 * @returns {Map<string, Answer.Choice[]>}
 */
export function byTile(choices) {
  const kinds = new Map();
  for (const choice of choices.filter((one) => one.tile !== undefined)) {
    kinds.set(choice.tile, [...(kinds.get(choice.tile) || []), choice]);
  }
  return kinds;
}
