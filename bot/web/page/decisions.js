// Decisions: what may be done now, picked question by question or by one press, and made in the game or in a
// what-if.
import { Agreements } from "./agreements.js";
import { DecisionPane } from "./decision_pane.js";
import { brief, focusFirst } from "./dom.js";
import { Runs } from "./routes.js";
import { Lost, Newest, Refusal } from "./server.js";
import { TileChoice } from "./tile_choice.js";
import { Trial } from "./trial.js";
/** @import { Context } from "./board.js" */

const LOOKED_AT = 4;

/**
 * A decision that was begun: its offer, the question that is asked, and the picks to go back to.
 * @typedef {{
 *   offer: Answer.OfferJson & { acting_as?: string }, step: Answer.Step, trail: string[][],
 *   hex?: string, lay: TileChoice | null, runs: Runs | null,
 * }} Begun
 */

export class Decisions {
  /**
   * @param {Context} ctx
   * @param {HTMLElement} root
   */
  constructor(ctx, root) {
    this.ctx = ctx;
    this.root = root;
    this.offers = [];
    this.on = new Map();
    /** @type {Begun | null} */
    this.now = null;
    this.note = "";
    /** @type {Trial | null} */
    this.trial = null;
    this.as = null;
    this.loading = new Newest();
    this.walking = new Newest();
    this.agreements = new Agreements(ctx, this);
    this.pane = new DecisionPane(ctx, root, this);
    root.addEventListener("keydown", (event) => this._key(event));
  }

  // What may be decided now. A decision that was begun goes on where its picks are still legal.
  async load() {
    const signal = this.loading.next();
    const as = (this.as = this.agreements.still(this.as));
    const { you, last_seq: last } = this.ctx.now;
    const { trial } = this;
    const looksOn = you.is_spectator && !as && !trial;
    try {
      const found = looksOn
        ? { seq: last, offers: [] }
        : await (trial
            ? trial.offers(signal)
            : this.ctx.server.get("offers", as ? { as: as.acting_as, player: as.player } : {}, signal));
      if (signal.aborted) return;
      this.seq = found.seq;
      this.offers =
        as && !trial ? found.offers.map((offer) => ({ ...offer, acting_as: as.acting_as })) : found.offers;
    } catch (problem) {
      if (signal.aborted) return;
      this.offers = [];
      if (!(problem instanceof Refusal)) this.ctx.trouble(problem);
      else if (as || this.trial) this.note = problem.message;
      if (this.trial && problem instanceof Refusal) {
        this.trial = null;
        this.ctx.preview(null);
      }
    }
    const { now } = this;
    this.on = new Map();
    this.now = null;
    if (now) await this._again(now);
    if (signal.aborted) return;
    this.pane.draw();
    this.ctx.sheet();
    await this._lookAhead(signal);
    if (
      !this.now &&
      this.offers.length === 1 &&
      this.offers[0].slot_names.length &&
      !this.offers[0].one_click_moves.length
    )
      await this.begin(this.offers[0]);
  }

  // The next question after these picks; pictures come as what is different from those that are shown.
  ask(offer, picks, signal) {
    if (this.trial) return this.trial.walk(offer.key, picks, signal);
    return this.ctx.server.post(
      "walk",
      { seq: this.seq, offer_key: offer.key, acting_as: offer.acting_as, picks, ...this.ctx.looks() },
      signal,
    );
  }

  /** @param {Begun} now */
  async _again(now) {
    const offer =
      this.offers.find((one) => one.key === now.offer.key) ||
      this.offers.find((one) => one.kind === now.offer.kind && one.entity === now.offer.entity);
    try {
      if (!offer) throw new Refusal(422, { error: `“${now.offer.label}” is no longer possible.` });
      const { step } = await this.ask(offer, now.step.picks);
      const { lay } = this._enter(offer, step, now.trail);
      if (lay && now.lay && lay.kinds.has(now.lay.tile)) lay.choose(now.lay.tile, now.lay.choice?.rotation);
    } catch (problem) {
      now.runs?.leave();
      this.ctx.board.preview(null);
      this.ctx.preview(null);
      if (!(problem instanceof Refusal)) {
        this.ctx.trouble(problem);
        return;
      }
      const chosen = [now.offer.label, ...(now.step.pick_labels || [])].join(", ");
      this.note = `${problem.message} You had chosen: ${chosen}.`;
    }
  }

  // The hexes and prices of what may be done at once can be pressed before anything else is.
  async _lookAhead(signal) {
    const onMap = this.offers.filter((one) => one.slot_names[0] === "hex").slice(0, LOOKED_AT);
    for (const offer of onMap) {
      try {
        const { step } = await this.ask(offer, [], signal);
        if (signal.aborted || this.now) return;
        // With one legal hex it is filled in, and the tiles are the question.
        for (const choice of (step.slot === "hex" && step.choices) || []) {
          if (choice.hex)
            this.on.set(choice.hex, [...(this.on.get(choice.hex) || []), { offer, choice, step }]);
        }
        if (step.slot !== "hex") this._pickedHex(offer, step);
      } catch (problem) {
        if (!signal.aborted && !(problem instanceof Refusal)) this.ctx.trouble(problem);
        return;
      }
    }
    if (!signal.aborted && !this.now) {
      this.mark();
      this.pane.draw();
      this.ctx.board.begin(this._where());
    }
  }

  // Where something can be done, else where the company on turn is, or those of the player.
  _where() {
    if (this.on.size) return [...this.on.keys()];
    const { table } = this.ctx.now;
    const turn = this.trial?.found?.turn || this.ctx.now.turn;
    const company = table.companies.find((one) => one.badge.company === turn.entity_name);
    const president = this.ctx.now.you.name || turn.actor_names[0];
    const companies = company ? [company] : table.companies.filter((one) => one.president === president);
    return companies.flatMap((one) =>
      one.tokens_placed.length || !one.home ? one.tokens_placed : [one.home],
    );
  }

  _pickedHex(offer, step) {
    const coord = step.picks?.[0];
    if (coord)
      this.on.set(coord, [...(this.on.get(coord) || []), { offer, choice: { picks: [], hex: coord }, step }]);
  }

  // Nothing may be decided on the map of a plan or of an earlier position.
  mark() {
    const on = this.ctx.looksBack() || this.ctx.plan.open ? [] : [...this.on.keys()];
    const stops = (this.now?.step.choices || []).filter((one) => Number.isInteger(one.stop));
    if ((this.on.size || this.now?.runs) && !this.ctx.looksBack()) this.ctx.tabs.seeMap();
    this.ctx.board.mark("legal", on);
    this.ctx.board.mark("chosen", this.now?.hex && !this.ctx.plan.open ? [this.now.hex] : []);
    this.ctx.board.markStops(
      this.ctx.looksBack() || this.ctx.plan.open ? [] : stops.map((one) => [one.hex, one.stop]),
    );
    this.ctx.market.mark(this.now?.step.choices?.filter((one) => one.price !== undefined) || []);
  }

  // A hex was pressed: whether that was an answer.
  hex(coord, stop = null) {
    if (this.ctx.looksBack()) return false;
    const runs = this.now?.runs;
    const lay = this.now?.lay;
    if (runs) {
      runs.press(coord);
      return true;
    }
    if (lay && lay.hex === coord && lay.turns.length > 1) {
      lay.turn(1);
      return true;
    }
    const found = this.on.get(coord);
    if (!found) return false;
    this.ctx.tab("play");
    const meant =
      found.length === 1 ? found : found.filter((one) => one.choice.stop === stop && stop !== null);
    if (meant.length === 1) this.pick(meant[0].offer, meant[0].step, meant[0].choice);
    else this.pane.which(coord, found);
    return true;
  }

  // A price on the market was pressed.
  price(price) {
    const { now } = this;
    const choice = now?.step.choices?.find((one) => one.price === price);
    if (now && choice) this.pick(now.offer, now.step, choice);
    return Boolean(choice);
  }

  // What may be done with a card or a company, by its letters: moves of one press, and offers that ask for
  // more.
  about(letters) {
    if (this.ctx.looksBack()) return [];
    return this.offers.flatMap((offer) => {
      const quick = offer.one_click_moves
        .filter(
          (one) => Object.values(one.values_by_slot || {}).includes(letters) || offer.entity === letters,
        )
        .map((one) => [
          one.label,
          () => {
            this.ctx.tab("play");
            return this.quick(one, offer);
          },
        ]);
      const more =
        quick.length &&
        offer.slot_names.length > 1 &&
        offer.one_click_moves.some((one) => Object.values(one.values_by_slot || {})[0] === letters)
          ? [
              [
                `${offer.label}…`,
                () => {
                  this.ctx.tab("play");
                  return this.walk(offer, [letters], [[]]);
                },
              ],
            ]
          : [];
      return [...quick, ...more];
    });
  }

  async begin(offer) {
    this.note = "";
    await this.walk(offer, [], []);
  }

  pick(offer, step, choice) {
    const { now } = this;
    const trail = now && now.offer === offer ? [...now.trail, step.picks] : [[]];
    return this.walk(offer, [...step.picks, ...choice.picks], trail);
  }

  async walk(offer, picks, trail) {
    const signal = this.walking.next();
    try {
      const { step } = await this.ask(offer, picks, signal);
      if (signal.aborted) return;
      this.note = "";
      this._enter(offer, step, trail);
    } catch (problem) {
      if (signal.aborted) return;
      if (problem instanceof Refusal && problem.status === 409) {
        await this.late();
        return;
      }
      this.note = problem.message;
      if (!(problem instanceof Refusal)) this.ctx.trouble(problem);
    }
    this.pane.draw();
    this.root.scrollIntoView({ block: "nearest" });
    focusFirst(this.root);
  }

  /**
   * @param {Begun["offer"]} offer
   * @param {Answer.Step} step
   * @param {string[][]} trail
   */
  _enter(offer, step, trail) {
    const at = offer.slot_names.indexOf("hex");
    this.now?.runs?.leave();
    /** @type {Begun} */
    const now = { offer, step, trail, hex: step.picks[at], lay: null, runs: null };
    this.now = now;
    this.on = new Map();
    for (const choice of step.choices || []) {
      if (choice.hex && choice.tile === undefined)
        this.on.set(choice.hex, [...(this.on.get(choice.hex) || []), { offer, choice, step }]);
    }
    if (
      offer.slot_names.includes("routes") &&
      (step.input_kind !== "choice" || step.slot === "routes") &&
      !this.none(step)
    )
      now.runs = new Runs(this.ctx, this, offer, step);
    this.ctx.board.preview(step.lay && now.hex, step.lay?.svg);
    if (step.map) this.ctx.preview(step.map);
    else this.ctx.preview(null);
    if (step.choices?.some((one) => one.tile !== undefined)) {
      now.lay = new TileChoice(this.ctx, this, offer, step, now.hex);
      if (now.lay.only) now.lay.choose(now.lay.only);
    }
    if (step.choices?.some((one) => one.price !== undefined)) this.ctx.tab("market", true);
    this.mark();
    return now;
  }

  none(step) {
    return step.picks.at(-1) === "none";
  }

  back() {
    const { now } = this;
    const before = now?.trail.at(-1);
    if (!now || before === undefined || now.trail.length < 2) this.leave();
    else this.walk(now.offer, before, now.trail.slice(0, -1));
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
    return this.load().then(() => {
      focusFirst(this.root);
    });
  }

  // The whole move, by one press. Where an answer is lost, the page looks whether it was made.
  async make(move, said) {
    this.ctx.working(true);
    try {
      if (this.trial) {
        await this._try(this.trial, move);
        return;
      }
      const done = await this.ctx.server.post("play", { seq: this.seq, ...move });
      this.ctx.made = done.seq;
      this._forget();
      this.ctx.preview(null);
      this.ctx.notice(brief(done.lines) || said, "done");
      await this.ctx.refresh(done.is_proposed ? null : done.seq);
      this.root.focus({ preventScroll: true });
    } catch (problem) {
      await this._failed(problem, move, said);
    } finally {
      this.ctx.working(false);
    }
  }

  async _try(trial, move) {
    this._forget();
    await trial.add(move);
    this.root.focus({ preventScroll: true });
  }

  async beginTrial() {
    this.trial = new Trial(this.ctx, this);
    await this.load();
    focusFirst(this.root);
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
      this.note =
        "The connection was lost while you made a move. When it is back, check the log for your move.";
      this.pane.draw();
      this.ctx.trouble(problem);
    } else if (!(problem instanceof Refusal)) {
      throw problem;
    } else if (problem.question) {
      this.pane.sure(problem.question, problem.confirmLabel || "Confirm", () =>
        this.make({ ...move, is_confirmed: true }, said),
      );
    } else if (problem.status === 409) {
      await this.late();
    } else {
      this.note = problem.message;
      this.pane.draw();
      if (problem.status === 401) this.ctx.trouble(problem);
    }
  }

  // Somebody moved first: show it, and take up what was begun.
  async late() {
    this.ctx.notice(
      "Somebody else moved first. The page keeps your choice if it is still possible.",
      "trouble",
    );
    await this.ctx.refresh();
  }

  // Whether anything is chosen or asked here that is not made yet.
  get begun() {
    return Boolean(
      this.trial ||
      this.now?.trail.length ||
      this.now?.runs?.text ||
      this.root.querySelector(".which") ||
      this.root.hasAttribute("aria-busy"),
    );
  }

  // Decide for another seat, or (null) for one's own.
  decideFor(as) {
    this._forget();
    this.as = as;
    this.ctx.preview(null);
    return this.load().then(() => focusFirst(this.root));
  }

  _key(event) {
    if (event.target.matches("input, select, textarea")) return;
    if (event.key === "Escape" && this.now) this.leave();
    const lay = this.now?.lay;
    if (lay && lay.turns.length > 1 && (event.key === "r" || event.key === "R"))
      lay.turn(event.key === "r" ? 1 : -1);
  }

  // A move of one press. Who decides for another names what is chosen: the short name of a move is that of
  // one's own.
  quick(one, offer) {
    const picks = offer.slot_names.map((slot) => [one.values_by_slot?.[slot]].flat().join(" ") || "none");
    const move = offer.acting_as
      ? { offer_key: offer.key, acting_as: offer.acting_as, picks }
      : { move_key: one.move_key };
    const work = (confirmed) => this.make({ ...move, is_confirmed: confirmed }, one.label);
    return one.needs_confirmation && !this.trial
      ? this.pane.sure(`${one.label}?`, "Confirm", () => work(true))
      : work(false);
  }
}
