// The log: every move in words, newest last, round by round, with what has happened since one's own last move
// marked.
import { badge, button, find, h, plural, refill, say } from "./dom.js";
/** @import { Context } from "./board.js" */

const SHOWN = 120;
const BEFORE = 10;
// The fewest bids and passes in a row that are folded, as in Discord.
const FOLDED = 3;
export const ROUND = /^[A-Z]\w*(?: [\w.]+){0,3} begins\b/;
const BID = /\bbids (\S+) on (\S+?)\.?$/;
const PASS = /\bpasses\.?$/;
const HEX = /(?<![#\w])[A-Za-z]{1,2}\d{1,3}(?!\w)/g;

export class Log {
  /**
   * @param {Context} ctx
   * @param {HTMLElement} root
   */
  constructor(ctx, root) {
    this.ctx = ctx;
    this.moves = [];
    /** @type {number | null} */
    this.mine = null;
    this.shown = SHOWN;
    this.scanned = 0;
    this.scrolls = 0;
    this.names = new Set();
    this.mentioned = new Set();
    this.drawn = new Map();
    this.automatic = new Set();
    this.computers = new Set();
    /** Companies by their letters. @type {Map<string, Answer.Badge>} */
    this.badges = new Map();
    this.named = /(?!)/;
    const again = () => {
      this.shown = SHOWN;
      this._list();
    };
    this.words = h("input", {
      type: "search",
      placeholder: "Find in the log",
      "aria-label": "Find in the log",
      oninput: again,
    });
    this.who = h("select", { "aria-label": "Whose moves", onchange: again });
    this.count = h("p", { class: "unseen", role: "status" });
    const point = (event) => this._point(event.target.closest?.("[data-seq]"));
    this.list = h("ol", {
      class: "lines",
      tabindex: "0",
      "aria-label": "Moves",
      onpointerover: point,
      onfocusin: point,
      onpointerleave: () => this._point(null),
      onfocusout: () => this._point(null),
    });
    root.replaceChildren(h("div", { class: "row filters" }, this.words, this.who), this.count, this.list);
  }

  /** All moves of the game; where the list stood at its end, it follows.
   * @param {Answer.History} history
   */
  fill({ moves, own_last_seq: mine, undone_lines, automatic_seqs, computer_players }) {
    this.moves = [
      ...moves,
      ...undone_lines.map(([seq, line]) => ({ seq, lines: [line], player_name: null, undone: true })),
    ].sort((a, b) => a.seq - b.seq);
    this.latest = moves.at(-1)?.seq;
    this.mine = mine;
    this.automatic = new Set(automatic_seqs);
    this.computers = new Set(computer_players);
    this._companies();
    this._choices();
    this._list();
  }

  /** The move whose position is shown.
   * @param {number | undefined} seq
   */
  at(seq) {
    this.current = seq;
    for (const node of this.list.querySelectorAll("[aria-current]")) node.removeAttribute("aria-current");
    const here = find(this.list, `[data-seq="${seq}"]`);
    here?.setAttribute("aria-current", "true");
    const folded = here?.closest("details");
    if (folded && seq !== this.latest) folded.open = true;
    if (here) this._scroll(seq === this.latest ? null : here);
    else this._reach(seq);
  }

  /** A move that is earlier than those listed: the list goes back to it.
   * @param {number | undefined} seq
   */
  _reach(seq) {
    const found = this._found();
    const at = found.findIndex((move) => move.seq === seq);
    if (at < 0 || found.length - at <= this.shown) return;
    this.shown = found.length - at + BEFORE;
    this._list();
  }

  // Once the page is laid out anyway, to a line or (null) to the end.
  _scroll(line) {
    cancelAnimationFrame(this.scrolls);
    this.scrolls = requestAnimationFrame(() => {
      this.list.scrollTop = line ? line.offsetTop - this.list.clientHeight / 2 : this.list.scrollHeight;
    });
  }

  _companies() {
    const { companies } = this.ctx.now.table;
    const letters = companies.map((one) => one.badge.company).sort((a, b) => b.length - a.length);
    if (this.letters === letters.join(" ")) return;
    this.letters = letters.join(" ");
    this.badges = new Map(companies.map((one) => [one.badge.company, one.badge]));
    this.named = new RegExp(
      `(?<![\\w&-])(${letters.map((one) => one.replace(/[^\w\s]/g, "\\$&")).join("|")})(?![\\w&-])`,
    );
    this.drawn.clear();
    this.scanned = 0;
  }

  _choices() {
    const { who } = this;
    const chosen = who.value;
    const option = (value, label) => h("option", { value }, label);
    this._scan();
    const names = [...this.names];
    const companies = [...this.badges.keys()].filter((one) => this.mentioned.has(one));
    const text = JSON.stringify([this.mine === null, names, companies]);
    if (this.offered === text) return;
    this.offered = text;
    refill(
      who,
      option("", "Everybody"),
      this.mine === null ? "" : option("since", "Since my last move"),
      names.map((name) => option(`by ${name}`, name)),
      companies.length
        ? h(
            "optgroup",
            { label: "Companies" },
            companies.map((one) => option(`of ${one}`, one)),
          )
        : "",
    );
    who.value = [...who.options].some((one) => one.value === chosen) ? chosen : "";
  }

  // Who and what the moves mention; those that were scanned before are not scanned again.
  _scan() {
    for (const move of this.moves.filter((one) => one.seq >= this.scanned)) {
      if (move.player_name) this.names.add(move.player_name);
      for (const line of move.lines)
        line.split(this.named).forEach((part, i) => {
          if (i % 2) this.mentioned.add(part);
        });
    }
    this.scanned = this.latest ?? 0;
  }

  _found() {
    const words = this.words.value.toLowerCase();
    const whose = this.who.value;
    return this.moves.filter(
      (move) =>
        move.lines.length &&
        (whose === "" ||
          (whose === "since"
            ? this.mine !== null && move.seq > this.mine
            : whose.startsWith("of ")
              ? this._tells(move, whose.slice(3))
              : `by ${move.player_name}` === whose)) &&
        (!words || move.lines.some((line) => line.toLowerCase().includes(words))),
    );
  }

  _tells(move, company) {
    return move.lines.some((line) => line.split(this.named).some((part, i) => i % 2 && part === company));
  }

  _list() {
    const found = this._found();
    const shown = found.slice(-this.shown);
    const nodes = new Map();
    const kept = (key, draw) => {
      nodes.set(key, this.drawn.get(key) || draw());
    };
    let marked = false;
    for (const group of this._groups(shown)) {
      if (this.mine !== null && group[0].seq > this.mine && !marked) {
        marked = true;
        kept("since", () => h("li", { class: "since" }, "Since your last move"));
      }
      if (group.length >= FOLDED) {
        kept(`folded ${group[0].seq} ${group.at(-1).seq}`, () => this._folded(group));
        continue;
      }
      for (const move of group) this._listMove(move, kept);
    }
    if (found.length > shown.length) nodes.set("earlier", this._earlier(found.length - shown.length));
    this.drawn = nodes;
    const earlier = nodes.get("earlier");
    refill(
      this.list,
      earlier,
      [...nodes.values()].filter((node) => node !== earlier),
    );
    if (this.pointed && !this.list.contains(this.pointed)) this._point(null);
    say(this.count, `${found.length} moves`);
    if (this.current === undefined || this.current === this.latest) this._scroll(null);
    else this.at(this.current);
  }

  // A move, and the rounds that begin after it.
  _listMove(move, kept) {
    const rounds = move.lines.filter((line) => ROUND.test(line));
    const lines = move.lines.filter((line) => !ROUND.test(line));
    const undone = () => h("li", { class: "line dim" }, this._numbered(move, lines));
    const made = () => h("li", {}, this._line(move, lines));
    if (lines.length && move.undone) kept(`${move.seq} undone`, undone);
    else if (lines.length) kept(`${move.seq} ${lines.join(" ")}`, made);
    for (const line of rounds) {
      const [name, rest] = [line.replace(/ begins.*/s, ""), line.replace(/^.*? begins\.?/s, "")];
      kept(`${move.seq} ${line}`, () => h("li", { class: "round" }, h("strong", {}, name), rest));
    }
  }

  _earlier(count) {
    const more = () => {
      this.shown += 4 * SHOWN;
      this._list();
    };
    return h("li", {}, button(`Earlier moves (${count})`, more, { class: "quiet" }));
  }

  // Bids and passes in a row that nobody made by hand stand together, every other move alone.
  _groups(moves) {
    const groups = [];
    for (const move of moves) {
      const here = groups.at(-1);
      if (
        this._isFolded(move) &&
        here &&
        this._isFolded(here[0]) &&
        (this.mine === null || here[0].seq > this.mine === move.seq > this.mine)
      )
        here.push(move);
      else groups.push([move]);
    }
    return groups.flatMap((group) => (group.length >= FOLDED ? [group] : group.map((move) => [move])));
  }

  _isFolded(move) {
    return (
      !move.undone &&
      move.lines.length === 1 &&
      (this.automatic.has(move.seq) || this.computers.has(move.player_name)) &&
      (BID.test(move.lines[0]) || PASS.test(move.lines[0]))
    );
  }

  _folded(moves) {
    const bids = moves.map((move) => BID.exec(move.lines[0])).filter(Boolean);
    const counts = [
      bids.length && plural(bids.length, "bid"),
      moves.length > bids.length && plural(moves.length - bids.length, "pass", "passes"),
    ]
      .filter(Boolean)
      .join(" and ");
    const highest = [...new Map(bids.map(([, amount, what]) => [what, amount]))]
      .map(([what, amount]) => `${what} ${amount}`)
      .join(", ");
    const whose = moves.every((move) => this.computers.has(move.player_name))
      ? " by computer players"
      : ", automatic";
    return h(
      "li",
      {},
      h(
        "details",
        {},
        h("summary", {}, `${counts}${whose}${highest ? `: ${highest}` : ""}`),
        h(
          "ol",
          {},
          moves.map((move) => h("li", {}, this._line(move, move.lines))),
        ),
      ),
    );
  }

  _line(move, lines) {
    return button(this._numbered(move, lines), () => this.ctx.past.go(move.seq), {
      class: "plain line",
      "data-seq": move.seq,
      title: "Show this position",
    });
  }

  _numbered(move, lines) {
    return [
      h("span", { class: "seq" }, String(move.seq)),
      h(
        "span",
        { class: "told" },
        lines.map((line) => h("span", {}, this._told(line))),
      ),
    ];
  }

  // A line with the letters of companies in their colours.
  _told(line) {
    return line
      .split(this.named)
      .map((part, i) => (i % 2 ? badge(/** @type {Answer.Badge} */ (this.badges.get(part))) : part));
  }

  // The hexes that a line names are marked on the map as long as it is pointed at, or has the focus.
  _point(line) {
    if (line === this.pointed) return;
    this.pointed = line;
    const coords = line
      ? [...new Set(line.textContent.match(HEX) || [])].filter((coord) => this.ctx.board.hexes?.has(coord))
      : [];
    this.ctx.board.mark("told", coords);
  }
}
