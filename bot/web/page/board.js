// The page: one table, as it stands or stood, and what its visitor may decide.
import { openCompany } from "./company.js";
import { Decisions } from "./decisions.js";
import { $, dress, say } from "./dom.js";
import { Log } from "./log.js";
import { Board } from "./map.js";
import { Market } from "./market.js";
import { Past } from "./past_and_compare.js";
import { Plan } from "./plan.js";
import { closedDoor, connection, notice, renew, tellTrouble, waits } from "./notices.js";
import { News, Pictures, Refusal, Server, readPosition, unpacked, withPictures } from "./server.js";
import { Owner } from "./sessions.js";
import { turnWords } from "./turn_words.js";
import { SheetTabs } from "./sheet_tabs.js";

const ROOT = /\/board\/\d+(?:~\w+)?/.exec(location.pathname)?.[0] ?? "";
const FINAL = [401, 403, 404, 422];
const TICK = 30_000;

const dark = matchMedia("(prefers-color-scheme: dark)");
const pictures = new Pictures();
const look = /** @type {HTMLSelectElement} */ ($("look"));
let streamed = ""; // the theme of the positions that come with news
/** @type {Promise<void> | null} */
let reading = null;
/** @type {Promise<void> | null} */
let refreshing = null;
let behind = false;
let again = false;
/** @type {number | null} */
let heard = null;

/**
 * A position with the lines of its pictures, and the theme of these.
 * @typedef {Answer.Position & { pictures: { map: string[], market: string[] }, look: string }} Shown
 */

/** What the parts of the page share. */
export class Context {
  server = new Server(ROOT, waits);
  /** The position at the moment. @type {Shown} */
  now = /** @type {any} */ (null);
  /** The position on the page. @type {Shown} */
  shown = /** @type {any} */ (null);
  /** @type {Answer.History | null} */
  history = null;
  stale = false; // the charts lack the latest moves
  /** The last move that was made here. @type {number | null} */
  made = null;
  /** The last move that was heard of. @type {number | null} */
  told = null;
  notice = notice;
  trouble = trouble;
  asked = asked;
  refresh = refresh;
  preview = preview;
  position = position;
  show = show;
  board = new Board(this);
  market = new Market(this, $("panel-market"));
  past = new Past(this, $("past"));
  log = new Log(this, $("log"));
  play = new Decisions(this, $("play"));
  plan = new Plan(this, $("panel-plan"));
  tabs = new SheetTabs(this);

  at() {
    return this.past.at;
  }

  looksBack() {
    return this.past.back;
  }

  theme() {
    return look.value || (dark.matches ? "dark" : "ours");
  }

  looks() {
    return { theme: this.theme(), map_id: this.now.map.id, market_id: this.now.market.id };
  }

  chosen(coord, stop) {
    return this.plan.open ? this.plan.hex(coord) : this.play.hex(coord, stop);
  }

  /** The lines of a picture that the server sent.
   * @param {Answer.Picture} picture
   */
  lines(picture) {
    return pictures.read(picture);
  }

  read(both) {
    return pictures.both(both);
  }

  tab(name, onlyWide = false) {
    this.tabs.open(name, onlyWide);
  }

  sheet() {
    this.tabs.draw();
  }

  opened(name) {
    if (name === "charts" && this.stale) history();
    if (name === "log") this.log.at(this.log.current);
    this.plan.turn(name === "plan" && this.shown !== null);
  }

  /** @param {Answer.CompanyView} view */
  company(view) {
    openCompany(this, view);
  }

  working(busy) {
    if (busy) $("play").setAttribute("aria-busy", "true");
    else $("play").removeAttribute("aria-busy");
  }
}

const ctx = new Context();
const owner = new Owner(ctx, $("owner"));

// A position with its pictures; what the page has already is not sent again.
function position(at = null, signal = undefined) {
  const theme = ctx.theme();
  const seen = ctx.now?.look === theme ? ctx.now : null;
  return readPosition(ctx.server, pictures, { at, theme, seen }, signal);
}

// The position that came with news; null where the page lacks what its pictures are made from, or shows
// another theme.
async function sentPosition(sent) {
  const theme = ctx.theme();
  const found = withPictures(pictures, await unpacked(sent), theme);
  return theme === streamed ? found : null;
}

// The table as it is now, which may have been sent; news that comes meanwhile asks once more.
/**
 * @param {number | null} seq
 * @param {string[] | null} sent
 */
function refresh(seq = null, sent = null) {
  if (refreshing) {
    again ||= seq === null;
    heard = seq ?? heard;
    return refreshing;
  }
  if (seq !== null && seq === ctx.now?.last_seq) return Promise.resolve();
  refreshing = (async () => {
    try {
      do {
        again = false;
        await refreshed(sent);
        sent = null;
        if (heard !== null && heard !== ctx.now.last_seq) again = true;
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
  const before = ctx.now?.last_seq;
  ctx.now = (sent && (await sentPosition(sent))) ?? (await position());
  ctx.server.session = ctx.now.you.session_id;
  owner.draw(ctx.now.you);
  if (!ctx.past.back) show(ctx.now);
  if (!followed()) history();
  await ctx.play.load();
  if (before !== undefined && before !== ctx.now.last_seq && ctx.past.back)
    notice("The game has moved on.", "done");
}

// All moves, and the charts: they may take a while the first time, and nothing waits for them.
function history() {
  if (reading) return;
  $("past").setAttribute("aria-busy", "true");
  reading = ctx.server
    .get("history")
    .then((found) => {
      reading = null;
      ctx.history = found;
      ctx.stale = false;
      if (found.last_seq === ctx.now.last_seq || !followed()) past(found);
      if (ctx.tabs.name === "charts") ctx.sheet();
    })
    .catch((problem) => {
      reading = null;
      trouble(problem);
    })
    .finally(() => $("past").removeAttribute("aria-busy"));
}

// Moves that came since are in the position already; false where some are missing, or were undone.
function followed() {
  const known = ctx.history?.moves.at(-1);
  const { log, you, table } = ctx.now;
  if (!ctx.history || !known || !log?.some(([seq]) => seq === known.seq)) return false;
  const names = table.players.map((player) => player.name);
  let last = known;
  for (const [seq, line] of log) {
    if (seq <= known.seq) continue;
    if (last.seq === seq) {
      last.lines.push(line);
      continue;
    }
    const who = names.find((name) => line.startsWith(`${name} `) || line.includes(`(${name})`)) || null;
    last = { seq, lines: [line], player: null, player_name: who };
    ctx.history.moves.push(last);
  }
  ctx.history.own_last_seq = you.own_last_seq;
  ctx.stale = ctx.stale || last !== known;
  past(ctx.history);
  return true;
}

/** @param {Answer.History} found */
function past(found) {
  ctx.past.fill(found);
  ctx.log.fill(found);
  if (!ctx.past.back) ctx.log.at(found.moves.at(-1)?.seq);
}

// A position on the page: the one of the moment or an earlier one.
function show(shown) {
  ctx.shown = shown;
  ctx.tabs.follow(shown);
  preview(null);
  head(shown);
  ctx.sheet();
  ctx.play.pane.draw();
  ctx.play.mark();
  ctx.plan.follow();
  ctx.board.retell();
}

// Whether a proposal waits for this visitor's answer.
function asked() {
  return ctx.now.proposals.some((one) => one.own_vote === null && one.possible_answers.includes("yes"));
}

function head(shown) {
  const { turn, you } = shown;
  document.documentElement.dataset.currency = shown.currency;
  const name = shown.name && shown.name !== shown.title ? ` ${shown.name}` : "";
  const title = `${shown.title} #${shown.game_id}${name}`;
  document.title = `${you.is_acting || asked() ? "● " : ""}${title}`;
  say($("title"), title);
  say($("where"), `${turn.round_name}, phase ${turn.phase}, bank ${turn.bank}`);
  whose();
}

// Who is on turn, and for how long.
function whose() {
  const back = ctx.looksBack();
  say($("whose"), turnWords(ctx.shown, back, Date.now()));
  $("whose").classList.toggle("mine", ctx.shown.you.is_acting && !back);
}

// Another map for a look; nothing, or with a plan: that of the plan or the position again.
function preview(picture) {
  if (!picture || ctx.plan.open) {
    const { map, market } = (!ctx.past.back && ctx.play.trial?.pictures) || ctx.shown.pictures;
    $("banner").hidden = true;
    ctx.board.show(ctx.plan.lines ?? map);
    ctx.market.show(market);
    return;
  }
  const lines = pictures.read(picture);
  if (lines) ctx.board.show(lines);
}

function trouble(problem) {
  tellTrouble(problem, (refusal) => {
    if (ctx.now) {
      location.reload();
      return;
    }
    closedDoor(refusal);
    news.stop();
  });
}

// Whether a reload would lose anything.
function begun() {
  const typed = [...document.querySelectorAll("input")].some((one) => one.type !== "range" && one.value);
  return ctx.looksBack() || ctx.play.begun || typed || document.querySelector("dialog[open]") !== null;
}

async function restyle() {
  dress(ctx.theme());
  ctx.past.forget();
  const { at } = ctx.past;
  news.connect(true);
  await refresh();
  if (at !== null) await ctx.past.go(at);
}

try {
  look.value = localStorage.getItem("look") || "";
} catch {
  look.value = "";
}
look.addEventListener("change", () => {
  try {
    localStorage.setItem("look", look.value);
  } catch {
    /* a browser that keeps nothing shows it for this visit */
  }
  restyle();
});
dark.addEventListener("change", () => {
  if (!look.value) restyle();
});
dress(ctx.theme());
setInterval(() => {
  if (ctx.shown) whose();
}, TICK);
const news = new News(
  () => `${ROOT}/events${"DecompressionStream" in window ? `?theme=${(streamed = ctx.theme())}` : ""}`,
  {
    // Also a pause, a name or a substitute is news; what was just read, or is one's own move, is none.
    moved: (seq, first, sent) => {
      connection(true);
      const known = seq === ctx.now?.last_seq && (first || (seq === ctx.made && seq !== ctx.told));
      if (refreshing) heard = seq;
      else if (!known) refresh(null, sent.length ? sent : null);
      if (seq === ctx.told) again ||= Boolean(refreshing);
      ctx.made = null;
      ctx.told = seq;
    },
    // What cannot be heard may not be this browser's to hear: asking says why.
    lost: (failed) => {
      connection(false);
      if (failed === 2) refresh();
    },
    alive: (version) => {
      connection(true);
      renew(version, begun);
      if (behind) refresh();
    },
    slept: () => {
      $("line").textContent = "Connecting…";
    },
    // Nothing of the game stays on a page without a session; where the browser has another one, that is
    // shown.
    ended: () => location.reload(),
  },
);
refresh();
