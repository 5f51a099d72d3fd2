// The tabs below the map: which sheet is seen, and which one opens with each kind of round. On a phone that
// sheet takes the place of the map, and the map its tab.
import { Charts } from "./charts.js";
import { $, button, keepingFocus, say } from "./dom.js";
import { drawCards, drawTiles, drawTrains } from "./sheets.js";
import { Tables } from "./table.js";
/** @import { Context } from "./board.js" */

/** Id and label. */
const TABS = [
  ["play", "Turn"],
  ["table", "Table"],
  ["market", "Market"],
  ["cards", "Privates"],
  ["trains", "Trains"],
  ["tiles", "Tiles"],
  ["plan", "Plan"],
  ["charts", "Charts"],
  ["log", "Log"],
];
const ON_PHONE = ["play", "log"];
const SIZES = ["", "tall", "low"]; // half and half, most for the sheet, all for the map
/** The sheet of each kind of round: the table leaves most of the room to the map. */
const OF_ROUND = { sale: "cards", stock: "market" };

export class SheetTabs {
  /** @param {Context} ctx */
  constructor(ctx) {
    this.ctx = ctx;
    this.phone = matchMedia("(max-width: 859px)");
    this.tables = new Tables(ctx);
    this.charts = new Charts();
    this.name = "table";
    /** What is above the tabs: the map, or on a phone the sheet of the round. */
    this.above = "map";
    this.labels = "";
    $("tabs").replaceChildren(...TABS.map(([id, label]) => this._tab(id, label)));
    $("size").addEventListener("click", () => this._resize());
    $("tabs").addEventListener("keydown", (event) => this._key(event));
    this.phone.addEventListener("change", () => this._fit());
    this._fit();
  }

  _tab(id, label) {
    const attributes = { id: `tab-${id}`, role: "tab", class: ON_PHONE.includes(id) && "phone" };
    return button(label, () => this.open(id), attributes);
  }

  // The window has become narrow or wide.
  _fit() {
    const narrow = this.phone.matches;
    this._raise((narrow && OF_ROUND[document.body.dataset.step]) || "map");
    this.open(narrow ? "play" : ON_PHONE.includes(this.name) ? "table" : this.name);
  }

  _raise(above) {
    this.above = above;
    document.body.dataset.above = above;
    if (this.name === above) this.name = "play";
  }

  /** Brings the map into sight. */
  seeMap() {
    if (this.above === "map") return;
    this._raise("map");
    this.open(this.name);
  }

  /** Opens a sheet; `onlyWide`: not where it would cover the decision.
   * @param {string} name
   */
  open(name, onlyWide = false) {
    const narrow = this.phone.matches;
    if (narrow ? onlyWide : ON_PHONE.includes(name)) return;
    this.name = name;
    document.body.dataset.tab = name;
    for (const [id] of TABS) {
      const here = id === name;
      $(`tab-${id}`).setAttribute("aria-selected", String(here));
      $(`tab-${id}`).tabIndex = here ? 0 : -1;
      const panel = document.getElementById(`panel-${id}`);
      if (panel) panel.hidden = !here && id !== this.above;
    }
    $("map").hidden = this.above !== "map" && name !== this.above;
    this._label();
    if (this.ctx.shown) this.draw();
    this.ctx.opened(name);
  }

  /** Opens the sheet of the round, where it is another kind of round than before.
   * @param {Answer.Position} shown
   */
  follow({ round_kind, sale, is_over }) {
    const kind = is_over ? "over" : sale?.seats.length ? "sale" : round_kind;
    if (document.body.dataset.step === kind) return;
    document.body.dataset.step = kind;
    if (this.name === "plan") return;
    if (this.phone.matches) this._raise(OF_ROUND[kind] || "map");
    this.open(this.phone.matches ? this.name : OF_ROUND[kind] || "table");
  }

  /** Draws the sheet that is seen, and no other. */
  draw() {
    for (const name of new Set([this.name, this.above])) this._draw(name);
    this._label();
  }

  _draw(name) {
    const { ctx } = this;
    const root = $(`panel-${name}`);
    const drawn = {
      table: () => this.tables.draw(root, ctx.shown),
      market: () => ctx.market.draw(),
      cards: () => drawCards(root, ctx.shown, ctx.play),
      trains: () => drawTrains(root, ctx.shown),
      tiles: () => drawTiles(root, ctx.shown),
      plan: () => ctx.plan.draw(),
      charts: () => this.charts.draw(root, ctx.history?.charts),
    }[name];
    if (drawn) keepingFocus(root, drawn);
  }

  // The tab of a sheet that is above opens the map.
  _label() {
    const cards = this.ctx.shown?.sale?.name ?? "Privates";
    const labels = `${this.above} ${cards}`;
    if (labels === this.labels) return;
    this.labels = labels;
    for (const [id, label] of TABS) {
      const tab = $(`tab-${id}`);
      const isMap = id === this.above;
      const words = id === "cards" ? cards : label;
      say(tab, isMap ? "Map" : words);
      tab.setAttribute("aria-controls", isMap ? "map" : ON_PHONE.includes(id) ? id : `panel-${id}`);
      const panel = document.getElementById(`panel-${id}`);
      panel?.setAttribute("aria-label", words);
      panel?.setAttribute("role", isMap ? "region" : "tabpanel");
    }
  }

  _resize() {
    const { classList } = document.body;
    const now = SIZES.find((size) => size && classList.contains(size)) || "";
    const next = SIZES[(SIZES.indexOf(now) + 1) % SIZES.length];
    if (now) classList.remove(now);
    if (next) classList.add(next);
  }

  _key(event) {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const all = TABS.map(([id]) => $(`tab-${id}`)).filter((node) => node.offsetParent);
    const at = all.findIndex((node) => node === document.activeElement);
    if (!by || at < 0) return;
    const next = all[(at + by + all.length) % all.length];
    next.focus();
    next.click();
  }
}
