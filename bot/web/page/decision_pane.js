// The pane of decisions: offers, the question, tiles to turn, and the button that makes the whole move.
import { badge, button, currency, find, h, keepingFocus, money, refill } from "./dom.js";
import { Orders } from "./orders.js";
/** @import { Context } from "./board.js" */
/** @import { Begun } from "./decisions.js" */

const MANY = 12;
const LISTED = 60;

export class DecisionPane {
  /**
   * @param {Context} ctx
   * @param {HTMLElement} root
   * @param {import("./decisions.js").Decisions} play
   */
  constructor(ctx, root, play) {
    this.ctx = ctx;
    this.root = root;
    this.play = play;
  }

  which(coord, found) {
    find(this.root, ".which")?.remove();
    this.root.prepend(
      h(
        "div",
        { class: "which card" },
        h("p", {}, `What do you want to do on ${coord}?`),
        found.map(({ offer, choice, step }) =>
          button(
            found.some((one) => one.offer !== offer) ? offer.label : choice.label,
            () => this.play.pick(offer, step, choice),
            { class: "wide" },
          ),
        ),
        button("Nothing", () => this.draw(), { class: "quiet" }),
      ),
    );
    find(this.root, ".which button")?.focus();
  }

  sure(question, label, work) {
    find(this.root, ".which")?.remove();
    this.root.prepend(
      h(
        "div",
        { class: "which card", role: "alertdialog", "aria-label": "Confirm" },
        question.split("\n").map((line) => h("p", {}, line)),
        button(label, work, { class: "primary wide" }),
        button("No", () => this.draw(), { class: "quiet" }),
      ),
    );
    find(this.root, ".which button")?.focus();
  }

  draw() {
    const { you, move_obstacle, is_over, proposed_deal } = this.ctx.now;
    const turn = this.play.trial?.found?.turn || this.ctx.now.turn;
    keepingFocus(this.root, () =>
      refill(
        this.root,
        h("h2", {}, this._heading(you, turn, is_over)),
        you.confirmation_code
          ? h(
              "p",
              { class: "warning" },
              "This link was already used. To play here, press Board in Discord and confirm the code ",
              `${you.confirmation_code}.`,
            )
          : "",
        this.play.trial?.draw(),
        turn.facts_text ? h("p", { class: "dim" }, turn.facts_text) : "",
        this.play.agreements.whose(),
        is_over && this.ctx.shown.scores ? h("p", {}, this.ctx.shown.scores.ending) : "",
        is_over && you.may_share ? h("a", { href: `${this.ctx.server.root}/result` }, "Result page") : "",
        proposed_deal && !this.play.trial && !this.ctx.looksBack() ? this._deal(proposed_deal) : "",
        this.play.trial ? "" : this.play.agreements.draw(),
        turn.duty_lines.map((line) => h("p", {}, line)),
        move_obstacle ? h("p", { class: "warning" }, move_obstacle) : "",
        this.play.note ? h("p", { class: "warning", role: "alert" }, this.play.note) : "",
        this.ctx.looksBack()
          ? h(
              "p",
              { class: "warning" },
              "You are viewing an earlier position. ",
              button("Back to now", () => this.ctx.past.now(), { "data-key": "now" }),
              this.play.agreements.toHere(this.ctx.at()),
            )
          : this.play.now
            ? this._step(this.play.now)
            : this._offers(),
        this.play.now || this.play.trial || this.ctx.looksBack()
          ? ""
          : h(
              "p",
              { class: "row" },
              this.play.agreements.buttons(),
              you.may_try_moves &&
                button("What if…", () => this.play.beginTrial(), { class: "quiet", "data-key": "what-if" }),
              you.may_play &&
                button("Standing orders…", () => new Orders(this.ctx).open(), {
                  class: "quiet",
                  "data-key": "orders",
                }),
            ),
      ),
    );
  }

  /** What one player has offered another, and what each would have then.
   * @param {Answer.ProposedDealView} deal
   */
  _deal({ proposer, asked_player, deal_text, parties, lines }) {
    return h(
      "div",
      { class: "card" },
      h("p", {}, h("strong", {}, deal_text)),
      h("p", { class: "dim" }, `${proposer} asks ${asked_player}.`),
      parties.map(({ name, changes }) => h("p", {}, `${name}: ${changes.join(", ")}`)),
      lines.map((line) => h("p", { class: "dim" }, line)),
    );
  }

  _heading(you, turn, over) {
    if (over) return "The game is over";
    if (this.play.trial) return turn.entity_name ? `What if: ${turn.entity_name}` : "What if";
    if (you.is_acting)
      return `Your turn${turn.entity_name && turn.entity_name !== you.name ? `: ${turn.entity_name}` : ""}`;
    return turn.actor_names.length ? `Waiting for ${turn.actor_names.join(", ")}` : "It is nobody's turn";
  }

  _offers() {
    const turn = this.play.trial?.found?.turn || this.ctx.now.turn;
    if (!this.play.offers.length)
      return h(
        "p",
        { class: "dim" },
        this.ctx.now.you.is_spectator
          ? "You are a spectator."
          : this.ctx.asked()
            ? "Nothing else for you to decide now."
            : "Nothing for you to decide now.",
      );
    const ordered = [...this.play.offers].sort((a, b) => Number(b.is_blocking) - Number(a.is_blocking));
    return [
      this.play.on.size
        ? h(
            "p",
            { class: "hint" },
            this.play.on.size === 1
              ? "Press the marked hex on the map, or:"
              : `Press one of ${this.play.on.size} marked hexes on the map, or:`,
          )
        : "",
      h(
        "ul",
        { class: "offers" },
        ordered.map((offer, i) => h("li", {}, this._offer(offer, i === 0))),
      ),
      turn.steps.length
        ? h(
            "ol",
            { class: "steps", "aria-label": "Steps of this turn" },
            turn.steps.map(([words, done, current]) =>
              h(
                "li",
                {
                  class: done ? "done" : current ? "current" : false,
                  "aria-current": current ? "step" : false,
                },
                words,
              ),
            ),
          )
        : "",
    ];
  }

  _offer(offer, first) {
    const whose =
      this.play.trial && offer.player_name && offer.player_name !== this.ctx.now.you.name
        ? `${offer.player_name}: `
        : this._for();
    const quick = offer.one_click_moves.map((one, i) =>
      button(`${whose}${one.label}`, () => this.play.quick(one, offer), {
        class: "wide",
        "data-key": one.move_key,
        "data-first": first && i === 0,
      }),
    );
    return [
      offer.slot_names.length
        ? button(`${whose}${offer.label}…`, () => this.play.begin(offer), {
            class: "wide",
            "data-key": offer.key,
            "data-first": first && !quick.length,
          })
        : "",
      quick,
    ];
  }

  // Whose move it is, where it is not one's own.
  _for() {
    return this.play.as && !this.play.trial ? `For ${this.play.agreements.name()}: ` : "";
  }

  /** @param {Begun} now */
  _step(now) {
    const { offer, step, trail } = now;
    const body = now.runs
      ? now.runs.draw()
      : {
          choice: () => this._choice(now),
          amount: () => this._amount(now),
          nothing: () => this.whole(offer, step, step.picks),
        }[step.input_kind]();
    return h(
      "div",
      { class: "step" },
      h(
        "p",
        {},
        h("strong", {}, step.offer_label || offer.label),
        step.pick_labels?.length ? `: ${step.pick_labels.join(", ")}` : "",
      ),
      body,
      h(
        "p",
        { class: "row" },
        trail.length > 1 ? button("Back", () => this.play.back(), { "data-key": "back" }) : "",
        button("Cancel", () => this.play.leave(), { class: "quiet", "data-key": "cancel" }),
      ),
    );
  }

  /** @param {Begun} now */
  _choice({ step, lay, offer }) {
    if (lay) return lay.draw();
    const { choices = [] } = step;
    const list = h("ul", { class: "choices" });
    const draw = (wanted) =>
      refill(
        list,
        ...choices
          .filter((one) => one.label.toLowerCase().includes(wanted.toLowerCase()))
          .slice(0, LISTED)
          .map((choice, i) =>
            h(
              "li",
              {},
              button(this._words(choice), () => this.play.pick(offer, step, choice), {
                class: "wide",
                "data-key": choice.picks.join(" "),
                "data-first": i === 0,
                onfocus: () => choice.hex && this.ctx.board.mark("chosen", [choice.hex]),
              }),
            ),
          ),
      );
    draw("");
    const filter =
      choices.length > MANY
        ? h("input", {
            type: "search",
            "aria-label": `Find ${step.question}`,
            placeholder: `Find ${step.question}`,
            oninput: (event) => draw(event.target.value),
          })
        : "";
    const more =
      choices.length > LISTED ? h("p", { class: "dim" }, `${choices.length} choices: type to find one.`) : "";
    return [
      h("p", {}, `Which ${step.question}?`, this.play.on.size ? " Press it on the map, or:" : ""),
      filter,
      list,
      more,
    ];
  }

  _words(choice) {
    const company =
      choice.company && this.ctx.now.table.companies.find((one) => one.badge.company === choice.company);
    const cost = choice.cost && !choice.label.includes(currency()) ? `, ${money(choice.cost)}` : "";
    const words =
      company && choice.label.startsWith(choice.company)
        ? choice.label.slice(choice.company.length)
        : ` ${choice.label}`;
    return company ? [badge(company.badge), `${words}${cost}`] : `${choice.label}${cost}`;
  }

  /** @param {Begun} now */
  _amount({ step, offer }) {
    const { usual_amounts: usual = [] } = step;
    const input = h("input", {
      type: "number",
      min: step.minimum,
      max: step.maximum,
      step: step.increment,
      value: usual[0]?.picks[0] ?? step.minimum,
      id: "amount",
      "data-key": "amount",
      inputmode: "numeric",
      required: true,
    });
    const go = (value) => this.play.pick(offer, step, { picks: [String(value)] });
    return h(
      "form",
      {
        onsubmit: (event) => {
          event.preventDefault();
          go(input.value);
        },
      },
      h(
        "p",
        { class: "row" },
        usual.map((one, i) =>
          button(one.label, () => this.play.pick(offer, step, one), {
            "data-key": one.label,
            "data-first": i === 0,
          }),
        ),
      ),
      h(
        "p",
        { class: "row" },
        h("label", { for: "amount" }, `${step.question}: `),
        input,
        h("button", { type: "submit" }, "Continue"),
      ),
      h("p", { class: "dim" }, step.limits_text),
    );
  }

  // What the move would do, and the one press that makes it.
  whole(offer, step, picks) {
    const lines = (step.lines || []).filter((line) => line !== step.summary);
    const { trial, as, agreements } = this.play;
    const proposing = as?.acting_as === "table" && `Propose for ${agreements.name()}: `;
    const intent = trial ? "Try: " : proposing || this._for();
    const label = `${intent}${step.summary || step.label || offer.label}`;
    return h(
      "div",
      { class: "whole" },
      step.full_text && step.full_text !== step.summary ? h("p", {}, step.full_text) : "",
      lines.map((line) => h("p", { class: "dim" }, line)),
      step.confirmation_question && !this.play.trial
        ? h("p", { class: "warning" }, step.confirmation_question)
        : "",
      button(
        label,
        () =>
          this.play.make(
            {
              offer_key: offer.key,
              acting_as: offer.acting_as,
              picks,
              is_confirmed: Boolean(step.confirmation_question || step.needs_confirmation),
            },
            label,
          ),
        { class: "primary wide", "data-key": "confirm", "data-first": true },
      ),
    );
  }
}
