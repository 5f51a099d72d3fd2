// Looking back: a slider through every move, the way since one's own last move, and two positions compared.
import { badge, button, h, money, refill } from "./dom.js";
import { Newest } from "./server.js";
/** @import { Context } from "./board.js" */

const KEPT = 24;
const REST = 250;

export class Past {
  /**
   * @param {Context} ctx
   * @param {HTMLElement} root
   */
  constructor(ctx, root) {
    this.ctx = ctx;
    this.root = root;
    this.seqs = [];
    this.kept = new Map();
    this.newest = new Newest();
    this.at = null;
    this.pinned = null;
    this.slider = h("input", {
      type: "range",
      min: 0,
      max: 0,
      value: 0,
      "aria-label": "Move",
      oninput: () => this._slide(),
    });
    this.label = h("output", { class: "move" });
    this.first = button("|◀", () => this.go(this.seqs[0]), { "aria-label": "Start of the game" });
    this.before = button("◀", () => this.step(-1), { "aria-label": "One move back" });
    this.after = button("▶", () => this.step(1), { "aria-label": "One move forward" });
    this.last = button("▶|", () => this.now(), { "aria-label": "Now" });
    this.since = button("Since my last move", () => this.go(this.mine), { hidden: true });
    this.compare = button("Compare", () => this._pin(), {
      title: "Keep this position and compare it with another one",
      "aria-pressed": "false",
    });
    this.film = h("a", { href: `${ctx.server.root}/film` }, "Film");
    this.different = h("div", {
      class: "different",
      hidden: true,
      tabindex: "0",
      role: "region",
      "aria-label": "Differences",
    });
    refill(
      root,
      h(
        "div",
        { class: "row" },
        this.since,
        this.first,
        this.before,
        this.slider,
        this.after,
        this.last,
        this.compare,
      ),
      h("div", { class: "row" }, this.label, this.film),
      this.different,
    );
  }

  fill({ moves, own_last_seq: mine }) {
    this.moves = moves;
    this.seqs = moves.map((move) => move.seq);
    this.mine = mine;
    this.slider.max = String(this.seqs.length - 1);
    this.since.hidden = mine === null || mine === this.seqs.at(-1);
    this._place();
  }

  get back() {
    return this.at !== null;
  }

  now() {
    return this.go(this.seqs.at(-1));
  }

  step(by) {
    const here = this.at === null ? this.seqs.length - 1 : this.seqs.indexOf(this.at);
    return this.go(this.seqs[Math.max(0, Math.min(this.seqs.length - 1, here + by))]);
  }

  // While it moves nothing is asked, and what was asked before is given up.
  _slide() {
    const seq = this.seqs[Number(this.slider.value)];
    this.newest.next();
    this._meet(seq);
    clearTimeout(this.later);
    this.later = setTimeout(() => this.go(seq), REST);
  }

  _meet(seq) {
    this.at = seq === this.seqs.at(-1) ? null : seq;
    this._place();
  }

  // The position after a move; the last one is that of the moment.
  async go(seq) {
    if (seq === undefined || seq === null) return;
    clearTimeout(this.later);
    const signal = this.newest.next();
    this._meet(seq);
    let shown = this.ctx.now;
    try {
      if (this.back) shown = await this._position(seq, signal);
    } catch (problem) {
      if (signal.aborted) return;
      this._meet(this.ctx.shown === this.ctx.now ? this.seqs.at(-1) : this.ctx.shown.seq);
      this.ctx.trouble(problem);
      return;
    }
    if (signal.aborted) return;
    this.ctx.show(shown);
    this.ctx.log.at(seq);
    if (this.pinned) this._difference(shown);
  }

  async _position(seq, signal) {
    const key = `${seq} ${this.ctx.theme()}`;
    if (!this.kept.has(key)) {
      const found = await this.ctx.position(seq, signal);
      this.kept.set(key, found);
      for (const old of [...this.kept.keys()].slice(0, -KEPT)) this.kept.delete(old);
    }
    return this.kept.get(key);
  }

  forget() {
    this.kept.clear();
  }

  _place() {
    const at = this.at === null ? this.seqs.length - 1 : this.seqs.indexOf(this.at);
    this.slider.value = String(at);
    const move = this.moves?.[at];
    const words = move ? move.lines[0] || "The game begins" : "";
    this.film.href = `${this.ctx.server.root}/film${this.back ? `#${this.at}` : ""}`;
    this.label.textContent = this.back ? `Move ${this.at} of ${this.seqs.at(-1)}: ${words}` : `Now: ${words}`;
    this.slider.setAttribute("aria-valuetext", this.label.textContent);
    this.first.disabled = this.before.disabled = at <= 0;
    this.after.disabled = this.last.disabled = this.at === null;
    this.root.classList.toggle("back", this.back);
  }

  _pin() {
    this.pinned = this.pinned ? null : { shown: this.ctx.shown, hexes: this._hexes() };
    this.compare.setAttribute("aria-pressed", String(Boolean(this.pinned)));
    this.different.hidden = !this.pinned;
    this.ctx.board.mark("changed", []);
    if (this.pinned)
      refill(
        this.different,
        h("p", {}, "Go to another position. The differences are marked on the map and listed here."),
      );
  }

  _hexes() {
    return new Map(
      this.ctx.board.picture.lines
        .map((line) => /** @type {[string, string]} */ ([/^<g id="hex-([^"]+)"/.exec(line)?.[1], line]))
        .filter(([coord]) => coord),
    );
  }

  // What is different between the position that was kept and the one that is shown.
  _difference(shown) {
    const before = this.pinned.shown;
    const one = before.table;
    const other = shown.table;
    const hexes = [...this._hexes()]
      .filter(([coord, line]) => this.pinned.hexes.get(coord) !== line)
      .map(([coord]) => coord);
    this.ctx.board.mark("changed", hexes);
    const players = other.players.map((p) => [
      p.name,
      changes(
        one.players.find((was) => was.player === p.player),
        p,
        [
          ["cash", "cash", money],
          ["net_worth", "net worth", money],
          ["certificates", "certificates", String],
        ],
      ),
    ]);
    const companies = other.companies.map((c) => {
      const was = one.companies.find((w) => w.badge.company === c.badge.company);
      const trains = (company) => company.trains.map(([train]) => train).join(" ") || "none";
      return [
        badge(c.badge),
        [
          ...changes(was, c, [
            ["price", "price", money],
            ["treasury", "treasury", money],
            ["president", "president", (x) => x || "none"],
          ]),
          ...(was && trains(was) !== trains(c) ? [`trains ${trains(was)} → ${trains(c)}`] : []),
        ],
      ];
    });
    const lines = [...players, ...companies]
      .filter(([, words]) => words.length)
      .map(([name, words]) => h("li", {}, name, `: ${words.join(", ")}`));
    refill(
      this.different,
      h(
        "p",
        {},
        `Move ${before.seq} compared with move ${this.at ?? this.seqs.at(-1)}: `,
        hexes.length ? `changed hexes ${hexes.join(", ")}.` : "the same map.",
      ),
      h("ul", {}, lines),
    );
  }
}

function changes(was, is, kinds) {
  if (!was) return ["new"];
  const shown = (value, words) => (value === null || value === undefined ? "none" : words(value));
  return kinds
    .filter(([name]) => was[name] !== is[name])
    .map(([name, label, words]) => `${label} ${shown(was[name], words)} → ${shown(is[name], words)}`);
}
