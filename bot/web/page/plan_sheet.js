// The sheet of a plan: company and trains, best run and cost, the parts, and the dividends of a run.
import { button, h, money } from "./dom.js";
import { TurnedTiles } from "./tile_choice.js";
/** @import { Plan } from "./plan.js" */

const MOST_TRAINS = 9;
/** What becomes of a revenue, by the name of the outcome. */
const OUTCOMES = { paid: "Pay out", half: "Half", withheld: "Withhold", lost: "Lost" };

// Tiles that can be planned in a hex.
export class PlannedLay extends TurnedTiles {
  /**
   * @param {import("./board.js").Context} ctx
   * @param {Plan} plan
   * @param {Answer.Choice[]} tiles
   * @param {string} coord
   */
  constructor(ctx, plan, tiles, coord) {
    super(ctx, tiles, coord);
    this.plan = plan;
  }

  _laid() {
    super._laid();
    this.plan.draw();
  }

  /** @param {Answer.Choice} choice */
  _next({ tile, cost, notes, picks: [text] }) {
    const label = `Plan #${tile}${cost ? ` for ${money(cost)}` : ""}`;
    return [
      (notes || []).map((line) => h("p", { class: "dim" }, `${line}.`)),
      button(label, () => this.plan.add(text), { class: "primary", "data-key": "plan-tile" }),
    ];
  }
}

/** @param {Plan} plan */
export function planSheet(plan) {
  return [
    plan.shared ? sharedNote(plan) : "",
    h("div", { class: "plan" }, [
      h("section", { "aria-label": "Plan" }, plan.spot ? hexChoice(plan, plan.spot) : "", parts(plan)),
      h("section", { "aria-label": "Best run" }, runs(plan)),
    ]),
    plan.run?.payouts ? payouts(plan, plan.run.payouts) : "",
  ];
}

/** @param {Plan} plan */
function sharedNote(plan) {
  return h(
    "p",
    { class: "warning row" },
    "Somebody shared this plan with you. Your own plan is unchanged.",
    button("Make it mine", () => plan.leaveShared(true), { "data-key": "keep" }),
    button("Back to my plan", () => plan.leaveShared(false), { "data-key": "mine" }),
  );
}

/** @param {Plan} plan */
function runs(plan) {
  const { run, said, draft, ctx } = plan;
  const { companies } = ctx.shown.table;
  const options = companies
    .filter((one) => !one.is_closed)
    .map(({ badge: { company } }) =>
      h("option", { value: company, selected: company === draft.company }, company),
    );
  const select = h(
    "select",
    { "data-key": "company", onchange: ({ target }) => plan.change({ company: target.value, trains: null }) },
    options,
  );
  const bare = h("input", {
    type: "checkbox",
    checked: plan.bare,
    "data-key": "bare",
    onchange: ({ target }) => plan.look(target.checked),
  });
  const before =
    run && run.revenue_before !== null && run.revenue_before !== run.total
      ? `, without the plan ${money(run.revenue_before)}`
      : "";
  return [
    h("p", { class: "row" }, h("label", {}, "Company ", select), trains(plan)),
    plan.draft.parts.length ? h("label", {}, bare, " show the run without the plan") : "",
    run ? h("h2", {}, `Best run ${money(run.total)}${run.is_proven_best ? "" : " or more"}${before}`) : "",
    run
      ? h(
          "ul",
          {},
          run.runs.map((one) => h("li", {}, `${one.train}: ${one.sum_text} = ${money(one.revenue)}`)),
        )
      : "",
    said ? h("p", { class: "dim" }, said) : "",
    run ? h("p", { class: "dim" }, `Revenues as in phase ${ctx.shown.trains.phase}.`) : "",
  ];
}

// How many trains of each kind run.
function trains(plan) {
  const kinds = plan.ctx.shown.trains.bank.map(([name]) => name);
  const count = (kind) => plan.fleet.filter((one) => one === kind).length;
  const changed = (kind, text) => {
    const number = Math.max(0, Math.min(MOST_TRAINS, Number(text) || 0));
    const all = kinds.flatMap((one) => Array(one === kind ? number : count(one)).fill(one));
    return plan.change({ trains: all.join(",") });
  };
  const fields = kinds.map((kind) => {
    const field = h("input", {
      type: "number",
      min: 0,
      max: MOST_TRAINS,
      value: String(count(kind)),
      "data-key": `train-${kind}`,
      oninput: ({ target }) => changed(kind, target.value),
    });
    return h("label", { class: "fleet" }, `${kind}-train `, field);
  });
  const own = () => plan.change({ trains: null });
  return [
    fields,
    plan.draft.trains === null ? "" : button("Its own trains", own, { class: "quiet", "data-key": "own" }),
  ];
}

/** @param {Plan} plan */
function parts(plan) {
  const { found, draft } = plan;
  if (!found) return "";
  const lines = found.parts.map(({ text, description, state, notes, cost }) =>
    h(
      "li",
      { class: state === "misfit" ? "warning" : false },
      button("×", () => plan.remove(text), { class: "close", "aria-label": `Remove ${description}` }),
      `${description}${cost ? `, ${money(cost)}` : ""}`,
      notes.map((line) => h("p", { class: state === "misfit" ? false : "dim" }, `${line}.`)),
    ),
  );
  return [
    h("h2", {}, lines.length ? `Plan: ${money(found.cost)} for ${draft.company}` : "Plan"),
    lines.length
      ? h("ol", { class: "parts" }, lines)
      : h("p", { class: "dim" }, "Press a hex to plan a tile or a token there. Only you see it."),
    lines.length
      ? h(
          "p",
          { class: "row" },
          button("Copy link", () => copyLink(plan), { "data-key": "link" }),
          button("Clear", () => plan.change({ parts: [] }), { class: "quiet", "data-key": "clear" }),
        )
      : "",
    plan.linked
      ? h("label", {}, "Link ", h("input", { readonly: true, value: plan.link, "data-key": "address" }))
      : "",
  ];
}

async function copyLink(plan) {
  plan.linked = true;
  plan.draw();
  try {
    await navigator.clipboard.writeText(plan.link);
    plan.ctx.notice("Link copied. It shows this plan to everybody who can see the game.", "done");
  } catch {
    plan.ctx.notice(
      "Copy the link below your plan. It shows the plan to everybody who can see the game.",
      "done",
    );
  }
}

/** @param {Plan} plan */
function hexChoice(plan, { coord, lay, tokens }) {
  const own = tokens.find((one) => one.company === plan.draft.company);
  const select = h(
    "select",
    { "aria-label": "Token" },
    tokens.map(({ text, description }) =>
      h("option", { value: text, selected: text === own?.text }, description),
    ),
  );
  const nothing = h("p", { class: "dim" }, "Neither a tile nor a token can be placed here.");
  return h(
    "div",
    { class: "card step" },
    h(
      "h2",
      {},
      coord,
      button("×", () => plan.leaveHex(), { class: "close", "aria-label": "Close" }),
    ),
    lay.kinds.size ? lay.draw() : "",
    tokens.length
      ? h(
          "p",
          { class: "row" },
          select,
          button("Plan this token", () => plan.add(select.value), { "data-key": "plan-token" }),
        )
      : "",
    lay.kinds.size || tokens.length ? "" : nothing,
  );
}

/** @param {Plan} plan */
function payouts(plan, { rows, players, price }) {
  const possible = new Set(rows.flatMap(([, all]) => all.map(({ outcome }) => outcome)));
  const outcomes = Object.keys(OUTCOMES).filter((one) => possible.has(one));
  const chosen = outcomes.includes(plan.outcome) ? plan.outcome : outcomes[0];
  const choose = ({ target }) => {
    plan.outcome = target.value;
    plan.draw();
  };
  const options = outcomes.map((one) => h("option", { value: one, selected: one === chosen }, OUTCOMES[one]));
  const heads = [
    "Run",
    "Per share",
    ...players,
    plan.draft.company,
    ...outcomes.map((one) => `Price: ${OUTCOMES[one]}`),
  ];
  const cells = ([revenue, all]) => {
    const shown = all.find((one) => one.outcome === chosen) || all[0];
    const prices = outcomes.map((name) =>
      priceAfter(
        all.find((one) => one.outcome === name),
        price,
      ),
    );
    const share = shown.per_share === null ? "" : money(shown.per_share);
    return [
      money(revenue),
      share,
      ...shown.player_amounts.map(money),
      money(shown.treasury_amount),
      ...prices,
    ];
  };
  return h(
    "details",
    { open: !plan.folded, ontoggle: ({ target }) => (plan.folded = !target.open) },
    h("summary", {}, `If ${plan.draft.company} pays${price === null ? "" : `, price now ${money(price)}`}`),
    h("label", {}, "Payments for ", h("select", { "data-key": "outcome", onchange: choose }, options)),
    dividendTable(heads, rows.map(cells)),
  );
}

function priceAfter(payout, price) {
  if (!payout || price === null) return "";
  return payout.price === null ? "closes" : money(payout.price);
}

function dividendTable(heads, rows) {
  return h(
    "div",
    { class: "sheet" },
    h(
      "table",
      {},
      h("caption", { class: "unseen" }, "Dividends by revenue"),
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          heads.map((head) => h("th", { scope: "col", class: "number" }, head)),
        ),
      ),
      h(
        "tbody",
        {},
        rows.map((row) =>
          h(
            "tr",
            {},
            row.map((cell, i) =>
              h(
                i ? "td" : "th",
                { scope: i ? false : "row", class: `number${cell ? "" : " empty"}`, "data-name": heads[i] },
                cell,
              ),
            ),
          ),
        ),
      ),
    ),
  );
}
