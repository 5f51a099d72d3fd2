// Sheets without decisions: trains and phases, tiles left, privates and cards for sale.
import { badge, button, h, money, refill } from "./dom.js";

export function drawTrains(root, { trains, phases, table }) {
  const limits = trains.train_limits.map(([kind, limit]) => `${kind}: ${limit}`).join(", ");
  const bank = trains.bank.map(([name, left, price, , until]) =>
    h(
      "tr",
      { class: left === 0 ? "gone" : false },
      h("th", { scope: "row" }, name),
      h("td", {}, left === null ? "∞" : String(left)),
      h("td", {}, money(price)),
      h("td", {}, until || "never"),
      h(
        "td",
        { class: "words" },
        (table.trains.find((one) => one.train === name)?.purchase_changes || []).join("; "),
      ),
    ),
  );
  const pool = trains.pool.map(([name, price]) => `${name} for ${money(price)}`).join(", ");
  const lines = phases.phases.map((phase) =>
    h(
      "tr",
      {
        class: phase.is_current ? "current" : phase.is_reached ? "gone" : false,
        "aria-current": phase.is_current ? "true" : false,
      },
      h("th", { scope: "row" }, phase.name),
      h("td", { class: "words" }, phase.started_by),
      h("td", {}, String(phase.train_limit)),
      h("td", {}, String(phase.operating_rounds)),
      h("td", { class: "words" }, phase.tile_colours.join(", ")),
      h("td", { class: "words" }, phase.changes.join("; ")),
    ),
  );
  refill(
    root,
    h(
      "p",
      {},
      `Phase ${trains.phase}, train limit ${trains.train_limit}${limits ? ` (${limits})` : ""}. `,
      pool ? `In the market: ${pool}.` : "",
    ),
    plain("Trains in the bank", ["Train", "Left", "Price", "Leaves", "Changes"], bank),
    plain("Phases", ["Phase", "Starts with", "Limit", "ORs", "Tiles", "Changes"], lines),
  );
}

function plain(caption, heads, rows) {
  return h(
    "div",
    { class: "sheet still" },
    h(
      "table",
      {},
      h("caption", {}, caption),
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          heads.map((name) => h("th", { scope: "col" }, name)),
        ),
      ),
      h("tbody", {}, rows),
    ),
  );
}

// Tiles by colour: how many are left of each.
export function drawTiles(root, { tiles }) {
  const colours = [...new Set(tiles.map((one) => one.colour))];
  refill(
    root,
    ...colours.map((colour) =>
      h(
        "section",
        { class: "colour" },
        h("h2", {}, h("span", { class: `swatch tile-${colour}` }), colour),
        h(
          "ul",
          { class: "counts" },
          tiles
            .filter((one) => one.colour === colour)
            .map((one) =>
              h(
                "li",
                { class: one.copies_left === 0 ? "gone" : false },
                h("strong", {}, `#${one.tile}`),
                one.label ? ` ${one.label}` : "",
                one.copies_left === null ? " ∞" : ` ×${one.copies_left}`,
              ),
            ),
        ),
      ),
    ),
  );
}

/** Cards for sale, or whose they are.
 * @param {HTMLElement} root
 * @param {Answer.Position} position
 * @param {import("./decisions.js").Decisions | null} play
 */
export function drawCards(root, { sale, turn }, play = null) {
  if (!sale) {
    refill(root, h("p", { class: "dim" }, "There are no privates."));
    return;
  }
  const isRow = sale.columns.every((column) => column.length <= 1);
  refill(
    root,
    h("h2", { class: "unseen" }, sale.title),
    sale.caption.startsWith(turn.round_name) ? "" : h("p", {}, sale.caption),
    h(
      "div",
      { class: "stacks" },
      (isRow ? [sale.columns.flat()] : sale.columns).map((column) =>
        h(
          "ul",
          { class: "cards" },
          column.map((lot) => card(lot, play)),
        ),
      ),
    ),
    sale.seats.length
      ? plain(
          "Money",
          ["Player", "Cash", "In bids", "Free", "Owns"],
          sale.seats.map((seat) =>
            h(
              "tr",
              { class: seat.is_acting ? "current" : false },
              h("th", { scope: "row" }, seat.name),
              h("td", {}, money(seat.cash)),
              h("td", {}, money(seat.committed_cash)),
              h("td", {}, money(seat.free_cash)),
              h("td", { class: "words" }, [seat.owned_ids.join(", "), seat.note].filter(Boolean).join("; ")),
            ),
          ),
        )
      : "",
    sale.upcoming_texts.length
      ? h(
          "div",
          {},
          h("h3", {}, "Coming"),
          h(
            "ul",
            {},
            sale.upcoming_texts.map((line) => h("li", {}, line)),
          ),
        )
      : "",
  );
}

// A card, with what may be done with it now.
function card(lot, play) {
  const letters = lot.badge.company;
  const quick = play ? play.about(letters) : [];
  const money_ = [
    lot.value === null ? "" : money(lot.value),
    lot.income === null ? "" : `pays ${money(lot.income)}`,
  ]
    .filter(Boolean)
    .join(", ");
  return h(
    "li",
    { class: `card ${lot.state}` },
    h("h3", {}, badge(lot.badge), ` ${lot.name}`),
    money_ && h("p", {}, money_),
    lot.rule_texts.length ? h("p", { class: "dim" }, lot.rule_texts.join(". ")) : "",
    lot.status && h("p", { class: "status" }, lot.status),
    lot.claims.length ? h("p", {}, lot.claims.map(claimed).join(", ")) : "",
    quick.map(([label, work]) =>
      button(label, work, { class: "wide", "data-key": `card-${letters}-${label}` }),
    ),
  );
}

/** @param {Answer.ClaimView} claim */
function claimed({ player, amount, is_leading }) {
  return [player, amount === null ? "" : money(amount), is_leading ? "leads" : ""].filter(Boolean).join(" ");
}
