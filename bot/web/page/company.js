// A company's charter, with its moves, and its best run on the map.
import { $, badge, button, find, h, money, plural } from "./dom.js";
/** @import { Context } from "./board.js" */

/** Opens the charter of a company.
 * @param {Context} ctx
 * @param {Answer.CompanyView} view
 */
export function openCompany(ctx, view) {
  const letters = view.badge.company;
  const closing = (work) => () => {
    dialog.close();
    return work();
  };
  const run = view.trains.length
    ? button(
        "Show its best run on the map",
        closing(() => showBestRun(ctx, view)),
      )
    : "";
  const moves = ctx.play
    .about(letters)
    .map(([label, work]) => button(label, closing(work), { class: "wide" }));
  const dialog = h(
    "dialog",
    { "aria-label": view.name, onclose: () => dialog.remove() },
    charter(view, [run, moves]),
    button("Close", () => dialog.close(), { class: "quiet", autofocus: true }),
  );
  document.body.append(dialog);
  const opener = `[data-key="company-${CSS.escape(letters)}"]`;
  dialog.addEventListener("close", () => find(document, opener)?.focus());
  dialog.showModal();
}

async function showBestRun(ctx, view) {
  try {
    const looks = { theme: ctx.theme(), map_id: ctx.now.map.id, at: ctx.shown.seq };
    const found = await ctx.server.get(`routes/${encodeURIComponent(view.badge.company)}`, looks);
    ctx.tabs.seeMap();
    ctx.preview(found.map);
    const runs = found.runs.map((run) => `${run.train} ${run.sum_text}`).join("; ");
    const words = ` best run ${money(found.total)}${found.is_proven_best ? "" : " or more"}: ${runs} `;
    $("banner").replaceChildren(
      badge(view.badge),
      words,
      button("Close", () => ctx.preview(null)),
    );
    $("banner").hidden = false;
  } catch (problem) {
    ctx.trouble(problem);
  }
}

/** @param {Answer.CompanyView} company */
function charter(company, run) {
  const shown = lines(company).filter(([, words]) => words);
  return h(
    "div",
    {},
    h("h2", {}, badge(company.badge), ` ${company.name}`),
    h(
      "dl",
      {},
      shown.map(([name, words]) => [h("dt", {}, name), h("dd", {}, words)]),
    ),
    run,
  );
}

/** @param {Answer.CompanyView} company */
function lines(company) {
  const { reserved_by: reserved, last_run: last, waits_for_phase: waits } = company;
  const trains = company.trains.map(([train]) => train).join(" ");
  const notStarted = waits ? `from phase ${waits}` : `not started; floats at ${company.float_percent}%`;
  return [
    ["President", company.president || (reserved ? `reserved by ${reserved}` : "none")],
    ["Price", company.price === null ? notStarted : `${money(company.price)}, par ${money(company.par)}`],
    ["Treasury", money(company.treasury)],
    ["Trains", company.shells_text || trains || "none"],
    ["Tokens", tokens(company)],
    ["Home", company.home || ""],
    ["Shares", shares(company)],
    ["Privates", company.privates.join(", ")],
    ["Formed from", company.merged_companies.join(", ")],
    ["Markers", company.markers.join(", ")],
    ["Last run", last ? `${money(last.revenue)}, ${last.use_text}` : ""],
  ];
}

/** @param {Answer.CompanyView} company */
function tokens({ tokens_left: left, tokens_placed: placed }) {
  const unused = left.length
    ? `${plural(left.length, "token")} left (${left.map(money).join(", ")})`
    : "none left";
  return placed.length ? `${unused}; placed on ${placed.join(", ")}` : unused;
}

/** @param {Answer.CompanyView} company */
function shares({ holders, offering_percent, market_percent, treasury_percent }) {
  const held = holders.map(([name, share, president]) => `${name} ${share}%${president ? "★" : ""}`);
  const rest = [
    offering_percent && `IPO ${offering_percent}%`,
    market_percent && `market ${market_percent}%`,
    treasury_percent && `treasury ${treasury_percent}%`,
  ];
  return [...held, ...rest.filter(Boolean)].join(", ");
}
