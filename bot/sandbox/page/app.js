// The page: who is playing, which channel is open, and news from the server.
import { Composer } from "/palette.js";
import { menuOptions, messageItem } from "/messages.js";
import { el, formatted } from "/text.js";

const $ = (id) => document.getElementById(id);
const ctx = {
  me: localStorage.getItem("me") || "100000000000000011",
  channel: localStorage.getItem("channel") || "100000000000000001",
  names: new Map(), channels: new Map(), people: [], commands: [], places: [],
  open, act, ask, busy, enlarge, notice,
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
  const reply = await ask(name, body);
  const trouble = reply.problem || reply.failed;
  notice(trouble ? trouble : "");
  if (reply.modal) showForm(reply.modal);
  return reply;
}

function notice(text) {
  $("notice").hidden = !text;
  $("notice").textContent = text;
}

async function busy(node, work) {
  node.classList.add("busy");
  node.setAttribute("aria-busy", "true");
  try { await work(); } finally { node.classList.remove("busy"); node.removeAttribute("aria-busy"); }
}

async function loadState() {
  const state = await request(`/sandbox/state?person=${ctx.me}`);
  if (state.problem) { notice(state.problem); return; }
  ctx.people = state.people;
  ctx.commands = state.commands;
  ctx.places = state.channels;
  ctx.names = new Map([...state.people, state.bot].map((person) => [person.id, person.name]));
  ctx.channels = new Map(state.channels.map((channel) => [channel.id, channel.name]));
  if (!ctx.channels.has(ctx.channel)) ctx.channel = state.channels[0].id;
  drawPeople();
  drawChannels();
}

function drawPeople() {
  const focused = document.activeElement?.closest("#people") !== null;
  $("people").replaceChildren(...ctx.people.map((person) => {
    const current = person.id === ctx.me;
    const badge = person.waiting ? el("span", { class: "badge", "aria-hidden": "true" }, String(person.waiting)) : null;
    const label = `${person.name}${person.waiting ? `, ${person.waiting} waiting` : ""}`;
    return el("button", {
      type: "button", role: "radio", "aria-checked": String(current), "aria-label": label, tabindex: current ? "0" : "-1",
      title: person.waiting ? `${person.waiting} unseen ${person.waiting > 1 ? "pings" : "ping"} for ${person.name}` : `Play as ${person.name}`,
      onclick: () => become(person.id), onkeydown: (event) => movePerson(event, person.id),
    }, person.name, badge);
  }));
  if (focused) $("people").querySelector("[aria-checked=true]").focus();
  const waiting = ctx.people.reduce((sum, person) => sum + person.waiting, 0);
  document.title = `${waiting ? `(${waiting}) ` : ""}${ctx.names.get(ctx.me)} · Sandbox table`;
}

function movePerson(event, id) {
  const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  if (!step) return;
  event.preventDefault();
  const at = ctx.people.findIndex((person) => person.id === id);
  become(ctx.people[(at + step + ctx.people.length) % ctx.people.length].id);
}

function drawChannels() {
  $("channels").replaceChildren(...ctx.places.map((place) => {
    const mark = place.kind === 1 ? "@" : place.parent ? "↳" : "#";
    return el("button", {
      type: "button", class: `${place.parent ? "thread-entry" : ""} ${place.archived ? "archived" : ""}`,
      "aria-current": place.id === ctx.channel ? "page" : null, onclick: () => open(place.id),
    }, `${mark} ${place.name}`, place.waiting ? el("span", { class: "badge" }, String(place.waiting)) : null);
  }));
  const here = ctx.places.find((place) => place.id === ctx.channel);
  $("where").replaceChildren(`${here.kind === 1 ? "@" : "#"} ${here.name}`, el("span", { class: "small" }, here.topic || (here.locked ? "closed" : "")));
}

async function loadMessages(focusOn) {
  const wanted = ctx.channel;
  const found = await request(`/sandbox/messages?person=${ctx.me}&channel=${wanted}`);
  if (wanted !== ctx.channel) return;
  if (found.problem) { notice(found.problem); return; }
  $("messages").replaceChildren(...found.map((message) => messageItem(message, ctx)));
  const target = focusOn && $("messages").querySelector(`[data-id="${focusOn}"]`);
  if (target) { target.scrollIntoView({ block: "center" }); target.focus(); target.classList.add("shown"); }
  else scrollDown(true);
  looked();
}

// Whether the person reads the end of the list; growing content must not change that, only scrolling does.
let atEnd = true;
let seenHeight = 0;
$("messages").addEventListener("scroll", () => {
  const list = $("messages");
  if (list.scrollHeight === seenHeight) atEnd = list.scrollHeight - list.scrollTop - list.clientHeight < 120;
  seenHeight = list.scrollHeight;
});

function scrollDown(always) {
  const list = $("messages");
  if (always) atEnd = true;
  if (atEnd) list.scrollTop = list.scrollHeight;
  seenHeight = list.scrollHeight;
}

// Pictures grow the list after it is drawn; stay at the bottom if one was there.
document.addEventListener("load", (event) => { if (event.target.closest?.("#messages")) scrollDown(false); }, true);

function looked() {
  if (document.visibilityState === "visible") ask("look", {});
}

async function become(id) {
  ctx.me = id;
  localStorage.setItem("me", id);
  composer.clear();
  notice("");
  connect();
  await loadState();
  await loadMessages();
}

async function open(id, message) {
  if (!ctx.channels.has(id)) { notice("That channel is not there for this person."); return; }
  ctx.channel = id;
  localStorage.setItem("channel", id);
  composer.clear();
  document.body.classList.remove("menu-open");
  $("menu").setAttribute("aria-expanded", "false");
  drawChannels();
  await loadMessages(message);
}

function connect() {
  socket?.close();
  const mine = new WebSocket(`ws://${location.host}/sandbox/events?person=${ctx.me}`);
  socket = mine;
  let lost = false;
  mine.onopen = () => { if (mine.wasLost) { loadState(); loadMessages(); } };
  mine.onmessage = (event) => news(JSON.parse(event.data));
  mine.onclose = () => {
    if (socket !== mine || lost) return;
    lost = true;
    notice("The sandbox has stopped; trying again…");
    setTimeout(retry, 1500);
  };
}

async function retry() {
  const state = await request(`/sandbox/state?person=${ctx.me}`);
  if (state.problem) { setTimeout(retry, 1500); return; }
  notice("");
  connect();
  await loadState();
  await loadMessages();
}

function news(change) {
  const { message, channel } = change;
  if (channel) ctx.channels.set(channel.id, channel.name);
  const shown = message && $("messages").querySelector(`[data-id="${message.id}"]`);
  if (message?.channel_id === ctx.channel || shown) showMessage(change.kind, message);
  if (change.kind === "message_update" && !message?.thread) return;
  clearTimeout(redraw);
  redraw = setTimeout(loadState, 60);
}

function showMessage(kind, message) {
  const old = $("messages").querySelector(`[data-id="${message.id}"]`);
  if (kind === "message_delete") { old?.remove(); return; }
  const item = messageItem(message, ctx);
  if (old) { old.replaceWith(item); scrollDown(false); }
  else { $("messages").append(item); scrollDown(message.author.id === ctx.me); }
  if (message.pinged.includes(ctx.me)) looked();
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

function showForm(modal) {
  const form = $("form").querySelector("form");
  const inputs = modal.fields.map((field) => [field, formInput(field)]);
  form.replaceChildren(
    el("h2", { id: "form-title" }, modal.title),
    ...modal.texts.flatMap((text) => formatted(text, ctx)),
    ...inputs.map(([field, input]) => el("label", {}, el("span", {}, `${field.label || field.custom_id}${field.required === false ? "" : " *"}`), input)),
    el("p", { id: "form-trouble", role: "alert" }),
    el("div", { class: "row" },
      el("button", { type: "submit", class: "button primary" }, "Submit"),
      el("button", { type: "button", class: "button secondary", onclick: () => $("form").close() }, "Cancel")));
  form.onsubmit = async (event) => {
    event.preventDefault();
    const values = Object.fromEntries(inputs.map(([field, input]) => [field.custom_id, formValue(field, input)]));
    const reply = await ask("submit", { opened_by: modal.opened_by, values });
    if (reply.problem) { $("form-trouble").textContent = reply.problem; return; }
    $("form").close();
    notice(reply.failed || "");
  };
  $("form").showModal();
  form.querySelector("input, textarea, select")?.focus();
}

function formInput(field) {
  if (field.type === 4) {
    const limits = { maxlength: field.max_length, minlength: field.min_length, placeholder: field.placeholder };
    const input = field.style === 2 ? el("textarea", { rows: "4", ...limits }) : el("input", { type: "text", ...limits });
    input.value = field.value || "";
    return input;
  }
  if (field.type === 23) return el("input", { type: "checkbox", checked: field.default });
  const many = field.type === 22 || (field.max_values ?? 1) > 1;
  return el("select", { multiple: many }, ...menuOptions({ ...field, type: field.type > 8 ? 3 : field.type }, ctx));
}

function formValue(field, input) {
  if (field.type === 23) return input.checked;
  if (field.type === 4 || field.type === 21) return input.value;
  return [...input.selectedOptions].map((option) => option.value);
}

$("menu").addEventListener("click", () => {
  const shown = document.body.classList.toggle("menu-open");
  $("menu").setAttribute("aria-expanded", String(shown));
});
document.addEventListener("visibilitychange", looked);

const composer = new Composer(ctx);
connect();
await loadState();
await loadMessages();
