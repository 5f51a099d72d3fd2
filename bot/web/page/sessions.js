// Whose page it is: the user by name, and a list of their sessions, each of which can be ended.
import { $, button, h, refill } from "./dom.js";
/** @import { Context } from "./board.js" */

export class Owner {
  /**
   * @param {Context} ctx
   * @param {HTMLElement} root
   */
  constructor(ctx, root) {
    this.ctx = ctx;
    this.root = root;
    root.addEventListener("click", () => this._open());
  }

  /** @param {Answer.VisitorFields} you */
  draw({ user_name, name, is_substitute, is_moderator, player, confirmation_code }) {
    const games = /** @type {HTMLAnchorElement} */ ($("games"));
    games.hidden = !user_name;
    games.href = `${this.ctx.server.root}/games`;
    const seat = is_substitute ? `, for ${name}` : player || is_moderator ? "" : ", without a seat";
    this.root.textContent = user_name
      ? `You are ${user_name}${seat}${is_moderator ? ", moderator" : ""}`
      : confirmation_code
        ? "Browser not confirmed: you cannot move"
        : "Spectator: you cannot move";
  }

  async _open() {
    const list = h("div", {});
    const dialog = h(
      "dialog",
      {
        "aria-label": "Your sessions",
        onclose: () => {
          dialog.remove();
          this.root.focus();
        },
      },
      list,
      button("Close", () => dialog.close(), { class: "quiet", autofocus: true }),
    );
    document.body.append(dialog);
    dialog.showModal();
    await this._fill(list);
  }

  async _fill(list) {
    const { you } = this.ctx.now;
    try {
      const { sessions } = await this.ctx.server.get("sessions");
      const end = (label, id, attributes) => button(label, () => this._end(list, id), attributes);
      refill(
        list,
        h("h2", {}, you.user_name ? `Sessions of ${you.user_name}` : "Spectators' page"),
        h(
          "p",
          {},
          you.user_name
            ? "All browsers in which you are logged in, in all games."
            : "You cannot move on this page.",
        ),
        sessions.map((one) =>
          h(
            "div",
            { class: "card row" },
            h("span", {}, words(one)),
            end("End", one.id, { "aria-label": `End: ${words(one)}` }),
          ),
        ),
        h(
          "div",
          { class: "row" },
          you.user_name ? end("End all sessions", "all") : end("End this session", you.session_id),
        ),
      );
    } catch (problem) {
      refill(list, problem.message);
    }
  }

  // After the end of its own session nothing of the game stays on the page.
  async _end(list, id) {
    try {
      await this.ctx.server.post("sessions", { seq: this.ctx.now.last_seq, session_id: id });
    } catch (problem) {
      this.ctx.trouble(problem);
    }
    if (id === "all" || id === this.ctx.now.you.session_id) location.reload();
    else await this._fill(list);
  }
}

/** @param {Answer.Session} session */
function words({ game_id, game_name, device, opened_at, is_current }) {
  const at = new Date(opened_at).toLocaleString([], {
    day: "numeric",
    month: "short",
    hour: "2-digit",
    minute: "2-digit",
  });
  const here = is_current ? " (this browser)" : "";
  return `#${game_id} ${game_name}: ${device || "unknown browser"}, opened ${at}${here}`;
}
