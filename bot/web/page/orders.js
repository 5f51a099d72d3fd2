// Standing orders: what the bot does for a player when it is their turn; only they see them.
import { button, currency, find, h } from "./dom.js";
import { Refusal } from "./server.js";
/** @import { Context } from "./board.js" */

// Orders that say all by what they are about; sealed bids are asked for below.
const WHOLE = ["pass", "over", "buy", "run", "skip", "withdraw"];

export class Orders {
  /** @param {Context} ctx */
  constructor(ctx) {
    this.ctx = ctx;
    this.dialog = h("dialog", { "aria-label": "Standing orders", onclose: () => this.dialog.remove() });
  }

  async open() {
    document.body.append(this.dialog);
    this.dialog.addEventListener("close", () => find(document, "[data-key=orders]")?.focus());
    await this._read("");
    if (this.dialog.isConnected) this.dialog.showModal();
  }

  async _read(said) {
    try {
      this._draw(await this.ctx.server.get("orders"), said);
    } catch (problem) {
      this.dialog.remove();
      this.ctx.trouble(problem);
    }
  }

  async _give(order) {
    let said;
    try {
      said = (await this.ctx.server.post("orders", { seq: this.ctx.now.last_seq, ...order })).lines.join(" ");
    } catch (problem) {
      if (!(problem instanceof Refusal)) {
        this.ctx.trouble(problem);
        return;
      }
      said = problem.message;
    }
    await this._read(said);
    await this.ctx.refresh();
  }

  /**
   * @param {Answer.Orders} orders
   * @param {string} said
   */
  _draw({ lines, quick_orders, name_by_private: privates, sealed_bid_by_private: sealed }, said) {
    this.dialog.replaceChildren(
      h(
        "div",
        {},
        h("h2", {}, "Standing orders"),
        h("p", { class: "dim" }, "The bot makes these moves on your turn. Only you see them."),
        said ? h("p", { class: "warning", role: "status" }, said) : "",
        h(
          "ul",
          {},
          lines.filter(Boolean).map((line) => h("li", {}, line)),
        ),
        quick_orders
          .filter(({ choice }) => WHOLE.includes(choice))
          .map(({ choice, details, label }) =>
            button(label, () => this._give({ choice, order_details: details }), { class: "wide" }),
          ),
        Object.keys(sealed || {}).length
          ? this._sealed(privates, sealed)
          : Object.keys(privates).length
            ? this._most(privates)
            : "",
      ),
      button("Close", () => this.dialog.close(), { class: "quiet", autofocus: true }),
    );
  }

  // The most that a private may cost.
  _most(privates) {
    const which = h(
      "select",
      { "aria-label": "Private" },
      Object.entries(privates).map(([id, name]) => h("option", { value: id }, `${id} ${name}`)),
    );
    const most = h("input", {
      type: "number",
      min: 1,
      required: true,
      "aria-label": "Your highest bid",
      placeholder: currency(),
    });
    const then = h(
      "select",
      { "aria-label": "If others bid more" },
      h("option", { value: "pass" }, "then pass"),
      h("option", { value: "ask" }, "then ask me"),
    );
    return h(
      "form",
      {
        onsubmit: (event) => {
          event.preventDefault();
          this._give({
            choice: "max",
            private: which.value,
            max_bid: Number(most.value),
            when_outbid: then.value,
          });
        },
      },
      h("h3", {}, "Bid for me, up to"),
      h("p", { class: "row" }, which, most, then, h("button", { type: "submit" }, "Order")),
    );
  }

  // An auction where all seal what each private is worth to them.
  _sealed(privates, sealed) {
    const fields = Object.entries(sealed).map(([id, most]) => {
      const label = `Your highest bid for ${id}`;
      return { id, field: h("input", { type: "number", min: 0, value: most ?? 0, "aria-label": label }) };
    });
    return h(
      "form",
      {
        onsubmit: (event) => {
          event.preventDefault();
          this._give({
            choice: "seal",
            bids: Object.fromEntries(fields.map(({ id, field }) => [id, Number(field.value)])),
          });
        },
      },
      h("h3", {}, "Seal your bids"),
      fields.map(({ id, field }) => h("label", { class: "row" }, `${id} ${privates[id] || ""} `, field)),
      h("button", { type: "submit" }, "Seal"),
    );
  }
}
