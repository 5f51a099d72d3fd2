// The page: which channel is open, what is asked of the server, and news from it.
import { Feed } from "/feed.js";
import { showForm } from "/forms.js";
import { Composer } from "/palette.js";
import { Seats } from "/seats.js";
import { $, el } from "/text.js";
import { Tape, greet, greetNewcomer } from "/welcome.js";

// A tab keeps its own seat and channel; a new one begins where the last one was.
const kept = {
  get: (key) => sessionStorage.getItem(key) ?? localStorage.getItem(key),
  set: (key, value) => { sessionStorage.setItem(key, value); localStorage.setItem(key, value); },
};
const ctx = {
  me: kept.get("me") || "100000000000000011",
  channel: kept.get("channel") || "100000000000000001",
  names: new Map(), channels: new Map(), people: [], commands: [], places: [], openings: [],
  open, act, ask, request, become, busy, enlarge, notice,
};
let socket = null;
let redraw = 0;

async function request(path, body) {
  const options = body === undefined ? {} : { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
  try {
    const reply = await fetch(path, options);
    return await reply.json();
  } catch {
    return { problem: "The sandbox does not answer. Is it still running?" };
  }
}

// Ask without showing a problem.
function ask(act, body) {
  return request(`/sandbox/act/${act}?person=${ctx.me}`, { channel: ctx.channel, ...body });
}

// Do something as the current person; problems and forms are shown.
async function act(name, body) {
  const asked = ctx.me;
  const reply = await ask(name, body);
  notice(reply.problem || reply.failed || "");
  feed.acted();
  if (reply.modal && asked === ctx.me) showForm(reply.modal, ctx);
  return reply;
}

function notice(text) {
  $("notice").hidden = !text;
  $("notice").textContent = text;
}

async function busy(node, work) {
  if (node.classList.contains("busy")) return;
  node.classList.add("busy");
  node.setAttribute("aria-busy", "true");
  try { await work(); } finally { node.classList.remove("busy"); node.removeAttribute("aria-busy"); }
}

async function loadState() {
  const asked = ctx.me;
  const state = await request(`/sandbox/state?person=${asked}`);
  if (asked !== ctx.me) return;
  if (state.problem) { notice(state.problem); return; }
  ctx.people = state.people;
  ctx.commands = state.commands;
  ctx.places = state.channels;
  ctx.openings = state.openings;
  ctx.names = new Map([...state.people, state.bot].map((person) => [person.id, person.name]));
  ctx.channels = new Map(state.channels.map((channel) => [channel.id, channel.name]));
  if (!ctx.channels.has(ctx.channel)) ctx.channel = state.channels[0].id;
  $("games").hidden = !ctx.openings.length;
  seats.draw();
  drawChannels();
  if (!state.shown) greetNewcomer(ctx, composer, seats);
  else if (openShown(state.shown)) await open(state.shown);
}

// Whether a game is to be shown that this page has not opened yet.
function openShown(id) {
  if (!ctx.channels.has(id) || localStorage.getItem("shown") === id) return false;
  localStorage.setItem("shown", id);
  $("welcome").close();
  return true;
}

function drawChannels() {
  $("channels").replaceChildren(...ctx.places.map((place) => {
    const mark = place.kind === 1 ? "@" : place.parent ? "↳" : "#";
    const unread = place.id !== ctx.channel && feed.unread(place);
    return el("button", {
      type: "button", class: `${place.parent ? "thread-entry" : ""} ${place.archived ? "archived" : ""} ${unread ? "unread" : ""}`,
      "aria-current": place.id === ctx.channel ? "page" : null, onclick: () => open(place.id),
    }, el("span", {}, `${mark} ${place.name}`), place.waiting ? el("span", { class: "badge" }, String(place.waiting)) : null);
  }));
  const here = ctx.places.find((place) => place.id === ctx.channel);
  const elsewhere = ctx.places.filter((place) => place.id !== ctx.channel).reduce((sum, place) => sum + place.waiting, 0);
  $("where").textContent = `${here.kind === 1 ? "@" : "#"} ${here.name}`;
  $("topic").textContent = here.topic || (here.locked ? "closed" : "");
  $("pinned").hidden = !here.pins;
  $("pinned").textContent = `Pinned (${here.pins})`;
  $("menu").replaceChildren("☰", ...(elsewhere ? [el("span", { class: "badge" }, String(elsewhere))] : []));
}

async function become(id) {
  ctx.me = id;
  kept.set("me", id);
  composer.drop();
  notice("");
  await connect();
  await loadState();
  await feed.load();
}

async function open(id, message) {
  const known = () => ctx.places.some((place) => place.id === id);
  if (!known()) await loadState();
  if (!known()) { notice("This player cannot see that channel."); return; }
  if (id !== ctx.channel) composer.move(ctx.channel, id);
  ctx.channel = id;
  kept.set("channel", id);
  showMenu(false);
  drawChannels();
  await feed.load(message);
  tape.ask();
}

// Until news come: what is asked for afterwards lacks none of them.
function connect() {
  socket?.close();
  const mine = new WebSocket(`ws://${location.host}/sandbox/events?person=${ctx.me}`);
  socket = mine;
  mine.onmessage = (event) => news(JSON.parse(event.data));
  mine.onclose = () => {
    if (socket !== mine) return;
    socket = null;
    notice("The sandbox has stopped; trying again…");
    setTimeout(retry, 1500);
  };
  return new Promise((done) => { for (const end of ["open", "error"]) mine.addEventListener(end, done); });
}

async function retry() {
  const state = await request(`/sandbox/state?person=${ctx.me}`);
  if (state.problem) { setTimeout(retry, 1500); return; }
  notice("");
  await connect();
  await loadState();
  await feed.load();
  tape.ask();
}

function news(change) {
  const { message, channel } = change;
  if (channel) ctx.channels.set(channel.id, channel.name);
  if (message) feed.take(change.kind, message);
  if (change.kind === "message_create" && message) seats.follow(message);
  if (message?.channel_id === ctx.channel) tape.ask();
  if (change.kind === "message_update" && !message?.thread && !message?.pinged.length) return;
  clearTimeout(redraw);
  redraw = setTimeout(loadState, 60);
}

function enlarge(url, alt) {
  const image = $("lightbox").querySelector("img");
  image.src = url;
  image.alt = alt || "";
  image.classList.remove("full");
  $("lightbox").showModal();
}

$("lightbox").addEventListener("click", (event) => {
  if (event.target.tagName === "IMG") event.target.classList.toggle("full");
  else if (event.target === $("lightbox")) $("lightbox").close();
});

function showMenu(shown) {
  document.body.classList.toggle("menu-open", shown);
  $("menu").setAttribute("aria-expanded", String(shown));
}

$("menu").addEventListener("click", () => showMenu(!document.body.classList.contains("menu-open")));
$("games").addEventListener("click", () => greet(ctx, composer, seats));

const feed = new Feed(ctx);
const composer = new Composer(ctx);
const seats = new Seats(ctx, composer);
const tape = new Tape(ctx);
await connect();
await loadState();
await feed.load();
tape.ask();
seats.catchUp();
