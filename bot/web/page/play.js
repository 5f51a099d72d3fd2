// Decisions: what may be done now, question by question, and one press that makes the whole move.
import { Agreements } from "./agreements.js";
import { badge, brief, button, currency, h, keepingFocus, money, refill, thumbnail } from "./dom.js";
import { Orders } from "./orders.js";
import { Runs } from "./routes.js";
import { Lost, Newest, Refusal } from "./server.js";
import { Trial } from "./trial.js";

const MANY = 12;
const LISTED = 60;
const LOOKED_AT = 4;

export class Play {
  constructor(ctx, root) {
    this.ctx = ctx;
    this.root = root;
    this.offers = [];
    this.on = new Map();
    this.now = null;
    this.note = "";
    this.trial = null;
    this.as = null;
    this.loading = new Newest();
    this.walking = new Newest();
    this.agreements = new Agreements(ctx, this);
    root.addEventListener("keydown", (event) => this._key(event));
  }

  // What may be decided now. A decision that was begun goes on where its picks are still legal.
  async load() {
    const signal = this.loading.next();
    const as = this.as = this.agreements.still(this.as);
    const { you, last } = this.ctx.now, looksOn = you.spectator && !as && !this.trial;
    try {
      const found = looksOn ? { seq: last, offers: [], for: null }
        : await (this.trial ? this.trial.offers(signal) : this.ctx.server.get("offers", as ? { as: as.capacity, player: as.player } : {}, signal));
      if (signal.aborted) return;
      this.seq = found.seq;
      this.offers = as && !this.trial ? found.offers.map((offer) => ({ ...offer, capacity: as.capacity })) : found.offers;
      this.for = found.for;
    } catch (problem) {
      if (signal.aborted) return;
      this.offers = [];
      if (this.trial && problem instanceof Refusal) { this.note = problem.message; this.trial = null; this.ctx.preview(null); }
      else if (!(problem instanceof Refusal)) this.ctx.trouble(problem);
    }
    const { now } = this;
    this.on = new Map();
    this.now = null;
    if (now) await this._again(now);
    if (signal.aborted) return;
    this.draw();
    this.ctx.sheet();
    await this._lookAhead(signal);
    if (!this.now && this.offers.length === 1 && this.offers[0].slots.length && !this.offers[0].quick.length) await this.begin(this.offers[0]);
  }

  // The next question after these picks; pictures come as what is different from those that are shown.
  _ask(offer, picks, signal) {
    if (this.trial) return this.trial.walk(offer.key, picks, signal);
    return this.ctx.server.post("walk", { seq: this.seq, key: offer.key, capacity: offer.capacity, picks, ...this.ctx.looks() }, signal);
  }

  async _again(now) {
    const offer = this.offers.find((one) => one.key === now.offer.key) || this.offers.find((one) => one.kind === now.offer.kind && one.entity === now.offer.entity);
    try {
      if (!offer) throw new Refusal(422, { error: `“${now.offer.label}” is no longer possible.` });
      const { step } = await this._ask(offer, now.step.picked);
      this._enter(offer, step, now.trail);
      const turn = now.lay?.turns[now.lay.at]?.rotation;
      if (now.lay?.tile !== undefined && this.now.lay?.kinds.has(now.lay.tile)) this._tile(now.lay.tile, turn);
    } catch (problem) {
      now.runs?.leave();
      this.ctx.board.preview(null);
      this.ctx.preview(null);
      if (!(problem instanceof Refusal)) { this.ctx.trouble(problem); return; }
      this.note = `${problem.message} You had chosen: ${[now.offer.label, ...(now.step.labels || [])].join(", ")}.`;
    }
  }

  // The hexes and prices of what may be done at once can be pressed before anything else is.
  async _lookAhead(signal) {
    const onMap = this.offers.filter((one) => one.slots[0] === "hex").slice(0, LOOKED_AT);
    for (const offer of onMap) {
      try {
        const { step } = await this._ask(offer, [], signal);
        if (signal.aborted || this.now) return;
        // With one legal hex it is filled in, and the tiles are the question.
        for (const choice of step.slot === "hex" ? step.choices : []) {
          if (choice.hex) this.on.set(choice.hex, [...(this.on.get(choice.hex) || []), { offer, choice, step }]);
        }
        if (step.slot !== "hex") this._pickedHex(offer, step);
      } catch (problem) {
        if (!signal.aborted && !(problem instanceof Refusal)) this.ctx.trouble(problem);
        return;
      }
    }
    if (!signal.aborted && !this.now) { this._marks(); this.draw(); this.ctx.board.begin(this._where()); }
  }

  // Where something can be done, else where the company on turn is, or those of the player.
  _where() {
    if (this.on.size) return [...this.on.keys()];
    const { table } = this.ctx.now, turn = this.trial?.found?.turn || this.ctx.now.turn;
    const company = table.companies.find((one) => one.badge.company === turn.entity);
    const president = this.ctx.now.you.name || turn.actor_names[0];
    const companies = company ? [company] : table.companies.filter((one) => one.president === president);
    return companies.flatMap((one) => (one.tokens_placed.length || !one.home ? one.tokens_placed : [one.home]));
  }

  _pickedHex(offer, step) {
    const coord = step.picked?.[0];
    if (coord) this.on.set(coord, [...(this.on.get(coord) || []), { offer, choice: { pick: [], hex: coord }, step }]);
  }

  _marks() {
    this.ctx.board.mark("legal", this.ctx.looksBack() ? [] : [...this.on.keys()]);
    this.ctx.board.mark("chosen", this.now?.hex ? [this.now.hex] : []);
    this.ctx.board.markStops(this.ctx.looksBack() ? [] : (this.now?.step.choices || []).filter((one) => Number.isInteger(one.stop)).map((one) => [one.hex, one.stop]));
    this.ctx.market.mark(this.now?.step.choices?.filter((one) => one.price !== undefined) || []);
  }

  // A hex was pressed: whether that was an answer.
  hex(coord, stop = null) {
    if (this.ctx.looksBack()) return false;
    if (this.now?.runs) { this.now.runs.press(coord); return true; }
    if (this.now?.lay?.hex === coord && this.now.lay.turns.length > 1) { this._turn(1); return true; }
    const found = this.on.get(coord);
    if (!found) return false;
    this.ctx.tab("play");
    const meant = found.length === 1 ? found : found.filter((one) => one.choice.stop === stop && stop !== null);
    if (meant.length === 1) this._pick(meant[0].offer, meant[0].step, meant[0].choice);
    else this._which(coord, found);
    return true;
  }

  // A price on the market was pressed.
  price(price) {
    const choice = this.now?.step.choices?.find((one) => one.price === price);
    if (choice) this._pick(this.now.offer, this.now.step, choice);
    return Boolean(choice);
  }

  // What may be done with a card or a company, by its letters: moves of one press, and offers that ask for more.
  about(letters) {
    if (this.ctx.looksBack()) return [];
    return this.offers.flatMap((offer) => {
      const quick = offer.quick.filter((one) => Object.values(one.chosen || {}).includes(letters) || offer.entity === letters)
        .map((one) => [one.label, () => { this.ctx.tab("play"); return this._quick(one, offer); }]);
      const more = quick.length && offer.slots.length > 1 && offer.quick.some((one) => Object.values(one.chosen || {})[0] === letters)
        ? [[`${offer.label}…`, () => { this.ctx.tab("play"); return this._walk(offer, [letters], [[]]); }]] : [];
      return [...quick, ...more];
    });
  }

  _which(coord, found) {
    this.root.querySelector(".which")?.remove();
    this.root.prepend(h("div", { class: "which card" }, h("p", {}, `What do you want to do on ${coord}?`),
      found.map(({ offer, choice, step }) => button(found.some((one) => one.offer !== offer) ? offer.label : choice.label, () => this._pick(offer, step, choice), { class: "wide" })),
      button("Nothing", () => this.draw(), { class: "quiet" })));
    this.root.querySelector(".which button").focus();
  }

  async begin(offer) {
    this.note = "";
    await this._walk(offer, [], []);
  }

  _pick(offer, step, choice) {
    const trail = this.now?.offer === offer ? [...this.now.trail, step.picked] : [[]];
    return this._walk(offer, [...step.picked, ...choice.pick], trail);
  }

  async _walk(offer, picks, trail) {
    const signal = this.walking.next();
    try {
      const { step } = await this._ask(offer, picks, signal);
      if (signal.aborted) return;
      this.note = "";
      this._enter(offer, step, trail);
    } catch (problem) {
      if (signal.aborted) return;
      if (problem instanceof Refusal && problem.status === 409) { await this._late(); return; }
      this.note = problem.message;
      if (!(problem instanceof Refusal)) this.ctx.trouble(problem);
    }
    this.draw();
    this.root.scrollIntoView({ block: "nearest" });
    this.root.querySelector("[data-first]")?.focus({ preventScroll: true });
  }

  _enter(offer, step, trail) {
    const at = offer.slots.indexOf("hex");
    this.now?.runs?.leave();
    this.now = { offer, step, trail, hex: at >= 0 ? step.picked?.[at] : undefined, lay: null, runs: null };
    this.on = new Map();
    for (const choice of step.choices || []) {
      if (choice.hex && choice.tile === undefined) this.on.set(choice.hex, [...(this.on.get(choice.hex) || []), { offer, choice, step }]);
    }
    if (offer.slots.includes("routes") && (step.ask !== "choice" || step.slot === "routes") && !this.none(step)) this.now.runs = new Runs(this.ctx, this, offer, step);
    this.ctx.board.preview(step.lay && this.now.hex, step.lay?.svg);
    if (step.map) this.ctx.preview(step.map);
    else this.ctx.preview(null);
    if (step.choices?.some((one) => one.tile !== undefined)) this._tiles(step);
    if (step.choices?.some((one) => one.price !== undefined)) this.ctx.tab("market", true);
    this._marks();
  }

  none(step) {
    return step.picked.at(-1) === "none";
  }

  // Tiles for a hex: each with the ways it can be turned.
  _tiles(step) {
    const kinds = new Map();
    for (const choice of step.choices) {
      if (choice.tile !== undefined) kinds.set(choice.tile, [...(kinds.get(choice.tile) || []), choice]);
    }
    this.now.lay = { hex: this.now.hex, kinds, turns: [], at: 0, end: null };
    if (kinds.size === 1) this._tile([...kinds.keys()][0]);
  }

  _tile(tile, turned = 0) {
    const { lay } = this.now;
    lay.tile = tile;
    lay.turns = lay.kinds.get(tile);
    lay.at = Math.max(0, lay.turns.findIndex((one) => one.rotation === turned));
    return this._laid();
  }

  _turn(by) {
    const { lay } = this.now;
    lay.at = (lay.at + by + lay.turns.length) % lay.turns.length;
    return this._laid();
  }

  // The tile lies on the map as it is turned now, and what the whole move would do is asked for.
  async _laid() {
    const { now } = this, { lay, offer, step } = now, signal = this.walking.next();
    const choice = lay.turns[lay.at];
    this.ctx.board.preview(lay.hex, choice.svg);
    lay.end = null;
    this.draw();
    try {
      const end = (await this._ask(offer, [...step.picked, ...choice.pick], signal)).step;
      if (signal.aborted || now !== this.now) return;
      lay.end = end;
    } catch (problem) {
      if (signal.aborted) return;
      if (problem instanceof Refusal && problem.status === 409) { await this._late(); return; }
      this.note = problem.message;
    }
    this.draw();
  }

  back() {
    const { now } = this;
    const before = now.trail.at(-1);
    if (before === undefined || now.trail.length < 2) this.leave();
    else this._walk(now.offer, before, now.trail.slice(0, -1));
  }

  // No decision is begun any more.
  _forget() {
    this.now?.runs?.leave();
    this.now = null;
    this.note = "";
    this.ctx.board.preview(null);
  }

  leave() {
    this._forget();
    this.ctx.preview(null);
    return this.load().then(() => { (this.root.querySelector("[data-first]") || this.root).focus({ preventScroll: true }); });
  }

  // The whole move, by one press. Where an answer is lost, the page looks whether it was made.
  async play(move, said) {
    this.ctx.working(true);
    try {
      if (this.trial) { await this._try(move); return; }
      const done = await this.ctx.server.post("play", { seq: this.seq, ...move });
      this.ctx.made = done.seq;
      this._forget();
      this.ctx.preview(null);
      this.ctx.notice(brief(done.lines) || said, "done");
      await this.ctx.refresh(done.proposed ? null : done.seq);
      this.root.focus({ preventScroll: true });
    } catch (problem) {
      await this._failed(problem, move, said);
    } finally {
      this.ctx.working(false);
    }
  }

  async _try(move) {
    this._forget();
    await this.trial.add(move);
    this.root.focus({ preventScroll: true });
  }

  async beginTrial() {
    this.trial = new Trial(this.ctx, this);
    await this.load();
    this.root.querySelector("[data-first]")?.focus({ preventScroll: true });
  }

  async endTrial() {
    this._forget();
    this.trial = null;
    this.ctx.preview(null);
    await this.ctx.refresh();
    this.root.focus({ preventScroll: true });
  }

  async _failed(problem, move, said) {
    if (problem instanceof Lost) {
      this.note = "The connection was lost while you made a move. When it is back, check the log for your move.";
      this.draw();
      this.ctx.trouble(problem);
    } else if (!(problem instanceof Refusal)) {
      throw problem;
    } else if (problem.question) {
      this.sure(problem.question, problem.ask || "Confirm", () => this.play({ ...move, sure: true }, said));
    } else if (problem.status === 409) {
      await this._late();
    } else {
      this.note = problem.message;
      this.draw();
      if (problem.status === 401) this.ctx.trouble(problem);
    }
  }

  // Somebody moved first: show it, and take up what was begun.
  async _late() {
    this.ctx.notice("Somebody else moved first. The page keeps your choice if it is still possible.", "trouble");
    await this.ctx.refresh();
  }

  sure(question, label, work) {
    this.root.querySelector(".which")?.remove();
    this.root.prepend(h("div", { class: "which card", role: "alertdialog", "aria-label": "Confirm" }, question.split("\n").map((line) => h("p", {}, line)),
      button(label, work, { class: "primary wide" }), button("No", () => this.draw(), { class: "quiet" })));
    this.root.querySelector(".which button").focus();
  }

  // Whether anything is chosen or asked here that is not made yet.
  get begun() {
    return Boolean(this.trial || this.now?.trail.length || this.now?.runs?.text || this.root.querySelector(".which") || this.root.hasAttribute("aria-busy"));
  }

  // Decide for another seat, or (null) for one's own.
  decideFor(as) {
    this._forget();
    this.as = as;
    this.ctx.preview(null);
    return this.load().then(() => this.root.querySelector("[data-first]")?.focus({ preventScroll: true }));
  }

  _key(event) {
    if (event.target.matches("input, select, textarea")) return;
    if (event.key === "Escape" && this.now) this.leave();
    if (this.now?.lay?.turns.length > 1 && (event.key === "r" || event.key === "R")) this._turn(event.key === "r" ? 1 : -1);
  }

  draw() {
    const { you, held_up: heldUp, over, offer: offered } = this.ctx.now, turn = this.trial?.found?.turn || this.ctx.now.turn;
    keepingFocus(this.root, () => refill(this.root, 
      h("h2", {}, this._heading(you, turn, over)),
      you.code ? h("p", { class: "warning" }, `This link was already used. To play here, press Board in Discord and confirm the code ${you.code}.`) : "",
      this.trial?.draw(),
      turn.facts ? h("p", { class: "dim" }, turn.facts) : "",
      this.agreements.whose(),
      over && this.ctx.shown.scores ? h("p", {}, this.ctx.shown.scores.ending) : "",
      offered && !this.trial && !this.ctx.looksBack() ? this._offered(offered) : "",
      this.trial ? "" : this.agreements.draw(),
      turn.duty.map((line) => h("p", {}, line)),
      heldUp ? h("p", { class: "warning" }, heldUp) : "",
      this.note ? h("p", { class: "warning", role: "alert" }, this.note) : "",
      this.ctx.looksBack() ? h("p", { class: "warning" }, "You look at an earlier position. ", button("Back to now", () => this.ctx.past.now(), { "data-key": "now" }), this.agreements.toHere(this.ctx.at()))
        : this.now ? this._step() : this._offers(),
      this.now || this.trial || this.ctx.looksBack() ? "" : h("p", { class: "row" },
        this.agreements.buttons(),
        you.may_play && button("What if…", () => this.beginTrial(), { class: "quiet", "data-key": "what-if" }),
        you.may_play && button("Standing orders…", () => new Orders(this.ctx).open(), { class: "quiet", "data-key": "orders" })),
    ));
  }

  // What one player has offered another, and what each would have then.
  _offered({ asker, asked, what, parties, lines }) {
    return h("div", { class: "card" }, h("p", {}, h("strong", {}, what)), h("p", { class: "dim" }, `${asker} asks ${asked}.`),
      parties.map(({ name, changes }) => h("p", {}, `${name}: ${changes.join(", ")}`)), lines.map((line) => h("p", { class: "dim" }, line)));
  }

  _heading(you, turn, over) {
    if (over) return "The game is over";
    if (this.trial) return turn.entity ? `What if: ${turn.entity}` : "What if";
    if (you.acting) return `Your turn${turn.entity && turn.entity !== you.name ? `: ${turn.entity}` : ""}`;
    return turn.actor_names.length ? `Waiting for ${turn.actor_names.join(", ")}` : "It is nobody's turn";
  }

  _offers() {
    const turn = this.trial?.found?.turn || this.ctx.now.turn;
    if (!this.offers.length) return h("p", { class: "dim" }, this.ctx.now.you.spectator ? "You are a spectator." : this.ctx.asked() ? "Nothing else for you to decide now." : "Nothing for you to decide now.");
    const ordered = [...this.offers].sort((a, b) => Number(b.blocking) - Number(a.blocking));
    return [
      this.on.size ? h("p", { class: "hint" }, this.on.size === 1 ? "Press the marked hex on the map, or:" : `Press one of ${this.on.size} marked hexes on the map, or:`) : "",
      h("ul", { class: "offers" }, ordered.map((offer, i) => h("li", {}, this._offer(offer, i === 0)))),
      turn.steps.length ? h("ol", { class: "steps", "aria-label": "Steps of this turn" }, turn.steps.map(([words, done, current]) => h("li", { class: done ? "done" : current ? "current" : false, "aria-current": current ? "step" : false }, words))) : "",
    ];
  }

  _offer(offer, first) {
    const whose = this.trial && offer.name && offer.name !== this.ctx.now.you.name ? `${offer.name}: ` : this._for();
    const quick = offer.quick.map((one, i) => button(`${whose}${one.label}`, () => this._quick(one, offer), { class: "wide", "data-key": one.move, "data-first": first && i === 0 }));
    return [offer.slots.length ? button(`${whose}${offer.label}…`, () => this.begin(offer), { class: "wide", "data-key": offer.key, "data-first": first && !quick.length }) : "", quick];
  }

  // A move of one press. Who decides for another names what is chosen: the short name of a move is that of one's own.
  _quick(one, offer) {
    const picks = offer.slots.map((slot) => [one.chosen?.[slot]].flat().join(" ") || "none");
    const move = offer.capacity ? { key: offer.key, capacity: offer.capacity, picks } : { move: one.move };
    const work = (sure) => this.play({ ...move, sure }, one.label);
    return one.confirm && !this.trial ? this.sure(`${one.label}?`, "Confirm", () => work(true)) : work(false);
  }

  // Whose move it is, where it is not one's own.
  _for() {
    return this.as && !this.trial ? `For ${this.agreements.name()}: ` : "";
  }

  _step() {
    const { offer, step, trail } = this.now;
    const body = this.now.runs ? this.now.runs.draw() : { choice: () => this._choice(), amount: () => this._amount(), nothing: () => this._whole(step, step.picked) }[step.ask]();
    return h("div", { class: "step" }, h("p", {}, h("strong", {}, step.offer || offer.label), step.labels?.length ? `: ${step.labels.join(", ")}` : ""), body,
      h("p", { class: "row" }, trail.length > 1 ? button("Back", () => this.back(), { "data-key": "back" }) : "", button("Cancel", () => this.leave(), { class: "quiet", "data-key": "cancel" })));
  }

  _choice() {
    const { step, lay, offer } = this.now;
    if (lay) return this._lays();
    const list = h("ul", { class: "choices" });
    const draw = (wanted) => refill(list, ...step.choices.filter((one) => one.label.toLowerCase().includes(wanted.toLowerCase())).slice(0, LISTED).map((choice, i) => h("li", {},
      button(this._words(choice), () => this._pick(offer, step, choice), { class: "wide", "data-key": choice.pick.join(" "), "data-first": i === 0, onfocus: () => choice.hex && this.ctx.board.mark("chosen", [choice.hex]) }))));
    draw("");
    const filter = step.choices.length > MANY ? h("input", { type: "search", "aria-label": `Find ${step.question}`, placeholder: `Find ${step.question}`, oninput: (event) => draw(event.target.value) }) : "";
    const more = step.choices.length > LISTED ? h("p", { class: "dim" }, `${step.choices.length} choices: type to find one.`) : "";
    return [h("p", {}, `Which ${step.question}?`, this.on.size ? " Press it on the map, or:" : ""), filter, list, more];
  }

  _words(choice) {
    const company = choice.company && this.ctx.now.table.companies.find((one) => one.badge.company === choice.company);
    const cost = choice.cost && !choice.label.includes(currency()) ? `, ${money(choice.cost)}` : "";
    const words = company && choice.label.startsWith(choice.company) ? choice.label.slice(choice.company.length) : ` ${choice.label}`;
    return company ? [badge(company.badge), `${words}${cost}`] : `${choice.label}${cost}`;
  }

  _lays() {
    const { lay, step } = this.now;
    const tiles = [...lay.kinds].map(([tile, turns], i) => h("li", {}, button([thumbnail(turns[0].svg, `Tile ${tile}`), h("span", {}, `#${tile}`, turns[0].left === null ? "" : ` ×${turns[0].left}`)],
      () => this._tile(tile), { class: "tile", "aria-pressed": String(tile === lay.tile), "data-key": `tile-${tile}`, "data-first": i === 0 })));
    const choice = lay.turns[lay.at];
    const turning = choice && lay.turns.length > 1 ? h("p", { class: "row" },
      button("⟲", () => this._turn(-1), { "aria-label": "Turn left", "data-key": "left" }), `${choice.sides || ""} (${lay.at + 1} of ${lay.turns.length})`,
      button("⟳", () => this._turn(1), { "aria-label": "Turn right", "data-key": "right" })) : "";
    const worth = choice?.worth && !lay.end ? h("p", {}, `Best run: ${money(choice.worth[0])} → ${money(choice.worth[1])}`) : "";
    return [choice ? "" : h("p", {}, "Which tile?"), h("ul", { class: "tiles" }, tiles), turning, worth,
      choice && (lay.end ? (lay.end.ask === "nothing" ? this._whole(lay.end, [...step.picked, ...choice.pick])
        : button(`Go on with #${choice.tile}`, () => this._pick(this.now.offer, step, choice), { class: "primary wide" })) : h("p", { class: "dim" }, "…"))];
  }

  _amount() {
    const { step, offer } = this.now;
    const input = h("input", { type: "number", min: step.low, max: step.high, step: step.step, value: step.usual[0]?.pick[0] ?? step.low, id: "amount", "data-key": "amount", inputmode: "numeric", required: true });
    const go = (value) => this._pick(offer, step, { pick: [String(value)] });
    return h("form", { onsubmit: (event) => { event.preventDefault(); go(input.value); } },
      h("p", { class: "row" }, step.usual.map((one, i) => button(one.label, () => this._pick(offer, step, one), { "data-key": one.label, "data-first": i === 0 }))),
      h("p", { class: "row" }, h("label", { for: "amount" }, `${step.question}: `), input, h("button", { type: "submit" }, "Go on")),
      h("p", { class: "dim" }, step.limits));
  }

  // What the move would do, and the one press that makes it.
  _whole(step, picks) {
    const { offer } = this.now;
    const lines = (step.lines || []).filter((line) => line !== step.summary);
    const label = `${this.trial ? "Try: " : this.as?.capacity === "table" ? `Propose for ${this.agreements.name()}: ` : this._for()}${step.summary || step.label || offer.label}`;
    return h("div", { class: "whole" }, step.full && step.full !== step.summary ? h("p", {}, step.full) : "", lines.map((line) => h("p", { class: "dim" }, line)),
      step.sure && !this.trial ? h("p", { class: "warning" }, step.sure) : "",
      button(label, () => this.play({ key: offer.key, capacity: offer.capacity, picks, sure: Boolean(step.sure || step.confirm) }, label), { class: "primary wide", "data-key": "confirm", "data-first": true }));
  }
}
