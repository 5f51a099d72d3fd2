// The page: one table, as it stands or stood, and what its visitor may decide.
import { $, badge, button, h, keepingFocus, money, refill } from "./dom.js";
import { Charts } from "./charts.js";
import { Log } from "./log.js";
import { Board } from "./map.js";
import { Market } from "./market.js";
import { Past } from "./past_and_compare.js";
import { Play } from "./play.js";
import { Lost, News, Pictures, Refusal, Server, unpacked } from "./server.js";
import { Owner } from "./sessions.js";
import { drawCards, drawTiles, drawTrains } from "./sheets.js";
import { Tables, charter } from "./table.js";

const [ROOT, GAME] = /\/board\/(\d+)(?:~\w+)?/.exec(location.pathname);
const TABS = [["play", "Turn", true], ["table", "Table"], ["market", "Market"], ["cards", "Privates"], ["trains", "Trains"], ["tiles", "Tiles"], ["charts", "Charts"], ["log", "Log", true]];
const VERSION = document.querySelector("meta[name=version]").content;
const FINAL = [401, 403, 404, 422];
const READ = 4000, LETTER = 60, SHOWN = 2;
const TICK = 30_000;

const dark = matchMedia("(prefers-color-scheme: dark)");
const phone = matchMedia("(max-width: 859px)");
const pictures = new Pictures();
const look = $("look");
let streamed = null; // the theme of the positions that come with news
let reading = null, refreshing = null, behind = false, again = false, heard = null;

const ctx = {
  server: new Server(ROOT, waits),
  now: null, shown: null, history: null, stale: false, made: null, told: null,
  at: () => ctx.past.at, looksBack: () => ctx.past.back,
  theme: () => look.value || (dark.matches ? "dark" : "ours"),
  looks: () => ({ theme: ctx.theme(), have: ctx.now.map.id, market: ctx.now.market.id }),
  chosen: (coord, stop) => ctx.play.hex(coord, stop),
  read: (both) => ({ map: pictures.read(both.map), market: pictures.read(both.market) }),
  notice, trouble, asked, refresh, preview, company, tab, working, position, show, sheet,
};
ctx.board = new Board(ctx);
ctx.market = new Market(ctx, $("panel-market"));
ctx.past = new Past(ctx, $("past"));
ctx.log = new Log(ctx, $("log"));
ctx.play = new Play(ctx, $("play"));
const tables = new Tables(ctx), charts = new Charts(), owner = new Owner(ctx, $("owner"));

// A position with its pictures; what the page has already is not sent again.
async function position(at = null, signal = undefined) {
  const theme = ctx.theme(), seen = ctx.now?.look === theme ? ctx.now : null;
  const have = { have: seen?.map.id, market: seen?.market.id };
  let found = await ctx.server.get("position", { at, theme, ...have }, signal);
  found.pictures = ctx.read(found);
  if (found.pictures.map === null || found.pictures.market === null) {
    found = await ctx.server.get("position", { at, theme }, signal);
    found.pictures = ctx.read(found);
  }
  found.look = theme;
  return found;
}

// The position that came with news; null where the page lacks what its pictures are made from, or shows another theme.
async function sentPosition(sent) {
  const theme = ctx.theme(), found = await unpacked(sent);
  found.pictures = ctx.read(found);
  found.look = theme;
  return theme === streamed && found.pictures.map !== null && found.pictures.market !== null ? found : null;
}

// The table as it is now, which may have been sent; news that comes meanwhile asks once more.
function refresh(seq = null, sent = null) {
  if (refreshing) { again ||= seq === null; heard = seq ?? heard; return refreshing; }
  if (seq !== null && seq === ctx.now?.last) return Promise.resolve();
  refreshing = (async () => {
    try {
      do {
        again = false;
        await refreshed(sent);
        sent = null;
        if (heard !== null && heard !== ctx.now.last) again = true;
        heard = null;
      } while (again);
      behind = false;
    } catch (problem) {
      behind = !(problem instanceof Refusal && FINAL.includes(problem.status));
      trouble(problem);
    } finally {
      refreshing = null;
    }
  })();
  return refreshing;
}

async function refreshed(sent) {
  const before = ctx.now?.last;
  ctx.now = (sent && await sentPosition(sent)) ?? await position();
  ctx.server.session = ctx.now.you.session;
  owner.draw(ctx.now.you);
  if (!ctx.past.back) show(ctx.now);
  if (!followed()) history();
  await ctx.play.load();
  if (before !== undefined && before !== ctx.now.last && ctx.past.back) notice("The game has moved on.", "done");
}

// All moves, and the charts: they may take a while the first time, and nothing waits for them.
function history() {
  if (reading) return;
  $("past").setAttribute("aria-busy", "true");
  reading = ctx.server.get("history").then((found) => {
    reading = null;
    ctx.history = found;
    ctx.stale = false;
    if (found.last === ctx.now.last || !followed()) past();
    if (ctx.tabbed === "charts") sheet();
  }).catch((problem) => { reading = null; trouble(problem); }).finally(() => $("past").removeAttribute("aria-busy"));
}

// Moves that came since are in the position already; false where some are missing, or were undone.
function followed() {
  const moves = ctx.history?.moves, known = moves?.at(-1)?.seq, { log, you, table } = ctx.now;
  if (known === undefined || !log?.some(([seq]) => seq === known)) return false;
  const names = table.players.map((player) => player.name);
  for (const [seq, line] of log) {
    if (seq <= known) continue;
    if (moves.at(-1).seq === seq) { moves.at(-1).lines.push(line); continue; }
    moves.push({ seq, lines: [line], who: names.find((name) => line.startsWith(`${name} `) || line.includes(`(${name})`)) || null });
  }
  ctx.history.mine = you.last_move;
  ctx.stale = ctx.stale || moves.at(-1).seq !== known;
  past();
  return true;
}

function past() {
  ctx.past.fill(ctx.history);
  ctx.log.fill(ctx.history);
  if (!ctx.past.back) ctx.log.at(ctx.history.moves.at(-1)?.seq);
}

// A position on the page: the one of the moment or an earlier one.
function show(shown) {
  ctx.shown = shown;
  step(shown);
  preview(null);
  head(shown);
  sheet();
  ctx.play.draw();
  ctx.play._marks();
  ctx.board.retell();
}

// Whether a proposal waits for this visitor's answer.
function asked() {
  return ctx.now.proposals.some((one) => one.said === null && one.answers.includes("yes"));
}

function head(shown) {
  const { turn, you } = shown;
  document.documentElement.dataset.currency = shown.currency;
  const title = `${shown.title} #${shown.game}${shown.name && shown.name !== shown.title ? ` ${shown.name}` : ""}`;
  document.title = `${you.acting || asked() ? "● " : ""}${title}`;
  $("title").textContent = title;
  $("where").textContent = `${turn.round_name}, phase ${turn.phase}, bank ${turn.bank}`;
  whose();
}

// Who is on turn, and for how long.
function whose() {
  const { turn, clocks = [], held_up: heldUp, over, you } = ctx.shown;
  const left = clocks.map((clock) => `${clock.name} ${clock.stands ? "(clock stopped)" : clock.up_at ? `until ${when(clock.up_at)}` : ""}`.trim());
  $("whose").textContent = over ? "Game over" : heldUp ? "On hold" : ctx.past.back ? "Earlier position" : `${you.acting ? "Your turn" : turn.actor_names.join(", ")}${left.length ? ` · ${left.join(", ")}` : ""}`;
  $("whose").classList.toggle("mine", you.acting && !ctx.past.back);
}

function when(time) {
  const date = new Date(time.endsWith("Z") || time.includes("+") ? time : `${time}Z`), minutes = Math.round((date - Date.now()) / 60_000);
  const rest = minutes < 0 ? "over" : minutes < 90 ? `${minutes} min` : minutes < 2880 ? `${Math.round(minutes / 60)} h` : `${Math.round(minutes / 1440)} days`;
  return `${date.toLocaleString([], { weekday: "short", hour: "2-digit", minute: "2-digit" })} (${rest})`;
}

// Only the sheet that is seen is drawn.
function sheet() {
  const root = $(`panel-${ctx.tabbed}`);
  const drawn = {
    table: () => tables.draw(root, ctx.shown), cards: () => drawCards(root, ctx.shown, ctx.play), trains: () => drawTrains(root, ctx.shown),
    tiles: () => drawTiles(root, ctx.shown), charts: () => charts.draw(root, ctx.history?.charts),
  }[ctx.tabbed];
  if (drawn) keepingFocus(root, drawn);
  $("tab-cards").textContent = ctx.shown.sale?.name || "Privates";
}

// Each step of the game opens its own sheet below the map: cards that are for sale, the market, or the table, which leaves
// most of the room to the map.
function step({ round, sale, over }) {
  const kind = over ? "over" : sale?.seats.length ? "sale" : round;
  if (document.body.dataset.step === kind) return;
  document.body.dataset.step = kind;
  tab({ sale: "cards", stock: "market" }[kind] || "table", true);
}

function tab(name, onlyWide = false) {
  const side = name === "play" || name === "log";
  if (side && !phone.matches) return;
  if (onlyWide && phone.matches) return;
  ctx.tabbed = name;
  document.body.dataset.tab = name;
  for (const [id] of TABS) {
    const here = id === name;
    $(`tab-${id}`).setAttribute("aria-selected", String(here));
    $(`tab-${id}`).tabIndex = here ? 0 : -1;
    const panel = $(`panel-${id}`);
    if (panel) panel.hidden = !here;
  }
  if (ctx.shown) sheet();
  if (name === "charts" && ctx.stale) history();
  if (name === "log") ctx.log.at(ctx.log.current);
}

// Half and half, most for the sheet, or all for the map.
function resized() {
  const sizes = ["", "tall", "low"], { classList } = document.body;
  const now = sizes.find((size) => size && classList.contains(size)) || "";
  const next = sizes[(sizes.indexOf(now) + 1) % sizes.length];
  if (now) classList.remove(now);
  if (next) classList.add(next);
}

function tabs() {
  $("tabs").replaceChildren(...TABS.map(([id, label, onPhone]) => button(label, () => tab(id), {
    id: `tab-${id}`, role: "tab", "aria-controls": onPhone ? id : `panel-${id}`, class: onPhone ? "phone" : false,
  })));
  $("size").addEventListener("click", resized);
  $("tabs").addEventListener("keydown", (event) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const all = [...$("tabs").querySelectorAll("[role=tab]")].filter((node) => node.offsetParent);
    const at = all.indexOf(document.activeElement);
    if (!by || at < 0) return;
    const next = all[(at + by + all.length) % all.length];
    next.focus();
    next.click();
  });
  const fitting = () => tab(phone.matches ? "play" : ["play", "log", undefined].includes(ctx.tabbed) ? "table" : ctx.tabbed);
  phone.addEventListener("change", fitting);
  fitting();
}

// Another map for a look; nothing: that of the position again.
function preview(picture) {
  if (!picture) {
    const { map, market } = (!ctx.past.back && ctx.play.trial?.pictures) || ctx.shown.pictures;
    closeBanner();
    ctx.board.show(map);
    ctx.market.show(market);
    return;
  }
  const text = pictures.read(picture);
  if (text === null) return;
  ctx.board.show(text);
}

function closeBanner() {
  $("banner").hidden = true;
}

// A company's charter, and the best run that was found for it.
function company(view) {
  const letters = view.badge.company;
  const run = view.trains.length ? button("Show its best run on the map", async () => { dialog.close(); await bestRun(view); }) : "";
  const moves = ctx.play.about(letters).map(([label, work]) => button(label, () => { dialog.close(); return work(); }, { class: "wide" }));
  const dialog = h("dialog", { "aria-label": view.name, onclose: () => dialog.remove() }, charter(view, [run, moves]), button("Close", () => dialog.close(), { class: "quiet", autofocus: true }));
  document.body.append(dialog);
  dialog.addEventListener("close", () => document.querySelector(`[data-key="company-${CSS.escape(letters)}"]`)?.focus());
  dialog.showModal();
}

async function bestRun(view) {
  try {
    const found = await ctx.server.get(`routes/${encodeURIComponent(view.badge.company)}`, { theme: ctx.theme(), have: ctx.now.map.id, at: ctx.shown.at });
    preview(found.map);
    $("banner").replaceChildren(badge(view.badge), ` best run ${money(found.total)}${found.proven ? "" : " or more"}: ${found.runs.map((run) => `${run.train} ${run.sum_text}`).join("; ")} `,
      button("Close", () => preview(null)));
    $("banner").hidden = false;
  } catch (problem) {
    trouble(problem);
  }
}

// A line below the board that goes when it was read; as long as it is pointed at, or has the focus, it stays.
function notice(text, kind) {
  const node = h("p", { class: kind }, text, button("×", () => node.remove(), { "aria-label": "Close", class: "close" }));
  let later;
  const stay = () => clearTimeout(later);
  const leave = () => { stay(); later = setTimeout(() => node.remove(), READ + LETTER * text.length); };
  for (const [event, work] of [["pointerenter", stay], ["focusin", stay], ["pointerleave", leave], ["focusout", leave]]) node.addEventListener(event, work);
  leave();
  const all = $("notices");
  all.append(node);
  [...all.querySelectorAll("p:not(#waits)")].slice(0, -SHOWN).forEach((old) => old.remove());
}

function trouble(problem) {
  if (problem instanceof Lost) { connection(false); return; }
  if (!(problem instanceof Refusal)) throw problem;
  if (problem.status === 401) { if (ctx.now) location.reload(); else door(problem); return; }
  notice(problem.message, "trouble");
}

// This browser may not look: why, and how it may.
function door(problem) {
  refill($("banner"), problem.message, " ", problem.login && h("a", { href: problem.login }, "Log in with Discord"));
  $("banner").hidden = false;
  $("line").textContent = "No session";
  $("owner").hidden = true;
  news.stop();
}

// Another process makes the moves of this table: the person sees that theirs is still on its way.
function waits(waiting) {
  if (waiting && !$("waits")) $("notices").append(h("p", { class: "trouble", id: "waits" }, "The bot does not answer yet. The page keeps your move and sends it again…"));
  if (!waiting) $("waits")?.remove();
}

function connection(there) {
  $("line").textContent = there ? "Live" : "Connection lost: trying again…";
  document.body.classList.toggle("lost", !there);
}

// Another version of the page is served: this one goes, unless something was begun here; for each other version once, as
// each of several processes may have another.
function renew(version) {
  const met = window.history.state?.met || [];
  if (version === VERSION) return;
  if (!begun() && !met.includes(version)) {
    window.history.replaceState({ met: [...met, version] }, "");
    location.reload();
  } else if (!$("renew")) {
    $("notices").append(h("p", { class: "trouble", id: "renew" }, "There is a newer version of this page. ", button("Reload", () => location.reload())));
  }
}

// Whether a reload would lose anything.
function begun() {
  return ctx.looksBack() || ctx.play.begun || document.querySelector("dialog[open]") || [...document.querySelectorAll("input:not([type=range])")].some((one) => one.value);
}

function working(busy) {
  if (busy) $("play").setAttribute("aria-busy", "true"); else $("play").removeAttribute("aria-busy");
}

function dress() {
  const theme = ctx.theme();
  document.documentElement.dataset.theme = theme.replace("-large", "");
  document.documentElement.classList.toggle("large", theme.endsWith("-large"));
}

async function restyle() {
  dress();
  ctx.past.forget();
  const { at } = ctx.past;
  news.connect(true);
  await refresh();
  if (at !== null) await ctx.past.go(at);
}

try { look.value = localStorage.getItem("look") || ""; } catch { look.value = ""; }
look.addEventListener("change", () => {
  try { localStorage.setItem("look", look.value); } catch { /* a browser that keeps nothing shows it for this visit */ }
  restyle();
});
dark.addEventListener("change", () => { if (!look.value) restyle(); });
dress();
tabs();
setInterval(() => { if (ctx.shown) whose(); }, TICK);
const news = new News(() => `${ROOT}/events${"DecompressionStream" in window ? `?theme=${streamed = ctx.theme()}` : ""}`, {
  // Also a pause, a name or a substitute is news; what was just read, or is one's own move, is none.
  moved: (seq, first, position) => {
    connection(true);
    const known = seq === ctx.now?.last && (first || (seq === ctx.made && seq !== ctx.told));
    if (refreshing) heard = seq; else if (!known) refresh(null, position.length ? position : null);
    if (seq === ctx.told) again ||= Boolean(refreshing);
    ctx.made = null;
    ctx.told = seq;
  },
  // What cannot be heard may not be this browser's to hear: asking says why.
  lost: (failed) => { connection(false); if (failed === 2) refresh(); },
  alive: (version) => { connection(true); renew(version); if (behind) refresh(); },
  slept: () => { $("line").textContent = "Connecting…"; },
  // Nothing of the game stays on a page without a session; where the browser has another one, that is shown.
  ended: () => location.reload(),
});
refresh();
