// Who is playing: the people at the top, who is pinged, and following the turn.
import { $, el } from "/text.js";

const SOON_MS = 250;

export class Seats {
  constructor(ctx, composer) {
    this.ctx = ctx;
    this.composer = composer;
    this.following = sessionStorage.getItem("follow") === "on";
    this.where = new Map();
    $("follow").addEventListener("click", () => this.set(!this.following));
  }

  set(following) {
    this.following = following;
    sessionStorage.setItem("follow", following ? "on" : "off");
    this.draw();
    if (following) this.catchUp();
  }

  draw() {
    const { ctx } = this;
    const focused = document.activeElement?.closest("#people") !== null;
    $("people").replaceChildren(...ctx.people.map((person) => this.button(person)));
    if (focused) $("people").querySelector("[aria-checked=true]").focus();
    $("follow").setAttribute("aria-checked", String(this.following));
    const waiting = ctx.people.reduce((sum, person) => sum + person.waiting, 0);
    document.title = `${waiting ? `(${waiting}) ` : ""}${ctx.names.get(ctx.me)} · Sandbox table`;
    this.drawCalled();
  }

  button(person) {
    const current = person.id === this.ctx.me;
    const badge = person.waiting ? el("span", { class: "badge", "aria-hidden": "true" }, String(person.waiting)) : null;
    return el("button", {
      type: "button", role: "radio", "aria-checked": String(current), tabindex: current ? "0" : "-1",
      "aria-label": `${person.name}${person.waiting ? `, ${person.waiting} waiting` : ""}`,
      title: person.waiting ? `${person.waiting} unseen ${person.waiting > 1 ? "pings" : "ping"} for ${person.name}` : `Play as ${person.name}`,
      onclick: () => this.ctx.become(person.id), onkeydown: (event) => this.move(event, person.id),
    }, person.name, badge);
  }

  move(event, id) {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const { people } = this.ctx;
    const at = people.findIndex((person) => person.id === id);
    this.ctx.become(people[(at + step + people.length) % people.length].id);
  }

  pinged() {
    const waiting = this.ctx.people.filter((person) => person.pinged.length);
    return waiting.some((person) => person.id === this.ctx.me) ? null : waiting[0] || null;
  }

  // Right above the line for typing, always in the same place: who is pinged, and one press to be them.
  drawCalled() {
    const person = this.pinged();
    // Whoever only watches a recorded game is nobody of those who are pinged.
    const watching = !this.following && !$("tape").hidden;
    $("pinged").hidden = !person || watching;
    if (!person) return;
    const press = (follow) => () => { if (follow) this.set(true); else this.go(person.id); };
    $("pinged").replaceChildren(
      el("span", {}, `${person.name} is pinged.`),
      el("button", { type: "button", class: "button primary", onclick: press(false) }, `Play as ${person.name}`),
      ...(this.following ? [] : [el("button", { type: "button", class: "button secondary", onclick: press(true) }, "Always follow the turn")]));
  }

  // A message that pings somebody is where they are wanted.
  follow(message) {
    if (!message.pinged.length) return;
    for (const id of message.pinged) this.where.set(id, message.channel_id);
    const id = message.pinged.includes(this.ctx.me) ? this.ctx.me : message.pinged[0];
    this.followSoon(id);
  }

  // An answer that is under way is for whoever asked: it is waited for.
  followSoon(id) {
    setTimeout(() => {
      if (!this.following || !this.near(this.where.get(id))) return;
      if (document.querySelector("[aria-busy]")) this.followSoon(id);
      else this.go(id, true);
    }, SOON_MS);
  }

  catchUp() {
    if (!this.following) return;
    const pinged = this.ctx.people.filter((person) => person.pinged.some((channel) => this.near(channel)));
    if (pinged.length && !pinged.some((person) => person.id === this.ctx.me)) this.go(pinged[0].id, true);
  }

  // The turn of the table one looks at is followed, or of those that begin in this channel; not to another table.
  near(wanted) {
    const find = (channel) => this.ctx.places.find((place) => place.id === channel);
    if (wanted === this.ctx.channel) return true;
    return !find(this.ctx.channel)?.parent && (find(wanted)?.parent ?? this.ctx.channel) === this.ctx.channel;
  }

  // Somebody who is in the middle of something is not taken away from it.
  async go(id, unasked = false) {
    if (unasked && (this.composer.occupied || document.querySelector("dialog[open]"))) return;
    if (id !== this.ctx.me) await this.ctx.become(id);
    const pinged = this.ctx.people.find((person) => person.id === id)?.pinged || [];
    const wanted = pinged.find((channel) => this.near(channel)) || this.where.get(id) || this.ctx.places.find((place) => place.waiting)?.id;
    if (wanted && wanted !== this.ctx.channel) await this.ctx.open(wanted);
  }
}
