// A plan of one's own: tiles and tokens on the map as it may become, and the best run of any trains there.
// Only this browser keeps it; a link that holds the whole plan shares it.
import { $, focusFirst, keepingFocus, refill } from "./dom.js";
import { PlannedLay, planSheet } from "./plan_sheet.js";
import { Newest, Refusal } from "./server.js";
/** @import { Context } from "./board.js" */

/**
 * The parts of a plan as texts, the company that builds it, and its trains (null: those it has).
 * @typedef {{ parts: string[], company: string, trains: string | null }} Draft
 */

export class Plan {
  /**
   * @param {Context} ctx
   * @param {HTMLElement} root
   */
  constructor(ctx, root) {
    this.ctx = ctx;
    this.root = root;
    this.open = false;
    /** @type {Draft} */
    this.draft = { parts: [], company: "", trains: null };
    /** @type {Answer.Plan | null} */
    this.found = null;
    /** @type {Answer.Routes | null} */
    this.run = null;
    this.said = ""; // why there is no run
    /** What can be added in the hex that was pressed. */
    this.spot = /** @type {{ coord: string, tokens: Answer.PlannedTokenView[], lay: PlannedLay } | null} */ (
      null
    );
    /** The map with the plan. @type {string[] | null} */
    this.lines = null;
    this.bare = false; // the run is on the map as it is
    this.outcome = ""; // the dividend whose payments are shown
    this.linked = false; // the link is shown
    this.folded = matchMedia("(max-width: 859px)").matches; // the dividends are hidden
    this.asking = new Newest();
    this.choosing = new Newest();
    this.sharedPlace = `shared ${ctx.server.root}`;
    this.shared = sharedDraft(this.sharedPlace);
    root.addEventListener("keydown", (event) => this._key(event));
    addEventListener("hashchange", () => this._opened());
    // Who decides sees the map as it is.
    $("play").addEventListener("click", (event) => this._decides(event.target), true);
  }

  // A position is on the page: the plan follows it, and one that came as a link is opened.
  follow() {
    if (this.open) this.ask();
    else if (this.shared && !this.found) this.ctx.tab("plan");
  }

  _decides(pressed) {
    if (this.open && pressed.closest("button:not([data-key=now])")) this.ctx.tab("table");
  }

  // A link was opened where the board was already.
  _opened() {
    const shared = sharedDraft(this.sharedPlace);
    if (!shared) return;
    this.shared = shared;
    this.found = null;
    if (this.open) this.draft = this._possible(shared);
    this.follow();
  }

  // The sheet of the plan is opened or left.
  turn(open) {
    if (open === this.open) return;
    this.open = open;
    this._leaveSpot();
    this.ctx.play.mark();
    if (open) {
      this.draft = this._possible(this.shared ?? this._kept());
      this.ctx.tabs.seeMap();
      this.ask();
      return;
    }
    this.asking.next();
    this.root.removeAttribute("aria-busy");
    this.lines = null;
    refill(this.root);
    this.ctx.board.mark("misfit", []);
    this.ctx.preview(null);
  }

  // Where the plan is kept in the browser: a player's is not that of spectators.
  get _place() {
    return `plan ${this.ctx.server.root} ${this.ctx.now.you.player || ""}`;
  }

  _kept() {
    return readDraft(stored(localStorage, this._place)) || { parts: [], company: "", trains: null };
  }

  // A plan for a company that there is: else for that on turn, one's own, or the first.
  _possible(draft) {
    const { turn, table, you } = this.ctx.shown;
    const found =
      table.companies.find((one) => one.badge.company === draft.company) ||
      table.companies.find((one) => one.badge.company === turn.entity_name) ||
      table.companies.find((one) => you.name && one.president === you.name) ||
      table.companies[0];
    return { ...draft, company: found.badge.company };
  }

  _keep() {
    if (!this.shared) store(localStorage, this._place, this.draft);
  }

  get query() {
    const { seq: at } = this.ctx.shown;
    return { at, theme: this.ctx.theme(), plan: this.draft.parts.join(","), company: this.draft.company };
  }

  // The trains that run: those chosen, else those of the company.
  get fleet() {
    if (this.draft.trains !== null) return this.draft.trains.split(",").filter(Boolean);
    const { companies } = this.ctx.shown.table;
    const company = companies.find((one) => one.badge.company === this.draft.company);
    return company ? company.trains.map(([train]) => train) : [];
  }

  // What comes of the plan now. One that the server cannot read is given up.
  async ask() {
    try {
      await this._ask();
    } catch (problem) {
      if (problem.name === "AbortError") return;
      this.ctx.trouble(problem);
      if (!(problem instanceof Refusal) || this.found || !this.draft.parts.length) return;
      this.draft = { ...this.draft, parts: [] };
      await this.ask();
    }
  }

  // Parts that came true leave the plan.
  async _ask() {
    const signal = this.asking.next();
    const { query } = this;
    const map = this.ctx.now.map.id;
    this.root.setAttribute("aria-busy", "true");
    try {
      const found = await this.ctx.server.get("plan", { ...query, map_id: map }, signal);
      const parts = found.parts.filter((one) => one.state !== "true");
      this._cameTrue(found.parts.filter((one) => one.state === "true"));
      this.found = { ...found, parts };
      this._show(this.bare ? null : found.map);
      this.ctx.board.mark(
        "misfit",
        parts.filter((one) => one.state === "misfit").map((one) => one.hex),
      );
      await this._findRun({ ...query, map_id: map }, signal);
    } finally {
      if (!signal.aborted) this.root.removeAttribute("aria-busy");
    }
    this.draw();
  }

  async _findRun(query, signal) {
    this.run = null;
    this.said = this.fleet.length ? "" : "Choose its trains.";
    if (!this.draft.company || this.said) return;
    const { company, ...rest } = query;
    const path = /** @type {`routes/${string}`} */ (`routes/${encodeURIComponent(company)}`);
    try {
      const plan = this.bare ? "" : rest.plan;
      const run = await this.ctx.server.get(path, { ...rest, plan, trains: this.draft.trains }, signal);
      this.run = run;
      this._show(run.map);
    } catch (problem) {
      if (!(problem instanceof Refusal)) throw problem;
      this.said = problem.message;
    }
  }

  _show(picture) {
    this.lines = picture && this.ctx.lines(picture);
    this.ctx.preview(null);
  }

  _cameTrue(parts) {
    if (!parts.length || this.ctx.looksBack() || this.shared) return;
    const texts = parts.map((one) => one.text);
    this.draft = { ...this.draft, parts: this.draft.parts.filter((text) => !texts.includes(text)) };
    this._keep();
    this.ctx.notice(
      `Now built in the game, and no longer in your plan: ${parts.map((one) => one.description).join("; ")}.`,
      "done",
    );
  }

  /** Another plan, company or trains; what the server refuses is not taken.
   * @param {Partial<Draft>} changed
   */
  async change(changed) {
    const before = this.draft;
    this.draft = { ...before, ...changed };
    this.bare = this.bare && !changed.parts;
    this._leaveSpot();
    try {
      await this._ask();
      this._keep();
    } catch (problem) {
      if (problem.name === "AbortError") return;
      this.draft = before;
      this.ctx.trouble(problem);
      this.draw();
    }
  }

  // A hex was pressed: what can be added there; again: the tile turns.
  hex(coord) {
    const { spot } = this;
    if (spot && spot.coord === coord && spot.lay.turns.length > 1) spot.lay.turn(1);
    else this._choose(coord);
    return true;
  }

  async _choose(coord) {
    const signal = this.choosing.next();
    const path = /** @type {`plan/${string}`} */ (`plan/${encodeURIComponent(coord)}`);
    try {
      const { tiles, tokens } = await this.ctx.server.get(path, this.query, signal);
      this._leaveSpot();
      this.ctx.board.mark("chosen", [coord]);
      this.spot = { coord, tokens, lay: new PlannedLay(this.ctx, this, tiles, coord) };
    } catch (problem) {
      if (!signal.aborted) this.ctx.trouble(problem);
      return;
    }
    this.draw();
    this.root.scrollTop = 0;
    focusFirst(this.root);
  }

  // The run on the map as it is, or with the plan.
  look(bare) {
    this.bare = bare;
    return this.ask();
  }

  async add(text) {
    const coord = this.spot?.coord;
    await this.change({ parts: [...this.draft.parts, text] });
    this._backTo(coord);
  }

  async remove(text) {
    await this.change({ parts: this.draft.parts.filter((one) => one !== text) });
    this.root.focus({ preventScroll: true });
  }

  leaveHex() {
    const coord = this.spot?.coord;
    this._leaveSpot();
    this.draw();
    this._backTo(coord);
  }

  _leaveSpot() {
    this.spot = null;
    this.ctx.board.preview(null, null);
    this.ctx.board.mark("chosen", []);
  }

  // With the keyboard one goes on from the hex.
  _backTo(coord = "") {
    this.ctx.board.hexes.get(coord)?.focus({ preventScroll: true });
  }

  // The address that shows this plan to everybody who may see the game.
  get link() {
    const { trains, parts, ...rest } = this.draft;
    const fields = { ...rest, plan: parts.join(","), ...(trains === null ? {} : { trains }) };
    const path = this.ctx.server.root.replace(/~\w+$/, "");
    return `${location.origin}${path}#${new URLSearchParams(fields)}`;
  }

  // A plan that came as a link is left for one's own, or becomes one's own.
  leaveShared(keep) {
    const { draft } = this;
    store(sessionStorage, this.sharedPlace, null);
    window.history.replaceState(window.history.state, "", location.pathname);
    this.shared = null;
    return this.change(keep ? draft : this._possible(this._kept()));
  }

  draw() {
    if (this.open && this.found) keepingFocus(this.root, () => refill(this.root, planSheet(this)));
  }

  _key(event) {
    if (event.target.matches("input, select") || !this.spot) return;
    const { lay } = this.spot;
    if (event.key === "Escape") this.leaveHex();
    else if (lay.turns.length > 1 && event.key.toLowerCase() === "r") lay.turn(event.key === "r" ? 1 : -1);
  }
}

/** The plan of the page's address. It outlives a login, which leaves the page.
 * @returns {Draft | null}
 */
function sharedDraft(place) {
  const fields = new URLSearchParams(location.hash.slice(1));
  if (!fields.has("plan")) return readDraft(stored(sessionStorage, place));
  const parts = (fields.get("plan") || "").split(",").filter(Boolean);
  const draft = { parts, company: fields.get("company") || "", trains: fields.get("trains") };
  store(sessionStorage, place, draft);
  return draft;
}

/** @returns {Draft | null} */
function readDraft(text) {
  try {
    const { parts, company, trains } = JSON.parse(text || "null") || {};
    return Array.isArray(parts) ? { parts: parts.map(String), company, trains } : null;
  } catch {
    return null;
  }
}

// A browser that keeps nothing has a plan for one visit.
function stored(storage, place) {
  try {
    return storage.getItem(place);
  } catch {
    return null;
  }
}

function store(storage, place, draft) {
  try {
    if (draft) storage.setItem(place, JSON.stringify(draft));
    else storage.removeItem(place);
  } catch {
    /* kept as long as the page is open */
  }
}
