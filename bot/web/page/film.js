// The film of a game: every position in turn, with play and pause, and those that come next read ahead.
import { $, badge, button, dress, h, money, refill } from "./dom.js";
import { ROUND } from "./log.js";
import { closedDoor, notice } from "./notices.js";
import { Picture } from "./picture.js";
import { Lost, Pictures, Refusal, Server, readPosition } from "./server.js";
import { Stage } from "./stage.js";
/** @import { Shown } from "./board.js" */

const ROOT = /\/board\/\d+(?:~\w+)?/.exec(location.pathname)?.[0] ?? "";
/** Positions shown in a second at most: a faster film leaves moves out. */
const FRAMES = 4;
/** Positions read ahead of the one shown, and positions kept. */
const AHEAD = 16;
const KEPT = 64;
const SPEEDS = [1, 2, 4, 8, 16];
const USUAL_SPEED = 2;
const dark = matchMedia("(prefers-color-scheme: dark)");

class Film {
  constructor() {
    this.server = new Server(ROOT);
    this.pictures = new Pictures();
    this.map = new Picture(new Stage($("stage")));
    this.market = new Picture(new Stage($("market")));
    this.theme = "";
    /** The positions that were read, by their place in the film; a refusal where one cannot be shown.
     * @type {Map<number, Shown | Refusal>} */
    this.frames = new Map();
    /** The position read last: the next one is sent as its difference from it. @type {Shown | null} */
    this.seen = null;
    /** @type {Answer.MoveLines[]} */
    this.moves = [];
    this.at = 0;
    this.playing = false;
    this.reading = false;
    this.due = 0;
    this.rounds = [{ place: 0, name: "Start" }];
    this.slider = h("input", {
      type: "range",
      min: 0,
      max: 0,
      value: 0,
      "aria-label": "Move",
      oninput: () => this.go(Number(this.slider.value)),
    });
    this.marks = h("div", { id: "marks", "aria-hidden": "true" });
    this.before = button("◀", () => this._by(-1), { "aria-label": "One move back" });
    this.button = button("Play", () => this.play(!this.playing), { class: "play primary" });
    this.after = button("▶", () => this._by(1), { "aria-label": "One move forward" });
    this.round = h("select", { "aria-label": "Round", onchange: () => this.go(Number(this.round.value)) });
    const again = () => this._readAhead();
    this.speed = h("select", { "aria-label": "Speed", onchange: again }, SPEEDS.map(speedOption));
    this.speed.value = String(USUAL_SPEED);
    this.share = button("Copy link", () => this._share());
    const row = [this.before, this.button, this.after, this.round, this.speed, this.share];
    refill($("film"), this.slider, this.marks, h("div", { class: "row" }, row));
    this._dress();
    dark.addEventListener("change", () => this._dress());
    document.addEventListener("keydown", (event) => this._key(event));
  }

  async open() {
    const { moves } = await this.server.get("history");
    this.moves = moves;
    this.slider.max = String(moves.length - 1);
    const rounds = moves.flatMap((move, place) =>
      move.lines
        .filter((line) => ROUND.test(line))
        .map((line) => ({ place, name: line.replace(/ begins.*/s, "") })),
    );
    this.rounds.push(...rounds);
    refill(
      this.round,
      this.rounds.map(({ place, name }) => h("option", { value: place }, name)),
    );
    refill(
      this.marks,
      this.rounds.map(({ place }) => this._mark(place)),
    );
    const wanted = moves.findIndex((move) => move.seq === Number(location.hash.slice(1)));
    this.go(Math.max(0, wanted));
  }

  // The colours that the user chose on the board, or those of the device; all positions are drawn anew.
  _dress() {
    this.theme = stored("look") || (dark.matches ? "dark" : "ours");
    dress(this.theme);
    this.frames.clear();
    this.seen = null;
    this.go(this.at);
  }

  get last() {
    return this.moves.length - 1;
  }

  /** Moves from one position to the next. */
  get step() {
    return Math.max(1, Number(this.speed.value) / FRAMES);
  }

  go(place) {
    if (!this.moves.length) return;
    this.at = Math.max(0, Math.min(this.last, place));
    this._show();
    this._readAhead();
  }

  /** @param {boolean} playing */
  play(playing) {
    this.playing = playing && this.last > 0;
    if (this.playing && this.at === this.last) this.go(0);
    this.button.textContent = this.playing ? "Pause" : "Play";
    if (this.playing) this._wait();
    else this._keepPlace();
  }

  // The next position, when its time has come and it is there; while it is missing the film waits.
  _advance() {
    if (!this.playing || performance.now() < this.due) return;
    const next = Math.min(this.last, this.at + this.step);
    if (!this.frames.has(next)) return;
    this.go(next);
    if (next === this.last) this.play(false);
    else this._wait();
  }

  _wait() {
    const milliseconds = (1000 * this.step) / Number(this.speed.value);
    this.due = performance.now() + milliseconds;
    clearTimeout(this.later);
    this.later = setTimeout(() => this._advance(), milliseconds + 1);
  }

  // One position after the other, from the one shown on; after a jump, from there.
  async _readAhead() {
    if (this.reading || !this.moves.length) return;
    this.reading = true;
    try {
      for (let place = this._missing(); place !== null; place = this._missing()) {
        await this._read(place);
        if (place === this.at) this._show();
        this._advance();
      }
    } catch (problem) {
      this.play(false);
      trouble(problem);
    } finally {
      this.reading = false;
    }
  }

  _missing() {
    for (let ahead = 0; ahead <= AHEAD; ahead += 1) {
      const place = Math.min(this.last, this.at + ahead * this.step);
      if (!this.frames.has(place)) return place;
    }
    return null;
  }

  async _read(place) {
    const wanted = { at: this.moves[place].seq, theme: this.theme, seen: this.seen };
    try {
      const shown = await readPosition(this.server, this.pictures, wanted);
      if (shown.look !== this.theme) return;
      this.server.session = shown.you.session_id;
      this.seen = shown;
      this.frames.set(place, shown);
    } catch (problem) {
      if (!(problem instanceof Refusal) || problem.status !== 422) throw problem;
      this.frames.set(place, problem);
    }
    for (const old of [...this.frames.keys()].slice(0, -KEPT)) this.frames.delete(old);
  }

  // The place in the film is shown at once, the position when it is there.
  _show() {
    const move = this.moves[this.at];
    const words = move.lines.length ? move.lines : ["The game begins"];
    this.slider.value = String(this.at);
    this.slider.setAttribute(
      "aria-valuetext",
      `Move ${move.seq} of ${this.moves[this.last].seq}: ${words[0]}`,
    );
    this.round.value = String(this.rounds.findLast(({ place }) => place <= this.at)?.place);
    refill(
      $("told"),
      h("b", {}, String(move.seq)),
      words.map((line, i) => (i ? h("div", {}, line) : line)),
    );
    this.before.disabled = this.at === 0;
    this.after.disabled = this.at === this.last;
    if (!this.playing) this._keepPlace();
    const frame = this.frames.get(this.at);
    $("banner").hidden = Boolean(frame) && !(frame instanceof Refusal);
    if (!frame) $("banner").textContent = "Loading…";
    else if (frame instanceof Refusal) $("banner").textContent = frame.message;
    else this._draw(frame);
  }

  /** @param {Shown} shown */
  _draw(shown) {
    const { turn, table } = shown;
    document.documentElement.dataset.currency = shown.currency;
    const title = `${shown.title} #${shown.game_id}`;
    document.title = `${title}: film`;
    $("title").textContent = title;
    $("where").textContent = `${turn.round_name}, phase ${turn.phase}, bank ${turn.bank}`;
    this.share.hidden = !shown.you.may_share;
    const result = shown.is_over && shown.you.may_share && h("a", { href: `${ROOT}/result` }, "Result");
    refill($("ways"), h("a", { href: ROOT }, "Board"), result);
    const inMarket = shown.round_kind === "stock";
    $("market").hidden = !inMarket;
    $("stage").hidden = inMarket;
    if (inMarket) this.market.show(shown.pictures.market);
    else this.map.show(shown.pictures.map);
    const players = table.players.map((player) =>
      h(
        "span",
        { class: table.actor_names.includes(player.name) && "acting" },
        `${player.name} ${money(player.net_worth)}`,
      ),
    );
    const companies = table.companies
      .filter((company) => company.price !== null)
      .map((company) => h("span", {}, badge(company.badge), ` ${money(company.price)}`));
    refill($("table"), players, companies);
  }

  // The address leads to the position at which the film stands.
  _keepPlace() {
    if (this.moves.length) window.history.replaceState(null, "", `#${this.moves[this.at].seq}`);
  }

  _mark(place) {
    const mark = h("span", {});
    mark.style.left = `${(100 * place) / Math.max(1, this.last)}%`;
    return mark;
  }

  _by(moves) {
    this.play(false);
    this.go(this.at + moves);
  }

  // Space plays and pauses, arrows go one move back or on; a list, a button and a field keep their own keys.
  _key(event) {
    const own = event.target.closest?.("select, button, a, input:not([type=range])");
    if (own || event.ctrlKey || event.metaKey || event.altKey) return;
    const work = {
      " ": () => this.play(!this.playing),
      ArrowLeft: () => this._by(-1),
      ArrowRight: () => this._by(1),
    }[event.key];
    if (!work || !this.moves.length) return;
    event.preventDefault();
    work();
  }

  async _share() {
    try {
      const { film_url } = await this.server.get("share");
      const link = `${film_url}#${this.moves[this.at].seq}`;
      await navigator.clipboard.writeText(link).then(
        () => notice("Link copied. Anybody who has it can watch this film.", "done"),
        () => notice(link, "done"),
      );
    } catch (problem) {
      trouble(problem);
    }
  }
}

function speedOption(speed) {
  return h("option", { value: speed }, `${speed} ${speed === 1 ? "move" : "moves"}/s`);
}

function stored(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return null; // a browser that keeps nothing
  }
}

function trouble(problem) {
  if (problem instanceof Refusal && problem.status === 401) closedDoor(problem);
  else if (problem instanceof Refusal || problem instanceof Lost) notice(problem.message, "trouble");
  else throw problem;
}

const film = new Film();
film.open().catch(trouble);
