// The map: which hexes may be chosen, what is laid there for a look, and what lies on a hex.
import { $, LINES, button, copy, h, refill, s, thumbnail } from "./dom.js";
import { Newest, Refusal } from "./server.js";
import { Picture } from "./picture.js";
import { Stage } from "./stage.js";
/** @import { Context } from "./board.js" */

const HOVER = 350;
const CLOSE = 0.9;
const LEGIBLE = 0.5;
const TOO_SMALL = 0.35;
const READ_AT_ONCE = 1100;
const FACTS = 200;
const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class Board {
  /** @param {Context} ctx */
  constructor(ctx) {
    this.ctx = ctx;
    this.stage = new Stage($("stage"), { across: true });
    this.picture = new Picture(this.stage);
    /** @type {Map<string, SVGGElement>} */
    this.hexes = new Map();
    this.legal = new Set();
    this.marked = new Map();
    this.facts = new Map();
    this.newest = new Newest();
    this.told = null;
    this.current = null;
    /** The middle of a hex, from its corner. @type {number[] | null} */
    this.half = null;
    this._listen();
  }

  // The picture changes; what lies over it, the place and the focus stay.
  show(lines) {
    const focused = this.picture.root.contains(document.activeElement) ? this.current : null;
    const fresh = this.picture.show(lines);
    for (const node of fresh) {
      if (node instanceof SVGGElement && node.id.startsWith("hex-")) this.hexes.set(node.id.slice(4), node);
    }
    if (fresh.length && this.current) this._rove(this.current);
    this._over();
    if (fresh.length && focused) this.hexes.get(focused)?.focus({ preventScroll: true });
  }

  /** Upper left corner of a hex, and its middle.
   * @returns {[number, number] | null}
   */
  corner(coord) {
    const place = /translate\(([-\d.]+)[ ,]+([-\d.]+)\)/.exec(
      this.hexes.get(coord)?.getAttribute("transform") || "",
    );
    return place && [Number(place[1]), Number(place[2])];
  }

  /** @returns {[number, number] | null} */
  middle(coord) {
    const corner = this.corner(coord);
    if (!corner) return null;
    this.half ??= this._half(coord);
    return [corner[0] + this.half[0], corner[1] + this.half[1]];
  }

  // Firefox measures only what is drawn.
  _half(coord) {
    const path = s("path", { d: this._outline(coord).getAttribute("d") });
    this.picture.over.append(path);
    const box = path.getBBox();
    path.remove();
    return [box.x + box.width / 2, box.y + box.height / 2];
  }

  // Where the stops of a hex lie on the picture; none where it has at most one.
  stops(coord) {
    const corner = this.corner(coord);
    if (!corner) return [];
    const found = this.hexes.get(coord)?.dataset.stops?.split(" ") || [];
    return found.map((one) => one.split(",").map(Number)).map(([x, y]) => [corner[0] + x, corner[1] + y]);
  }

  // Which stop of a hex was meant by a press there; null where it was made by a key.
  stopAt(coord, event) {
    if (!event?.clientX) return null;
    const edge = this.stage.box.getBoundingClientRect();
    const x = (event.clientX - edge.left - this.stage.x) / this.stage.k;
    const y = (event.clientY - edge.top - this.stage.y) / this.stage.k;
    const far = this.stops(coord).map(([sx, sy]) => Math.hypot(sx - x, sy - y));
    return far.length ? far.indexOf(Math.min(...far)) : null;
  }

  _outline(coord) {
    const clip = /#([^)"]+)/.exec(this.hexes.get(coord)?.getAttribute("clip-path") || "")?.[1] || "";
    return /** @type {SVGPathElement} */ (this.picture.parts[0].querySelector(`#${CSS.escape(clip)} path`));
  }

  // Hexes that may be chosen now, by what happens there (`legal`, `chosen`, `changed`).
  mark(kind, coords) {
    if (coords.length) this.marked.set(kind, coords);
    else this.marked.delete(kind);
    this.legal = new Set(this.marked.get("legal"));
    this._over();
  }

  // Stops of hexes that may be chosen.
  markStops(places) {
    this.cities = places;
    this._over();
  }

  // A tile on its hex, for a look; null takes it away.
  preview(coord, text) {
    this.laid = coord && text ? { coord, text } : null;
    this._over();
  }

  // A line through these hexes: the route as far as it has been clicked.
  trace(lines) {
    this.lines = lines;
    this._over();
  }

  _over() {
    const { over } = this.picture;
    over.replaceChildren();
    const corner = this.laid && this.corner(this.laid.coord);
    if (this.laid && corner) over.append(this._laid(corner, this.laid.text));
    for (const [kind, coords] of this.marked) {
      for (const coord of coords) this._ring(coord, kind);
    }
    (this.lines || []).forEach((coords, i) => {
      const points = coords.map((coord) => this.middle(coord)).filter(Boolean);
      if (!points.length) return;
      for (const kind of ["under", `line-${i % LINES}`])
        over.append(
          s("polyline", { class: `trace ${kind}`, points: points.map((one) => one.join(",")).join(" ") }),
        );
      over.append(s("circle", { class: "trace-end", cx: points.at(-1)[0], cy: points.at(-1)[1], r: 9 }));
    });
    for (const [coord, stop] of this.cities || []) {
      const place = this.stops(coord)[stop];
      if (!place) continue;
      over.append(s("circle", { class: "ring legal", cx: place[0], cy: place[1], r: 22 }));
      over.append(s("text", { class: "stop-number", x: place[0] + 20, y: place[1] - 16 }, String(stop + 1)));
    }
    if (this.focused) this._ring(this.focused, "focused");
  }

  _laid(corner, text) {
    const group = s("g", { transform: `translate(${corner})` });
    for (const child of [...(copy(text)?.children || [])]) {
      if (child.tagName === "rect" || child.tagName === "title") continue;
      group.append(child);
    }
    return group;
  }

  _ring(coord, kind) {
    const corner = this.corner(coord);
    if (!corner) return;
    this.picture.over.append(
      s("path", {
        class: `ring ${kind}`,
        d: this._outline(coord).getAttribute("d"),
        transform: `translate(${corner})`,
      }),
    );
  }

  // These hexes, so large that their names are legible.
  lookAt(coords) {
    const scale = Math.max(LEGIBLE, Math.min(CLOSE, this.stage.box.clientWidth / READ_AT_ONCE));
    this.stage.lookAt(coords.map((coord) => this.middle(coord)).filter(Boolean), scale);
  }

  reveal(coord) {
    const middle = this.middle(coord);
    if (middle) this.stage.reveal(middle);
  }

  // Begin where something can be done; nearer where the map is too large to be read as wide as its place.
  begin(coords) {
    const seen = coords.map((coord) => this.middle(coord)).filter(Boolean);
    if (this.begun || !seen.length) return;
    this.begun = true;
    if (this.stage.k < TOO_SMALL) this.lookAt(coords);
    else if (this.stage.wide) this.stage.reveal(seen[0]);
  }

  _listen() {
    const coordOf = (event) => event.target.closest?.("[id^='hex-']")?.id.slice(4);
    const plate = this.stage.plate;
    plate.addEventListener("click", (event) => {
      const coord = coordOf(event);
      if (coord) this._press(coord, event);
    });
    plate.addEventListener("keydown", (event) => this._key(event, coordOf(event)));
    plate.addEventListener("focusin", (event) => this._focus(coordOf(event)));
    plate.addEventListener("focusout", () => {
      this.focused = null;
      this._over();
    });
    plate.addEventListener("pointerover", (event) => {
      clearTimeout(this.hovers);
      if (event.pointerType !== "mouse" || event.buttons) return;
      const coord = coordOf(event);
      if (coord) this.hovers = setTimeout(() => this.tell(coord), HOVER);
    });
    this.stage.box.addEventListener("pointerleave", () => {
      clearTimeout(this.hovers);
      if (!this.pinned) this.hide();
    });
    $("nearer").addEventListener("click", () => this.stage.zoom(1.4));
    $("farther").addEventListener("click", () => this.stage.zoom(1 / 1.4));
    $("whole").addEventListener("click", () => this.stage.fit());
    $("hex").addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.hide();
    });
  }

  /**
   * @param {string} coord
   * @param {PointerEvent | null} event
   */
  async _press(coord, event = null) {
    clearTimeout(this.hovers);
    this._rove(coord);
    if (this.ctx.chosen(coord, this.stopAt(coord, event))) {
      this.hide();
      return;
    }
    await this.tell(coord, true);
  }

  _focus(coord) {
    if (!coord) return;
    this._rove(coord);
    // Where it was clicked it is seen already.
    if (this.hexes.get(coord)?.matches(":focus-visible")) {
      this.focused = coord;
      this.reveal(coord);
    }
    this._over();
  }

  _rove(coord) {
    if (!this.hexes.has(coord)) return;
    for (const node of this.picture.root.querySelectorAll("[id^='hex-'][tabindex='0']"))
      node.setAttribute("tabindex", "-1");
    this.hexes.get(coord)?.setAttribute("tabindex", "0");
    this.current = coord;
  }

  _key(event, coord) {
    if (event.key === "Escape") {
      this.hide();
      return;
    }
    if (!coord) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this._press(coord);
      return;
    }
    if (event.key === "+" || event.key === "-") {
      this.stage.zoom(event.key === "+" ? 1.3 : 1 / 1.3);
      return;
    }
    const way = WAYS[event.key];
    if (!way) return;
    event.preventDefault();
    const next = this._next(coord, way, event.shiftKey && this.legal.size ? this.legal : this.hexes.keys());
    if (next) {
      this.focused = next;
      this.hexes.get(next)?.focus({ preventScroll: true });
      this._focus(next);
      this.reveal(next);
    }
  }

  // The nearest hex that way; with Shift of those that may be chosen.
  _next(coord, [dx, dy], among) {
    const here = this.middle(coord);
    if (!here) return null;
    const [x, y] = here;
    let best = null;
    let least = Infinity;
    for (const other of among) {
      const there = other === coord ? null : this.middle(other);
      if (!there) continue;
      const [ox, oy] = there;
      const along = (ox - x) * dx + (oy - y) * dy;
      const aside = Math.abs((ox - x) * dy) + Math.abs((oy - y) * dx);
      if (along <= 1) continue;
      const far = along + 2 * aside;
      if (far < least) {
        least = far;
        best = other;
      }
    }
    return best;
  }

  hide() {
    this.newest.next();
    this.pinned = false;
    this.told = null;
    $("hex").hidden = true;
  }

  // What lies on a hex in the position that is shown; pinned it stays until it is closed.
  async tell(coord, pinned = false) {
    if (this.pinned && !pinned) return;
    const signal = this.newest.next();
    const { seq: at } = this.ctx.shown;
    const theme = this.ctx.theme();
    const key = `${coord} ${at} ${theme}`;
    let found = this.facts.get(key);
    try {
      found ??= await this.ctx.server.get(`hex/${encodeURIComponent(coord)}`, { at, theme }, signal);
    } catch (problem) {
      if (problem instanceof Refusal && pinned) this.ctx.notice(problem.message, "trouble");
      return;
    }
    if (signal.aborted) return;
    if (this.facts.size >= FACTS) this.facts.clear();
    this.facts.set(key, found);
    this.pinned = pinned;
    this.told = { coord, at };
    this._tell(coord, found, pinned);
  }

  // Another position is shown: what is told of a hex is told again.
  retell() {
    if (this.told && this.told.at !== this.ctx.shown.seq) this.tell(this.told.coord, this.pinned);
  }

  _tell(coord, found, pinned) {
    const tiles = found.tiles.map((one) =>
      h(
        "li",
        {
          class: one.is_allowed_now === false ? "later" : false,
          title: one.is_allowed_now === false ? "in a later phase" : false,
        },
        thumbnail(one.svg, `Tile ${one.tile}`),
        `#${one.tile}`,
        one.copies_left === null ? "" : h("span", { class: "dim" }, ` ×${one.copies_left}`),
      ),
    );
    refill(
      $("hex"),
      h(
        "h2",
        {},
        `${coord} ${found.hex.name || ""}`.trim(),
        pinned &&
          button(
            "×",
            () => {
              this.hide();
              this.hexes.get(coord)?.focus();
            },
            { class: "close", "aria-label": "Close" },
          ),
      ),
      h(
        "dl",
        {},
        found.facts.map(([name, words]) => [h("dt", {}, name), h("dd", {}, words)]),
      ),
      tiles.length
        ? h(
            "details",
            { open: pinned },
            h("summary", {}, `Possible tiles (${tiles.length})`),
            h("ul", { class: "tiles" }, tiles),
          )
        : "",
    );
    $("hex").hidden = false;
  }
}
