// The greeting with games to begin with, and the strip that plays a recorded game move by move.
import { $, el } from "/text.js";

export function greetNewcomer(ctx, composer, seats) {
  if (localStorage.getItem("greeted") || !ctx.openings.length || document.querySelector("dialog[open]")) return;
  greet(ctx, composer, seats);
}

export function greet(ctx, composer, seats) {
  const box = $("welcome");
  const trouble = el("p", { class: "small", role: "alert" });
  const first = (opening) => async (event) => {
    await ctx.busy(event.currentTarget, () => begin(opening, trouble, ctx, composer, seats));
  };
  box.replaceChildren(
    el("h2", { id: "welcome-title" }, "Welcome to the sandbox"),
    el("p", {}, "A small imitation of Discord on this computer. You play every seat, and nothing is sent to Discord. How do you want to start?"),
    ...ctx.openings.map((opening) => el("button", { type: "button", class: "opening", onclick: first(opening) },
      el("strong", {}, opening.label), el("span", { class: "small" }, opening.text))),
    trouble,
    el("button", { type: "button", class: "mention link", onclick: () => box.close() }, "Just look around"));
  localStorage.setItem("greeted", "yes");
  box.showModal();
}

async function begin(opening, trouble, ctx, composer, seats) {
  if (opening.command) {
    const verb = ctx.commands.find((command) => command.name === opening.command);
    if (!verb) { trouble.textContent = "The bot has no commands yet; try again in a moment."; return; }
    $("welcome").close();
    await ctx.open(ctx.places[0].id);
    composer.choose(verb);
    seats.set(true);
    return;
  }
  const reply = await ctx.ask("begin", { name: opening.name });
  if (reply.problem) { trouble.textContent = reply.problem; return; }
  $("welcome").close();
  await ctx.open(reply.channel);
  seats.set(!opening.watched);
}

// In a channel with a recorded game: how far it is, and buttons for its next moves.
export class Tape {
  constructor(ctx) { this.ctx = ctx; this.timer = 0; }

  ask() {
    clearTimeout(this.timer);
    this.timer = setTimeout(async () => {
      const { channel } = this.ctx;
      const reply = await this.ctx.ask("tape", {});
      if (channel !== this.ctx.channel) return;
      if (reply.problem) setTimeout(() => this.ask(), 1000); else { this.draw(reply.tape); this.drawBoard(reply.board); }
    }, 100);
  }

  drawBoard(there) {
    $("board").hidden = !there;
    $("board").onclick = (event) => this.ctx.busy(event.currentTarget, async () => {
      // A window that is opened later than the press would be kept from opening.
      const page = window.open("about:blank", "_blank");
      const reply = await this.ctx.ask("board", {});
      if (reply.problem) page?.close(); else if (page) page.location = reply.url;
    });
  }

  draw(tape) {
    $("tape").hidden = !tape;
    if (!tape) return;
    const left = tape.moves - tape.made;
    const step = (moves) => (event) => this.ctx.busy(event.currentTarget, async () => { await this.ctx.act("step", { moves }); this.ask(); });
    $("tape").replaceChildren(
      el("span", {}, left ? `Recorded move ${tape.made} of ${tape.moves}` : `All ${tape.moves} recorded moves have been made.`),
      ...(left ? [1, 10].map((moves) => el("button", { type: "button", class: `button ${moves > 1 ? "secondary" : "primary"}`, onclick: step(moves) },
        moves > 1 ? `Next ${moves}` : "Next move")) : []),
      ...(left ? [el("span", { class: "small" }, "Make a move yourself to take over the game.")] : []));
  }
}
