// What-ifs: moves tried on a copy of the game, of which nothing is kept until they are made.
import { button, h, plural } from "./dom.js";
import { Refusal } from "./server.js";
import { keyed } from "./undo_keys.js";
/** @import { Context } from "./board.js" */

export class Trial {
  /**
   * @param {Context} ctx
   * @param {import("./decisions.js").Decisions} play
   */
  constructor(ctx, play) {
    this.ctx = ctx;
    this.play = play;
    this.tried = [];
    /** @type {Answer.WhatIfAnswer | null} */
    this.found = null;
    this.pictures = null;
  }

  // What comes of the moves, as far as they are possible, and what may be tried next.
  async offers(signal) {
    const seq = this.ctx.now.last_seq;
    const found = await this.ctx.server.post(
      "whatif",
      { seq, tried_moves: this.tried, ...this.ctx.looks() },
      signal,
    );
    this.found = found;
    this.tried.length = found.lines_by_move.length;
    this.pictures = found.map && this.ctx.read(found);
    this.ctx.preview(null);
    return { seq, offers: found.offers };
  }

  walk(key, picks, signal) {
    return this.ctx.server.post(
      "whatif/walk",
      { seq: this.ctx.now.last_seq, tried_moves: this.tried, offer_key: key, picks, ...this.ctx.looks() },
      signal,
    );
  }

  // One more move; refused, it is not among them.
  async add({ move_key = "", offer_key = "", picks = [] }) {
    this.tried.push({ move_key, offer_key, picks });
    try {
      await this.play.load();
    } catch (problem) {
      this.tried.pop();
      throw problem;
    }
  }

  async back() {
    this.tried.pop();
    await this.play.load();
  }

  // The first moves, those that are one's own, made in the game one after the other.
  async make() {
    const mine = this.tried.slice(0, this.found?.own_move_count ?? 0);
    /** @type {number | null} */
    let seq = this.ctx.now.last_seq;
    let made = 0;
    try {
      for (const { move_key, offer_key, picks } of mine) {
        ({ seq } = await this.ctx.server.post("play", {
          seq,
          ...(move_key ? { move_key } : { offer_key, picks }),
          is_confirmed: true,
        }));
        made += 1;
      }
      this.ctx.notice(`${plural(made, "move")} made.`, "done");
    } catch (problem) {
      if (!(problem instanceof Refusal)) this.ctx.trouble(problem);
      this.ctx.notice(`${plural(made, "move")} of ${mine.length} made. ${problem.message}`, "trouble");
    }
    await this.play.endTrial();
  }

  draw() {
    const { found } = this;
    if (!found) return "";
    return h(
      "div",
      { class: "card trial" },
      h("h3", {}, "What if"),
      h("p", { class: "dim" }, "Try moves on a copy of the game. Only you see them, and nothing is stored."),
      found.lines_by_move.length
        ? h(
            "ol",
            { class: "tried" },
            found.lines_by_move.map((lines) => h("li", {}, lines.join(" "))),
          )
        : "",
      found.note ? h("p", { class: "warning" }, found.note) : "",
      found.changes.length
        ? h(
            "div",
            {},
            h("h3", {}, "What changes"),
            h(
              "ul",
              {},
              found.changes.map((line) => h("li", {}, line)),
            ),
          )
        : "",
      h(
        "p",
        { class: "row" },
        found.own_move_count
          ? button(
              found.own_move_count === 1
                ? "Make this move in the game"
                : `Make these ${found.own_move_count} moves in the game`,
              () => this.make(),
              { class: "primary", "data-key": "make" },
            )
          : "",
        found.lines_by_move.length
          ? keyed(button("Undo the last move", () => this.back(), { "data-key": "trial-back" }))
          : "",
        button("End the what-if", () => this.play.endTrial(), { class: "quiet", "data-key": "trial-end" }),
      ),
    );
  }
}
