// The log: every move in words, newest last, with what has happened since one's own last move marked.
import { button, h } from "./dom.js";

const SHOWN = 120;

export class Log {
  constructor(ctx, root) {
    this.ctx = ctx;
    this.moves = [];
    this.mine = null;
    this.shown = SHOWN;
    this.words = h("input", { type: "search", placeholder: "Find in the log", "aria-label": "Find in the log", oninput: () => { this.shown = SHOWN; this._list(); } });
    this.who = h("select", { "aria-label": "Whose moves", onchange: () => { this.shown = SHOWN; this._list(); } });
    this.count = h("p", { class: "unseen", role: "status" });
    this.list = h("ol", { class: "lines", tabindex: "0", "aria-label": "Moves" });
    root.replaceChildren(h("div", { class: "row filters" }, this.words, this.who), this.count, this.list);
  }

  // All moves of the game; where the list stood at its end, it follows.
  fill({ moves, mine, undone = [] }) {
    this.moves = [...moves, ...undone.map(([seq, line]) => ({ seq, lines: [line], who: null, undone: true }))].sort((a, b) => a.seq - b.seq);
    this.latest = moves.at(-1)?.seq;
    this.mine = mine;
    const whose = this.who.value;
    const names = [...new Set(moves.map((move) => move.who).filter(Boolean))];
    this.who.replaceChildren(h("option", { value: "" }, "Everybody"), ...(mine === null ? [] : [h("option", { value: "since" }, "Since my last move")]), ...names.map((name) => h("option", { value: `by ${name}` }, name)));
    this.who.value = [...this.who.options].some((one) => one.value === whose) ? whose : "";
    this._list();
  }

  // The move whose position is shown.
  at(seq) {
    this.current = seq;
    for (const node of this.list.querySelectorAll("[aria-current]")) node.removeAttribute("aria-current");
    const here = this.list.querySelector(`[data-seq="${seq}"]`);
    here?.setAttribute("aria-current", "true");
    if (here) this.list.scrollTop = seq === this.latest ? this.list.scrollHeight : here.offsetTop - this.list.clientHeight / 2;
  }

  _found() {
    const words = this.words.value.toLowerCase(), whose = this.who.value;
    return this.moves.filter((move) => move.lines.length
      && (whose === "" || (whose === "since" ? move.seq > this.mine : `by ${move.who}` === whose))
      && (!words || move.lines.some((line) => line.toLowerCase().includes(words))));
  }

  _list() {
    const found = this._found(), shown = found.slice(-this.shown);
    let marked = false;
    const lines = shown.flatMap((move) => {
      const since = this.mine !== null && move.seq > this.mine && !marked && (marked = true) ? h("li", { class: "since" }, "Since your last move") : null;
      if (move.undone) return [since, h("li", { class: "line dim" }, move.lines)].filter(Boolean);
      return [since, h("li", {}, button(move.lines.map((line) => h("span", {}, line)), () => this.ctx.past.go(move.seq), { class: "plain line", "data-seq": move.seq, title: "Show this position" }))].filter(Boolean);
    });
    if (found.length > shown.length) lines.unshift(h("li", {}, button(`Earlier moves (${found.length - shown.length})`, () => { this.shown += 4 * SHOWN; this._list(); }, { class: "quiet" })));
    this.list.replaceChildren(...lines);
    this.count.textContent = `${found.length} moves`;
    if (this.current === undefined || this.current === this.latest) this.list.scrollTop = this.list.scrollHeight;
    else this.at(this.current);
  }
}
