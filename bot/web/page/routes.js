// Routes: the best run by one press, or clicked stop by stop along the track, with the sum as one goes.
import { button, h, money } from "./dom.js";
import { Newest, Refusal } from "./server.js";
/** @import { Context } from "./board.js" */

const SOON = 180;

// The trains of a company, one by one.
function trainsOf(ctx, { entity }) {
  const company = ctx.now.table.companies.find((one) => one.badge.company === entity);
  return company ? company.trains.map(([train]) => train) : [];
}

export class Runs {
  /**
   * @param {Context} ctx
   * @param {import("./decisions.js").Decisions} play
   * @param {Answer.OfferJson} offer
   * @param {Answer.Step} step
   */
  constructor(ctx, play, offer, step) {
    this.ctx = ctx;
    this.play = play;
    this.offer = offer;
    this.step = step;
    this.lines = trainsOf(ctx, offer).map((train) => ({ train, hexes: [] }));
    this.at = 0;
    this.typed = null;
    // The best run is filled in, where one was found.
    this.found = step.input_kind === "nothing" ? step : null;
    this.before = step.picks.slice(0, offer.slot_names.indexOf("routes"));
    this.said = "";
    this.newest = new Newest();
  }

  // The next hex of the route; the last one again takes it back.
  press(coord) {
    const { hexes } = this.lines[this.at];
    if (hexes.at(-1) === coord) hexes.pop();
    else hexes.push(coord);
    this.typed = null;
    this._changed();
  }

  get text() {
    return (
      this.typed ??
      this.lines
        .filter((one) => one.hexes.length > 1)
        .map((one) => `${one.train}:${one.hexes.join("-")}`)
        .join(" ")
    );
  }

  _changed() {
    this.ctx.board.trace(this.typed === null ? this.lines.map((one) => one.hexes) : []);
    this.found = null;
    this.said = "";
    this.ctx.preview(null);
    this.play.pane.draw();
    clearTimeout(this.later);
    this.later = setTimeout(() => this._ask(), SOON);
  }

  async _ask() {
    const text = this.text;
    const signal = this.newest.next();
    if (!text) return;
    try {
      const { step } = await this.play.ask(this.offer, [...this.before, text], signal);
      if (signal.aborted || text !== this.text || this.play.now?.runs !== this) return;
      this.found = step;
      if (step.map) this.ctx.preview(step.map);
    } catch (problem) {
      if (signal.aborted || text !== this.text) return;
      if (!(problem instanceof Refusal)) {
        this.ctx.trouble(problem);
        return;
      }
      this.said = problem.message;
      this.ctx.preview(null);
    }
    if (this.play.now?.runs === this) this.play.pane.draw();
  }

  leave() {
    clearTimeout(this.later);
    this.ctx.board.trace([]);
    this.ctx.preview(null);
  }

  _trail() {
    return this.play.now?.trail || [];
  }

  _trains() {
    return this.lines.map((line, i) =>
      h(
        "li",
        {},
        button(
          `${line.train}-train`,
          () => {
            this.at = i;
            this.play.pane.draw();
          },
          { "aria-pressed": String(i === this.at), "data-key": `train-${i}` },
        ),
        h("span", {}, ` ${line.hexes.join("-") || "no route yet"} `),
        line.hexes.length
          ? button(
              "Clear",
              () => {
                line.hexes.length = 0;
                this._changed();
              },
              { class: "quiet", "data-key": `clear-${i}` },
            )
          : "",
      ),
    );
  }

  draw() {
    const typed = h("input", {
      value: this.text,
      placeholder: "5:H4-G5-F6 3:A1-B2",
      "data-key": "typed",
      onchange: (event) => {
        this.typed = event.target.value.trim();
        this._changed();
      },
    });
    const runs = (this.found?.runs || []).map((run) =>
      h("li", {}, `${run.train}: ${run.sum_text} = ${money(run.revenue)}`),
    );
    const best = this.offer.one_click_moves
      .filter((one) => one.label !== this.found?.summary)
      .map((one) =>
        button(one.label, () => this.play.quick(one, this.offer), {
          class: "wide",
          "data-key": one.move_key,
        }),
      );
    return [
      runs.length ? h("ul", {}, runs) : "",
      this.said ? h("p", { class: "warning", role: "status" }, this.said) : "",
      this.found ? this.play.pane.whole(this.offer, { ...this.found, lines: [] }, this.found.picks) : best,
      h("p", {}, "Other routes: press the stops of a train on the map, one after the other."),
      h("ul", { class: "running" }, this._trains()),
      h("label", {}, "As text ", typed),
      this.found === this.step || !this.text
        ? ""
        : button("Back to the best run", () => this.again(), { class: "quiet", "data-key": "best" }),
      button(
        "Run no trains",
        () => this.play.walk(this.offer, [...this.before, "none"], [...this._trail(), this.before]),
        { class: "quiet", "data-key": "none" },
      ),
    ];
  }

  again() {
    for (const line of this.lines) line.hexes.length = 0;
    this.typed = null;
    this.said = "";
    this.found = this.step.input_kind === "nothing" ? this.step : null;
    this.ctx.board.trace([]);
    this.ctx.preview(this.step.map || null);
    this.play.pane.draw();
  }
}
