// What others must agree to: undo and redo, seats that the table plays, and what is proposed to the table.
import { brief, button, h } from "./dom.js";
import { keyed } from "./undo_keys.js";
import { Refusal } from "./server.js";
/** @import { Context } from "./board.js" */

const ANSWERS = { yes: "Agree", no: "Refuse", withdraw: "Withdraw" };

export class Agreements {
  /**
   * @param {Context} ctx
   * @param {import("./decisions.js").Decisions} play
   */
  constructor(ctx, play) {
    this.ctx = ctx;
    this.play = play;
  }

  // What is open, whom it waits for, and what this visitor may answer.
  draw() {
    return (this.ctx.now.proposals || []).map((one) =>
      h(
        "div",
        { class: "card proposal", "data-proposal": one.number },
        h("p", {}, h("strong", {}, `Proposal ${one.number}: `), one.description),
        h(
          "p",
          { class: "dim" },
          `Proposed by ${one.proposer_name}. ${this._waits(one)} `,
          one.message_url &&
            h("a", { href: one.message_url, target: "_blank", rel: "noopener" }, "In the thread"),
        ),
        h(
          "p",
          { class: "row" },
          one.possible_answers.map((choice) =>
            button(ANSWERS[choice], () => this._answer(one, choice), {
              class: choice === "yes" ? "primary" : "quiet",
              "data-key": `${choice}-${one.number}`,
              "aria-pressed": choice === "withdraw" ? false : String(one.own_vote === (choice === "yes")),
            }),
          ),
        ),
      ),
    );
  }

  /** @param {Answer.ProposalJson} proposal */
  _waits({ must_still_agree, missing_voters, missing_vote_count, needs_moderator }) {
    const parts = [];
    if (must_still_agree.length) parts.push(`Waiting for ${must_still_agree.join(", ")}.`);
    if (missing_vote_count)
      parts.push(`${missing_vote_count} more of these players must agree: ${missing_voters.join(", ")}.`);
    if (needs_moderator) parts.push("A moderator must agree.");
    return parts.join(" ");
  }

  async _answer(one, choice) {
    try {
      const done = await this.ctx.server.post("answer", {
        seq: this.ctx.now.last_seq,
        proposal_number: one.number,
        choice,
      });
      this.ctx.notice(brief(done.lines), "done");
    } catch (problem) {
      this._said(problem);
    }
    await this.ctx.refresh();
  }

  // One's own last move, alone or, where others have moved since, with their consent.
  buttons() {
    const { you } = this.ctx.now;
    return [
      you.may_undo &&
        keyed(button("Undo my last move", () => this.goBack("undo"), { class: "quiet", "data-key": "undo" })),
      !you.may_undo &&
        you.undo_target_seq !== null &&
        button("Undo my last move…", () => this.goBack("undo", { target_seq: you.undo_target_seq }), {
          class: "quiet",
          "data-key": "ask-undo",
        }),
      you.may_redo &&
        keyed(button("Redo", () => this.goBack("redo"), { class: "quiet", "data-key": "redo" })),
    ];
  }

  // To an earlier position that is looked at.
  toHere(at) {
    return (
      this.ctx.now.you.undo_target_seq !== null &&
      at !== null &&
      button("Undo to here…", () => this.goBack("undo", { target_seq: at }), {
        class: "quiet",
        "data-key": "undo-to",
      })
    );
  }

  async goBack(way, asked = {}) {
    try {
      const done = await this.ctx.server.post(way, { seq: this.ctx.now.last_seq, ...asked });
      this.ctx.made = done.seq;
      this.play.now = null;
      this.ctx.notice(brief(done.lines), "done");
    } catch (problem) {
      if (problem instanceof Refusal && problem.question) {
        this.play.pane.sure(problem.question, problem.confirmLabel || "Confirm", () =>
          this.goBack(way, { ...asked, is_confirmed: true }),
        );
        return;
      }
      this._said(problem);
    }
    if (this.ctx.looksBack()) await this.ctx.past.now();
    await this.ctx.refresh();
  }

  _said(problem) {
    if (problem instanceof Refusal) this.ctx.notice(problem.message, "trouble");
    else this.ctx.trouble(problem);
  }

  // For whom somebody decides who does not decide for themselves alone.
  whose() {
    const { you, table, turn, is_over } = this.ctx.now;
    const { as } = this.play;
    const seats =
      is_over || this.play.trial
        ? []
        : table.players.flatMap(({ player, name }) => [
            ...(you.absent_players.includes(player)
              ? [["table", player, `for ${name}: another player must agree`]]
              : []),
            ...(you.is_moderator ? [["moderator", player, `for ${name} as a moderator`]] : []),
          ]);
    const options = seats.map(([actingAs, player, words]) =>
      h(
        "option",
        { value: `${actingAs} ${player}`, selected: as?.acting_as === actingAs && as.player === player },
        words,
      ),
    );
    const chosen = ({ target }) => {
      const [actingAs, player] = target.value.split(" ");
      return this.play.decideFor(player ? { acting_as: actingAs, player } : null);
    };
    const waiting =
      as || you.is_acting
        ? []
        : seats.filter(([actingAs, player]) => actingAs === "table" && turn.actors.includes(player));
    return [
      you.is_substitute ? h("p", { class: "dim" }, `You play for ${you.name}.`) : "",
      options.length
        ? h(
            "p",
            {},
            h(
              "select",
              { "aria-label": "For whom you decide", "data-key": "whose", onchange: chosen },
              h("option", { value: "" }, you.player ? "for me" : "for nobody"),
              options,
            ),
          )
        : "",
      as
        ? h(
            "p",
            { class: "hint" },
            as.acting_as === "table"
              ? `The group plays the seat of ${this.name()}: you propose a move, and another player agrees.`
              : `You move for ${this.name()} as a moderator.`,
          )
        : "",
      waiting.map(([actingAs, player]) =>
        button(
          `Propose a move for ${this.name(player)}…`,
          () => this.play.decideFor({ acting_as: actingAs, player }),
          { class: "wide", "data-key": `for-${player}` },
        ),
      ),
    ];
  }

  // Whose seat it is that is decided for.
  name(player = this.play.as?.player) {
    return this.ctx.now.table.players.find((one) => one.player === player)?.name || "";
  }

  // In whose place a visitor decides, as long as they may.
  still(as) {
    const { you } = this.ctx.now;
    return as && (as.acting_as === "table" ? you.absent_players.includes(as.player) : you.is_moderator)
      ? as
      : null;
  }
}
