// Routes: the best run by one press, or clicked stop by stop along the track, with the sum as one goes.
import { button, h, money } from "./dom.js";
import { Refusal } from "./server.js";

const SOON = 180;

// The trains of a company, one by one.
function trainsOf(ctx, { entity }) {
  const company = ctx.now.table.companies.find((one) => one.badge.company === entity);
  return company ? company.trains.map(([train]) => train) : [];
}

export class Runs {
  constructor(ctx, play, offer, step) {
    this.ctx = ctx;
    this.play = play;
    this.offer = offer;
    this.step = step;
    this.lines = (step.trains || trainsOf(ctx, offer)).map((train) => ({ train, hexes: [] }));
    this.at = 0;
    this.typed = null;
    this.found = null;
    this.said = "";
  }

  // The next hex of the route; the last one again takes it back.
  press(coord) {
    const { hexes } = this.lines[this.at];
    if (hexes.at(-1) === coord) hexes.pop(); else hexes.push(coord);
    this.typed = null;
    this._changed();
  }

  get text() {
    return this.typed ?? this.lines.filter((one) => one.hexes.length > 1).map((one) => `${one.train}:${one.hexes.join("-")}`).join(" ");
  }

  _changed() {
    this.ctx.board.trace(this.typed === null ? this.lines.map((one) => one.hexes) : []);
    this.found = null;
    this.said = "";
    this.play.draw();
    clearTimeout(this.later);
    this.later = setTimeout(() => this._ask(), SOON);
  }

  async _ask() {
    const text = this.text;
    if (!text) { this.ctx.preview(null); return; }
    try {
      const { step } = await this.play._ask(this.offer, [...this.step.picked, text]);
      if (text !== this.text || this.play.now?.runs !== this) return;
      this.found = step;
      if (step.map) this.ctx.preview(step.map);
    } catch (problem) {
      if (!(problem instanceof Refusal)) { this.ctx.trouble(problem); return; }
      if (text !== this.text) return;
      this.said = problem.message;
      this.ctx.preview(null);
    }
    if (this.play.now?.runs === this) this.play.draw();
  }

  leave() {
    clearTimeout(this.later);
    this.ctx.board.trace([]);
    this.ctx.preview(null);
  }

  draw() {
    const best = this.offer.quick.map((one) => button(one.label, () => this.play._quick(one), { class: "primary wide", "data-key": one.move, "data-first": true }));
    const trains = this.lines.map((line, i) => h("li", {},
      button(`${line.train}-train`, () => { this.at = i; this.play.draw(); }, { "aria-pressed": String(i === this.at), "data-key": `train-${i}` }),
      h("span", {}, ` ${line.hexes.join("-") || "no route yet"} `),
      line.hexes.length ? button("Clear", () => { line.hexes.length = 0; this._changed(); }, { class: "quiet", "data-key": `clear-${i}` }) : ""));
    const typed = h("input", { value: this.text, "aria-label": "Routes as text", placeholder: "5:H4-G5-F6 3:A1-B2", "data-key": "typed", onchange: (event) => { this.typed = event.target.value.trim(); this._changed(); } });
    const runs = (this.found?.runs || []).map((run) => h("li", {}, `${run.train}: ${run.sum_text} = ${money(run.value)}`));
    return [best, h("p", {}, best.length ? "Or press the stops of a train on the map, one after the other:" : "Press the stops of a train on the map, one after the other:"),
      h("ul", { class: "running" }, trains), h("label", {}, "As text ", typed), this.said ? h("p", { class: "warning", role: "status" }, this.said) : "",
      runs.length ? h("ul", {}, runs) : "", this.found?.ask === "nothing" ? this.play._whole({ ...this.found, summary: `Run for ${money(this.found.total)}` }, this.found.picked || [...(this.step.picked || []), this.text]) : "",
      button("Run nothing", () => this.play._pick(this.offer, this.step, { pick: ["none"] }), { class: "quiet", "data-key": "none" })];
  }
}
