// The line at the bottom: plain messages, the / palette, options of a command with live suggestions.
import { $, el } from "/text.js";

const TYPES = { STRING: 3, INTEGER: 4, BOOLEAN: 5, USER: 6, CHANNEL: 7, NUMBER: 10, FILE: 11 };

// A list under the keyboard: arrows move, Enter takes, Escape puts away.
class Listbox {
  constructor(node) { this.node = node; this.entries = []; this.at = -1; }
  get open() { return !this.node.hidden && this.entries.length > 0; }
  show(entries, at = 0) {
    this.entries = entries;
    this.node.replaceChildren(...entries.map((entry, index) => el("div", {
      role: "option", id: `option-${index}`, onmousedown: (event) => { event.preventDefault(); entry.take(); },
    }, el("span", {}, entry.label), entry.hint ? el("span", { class: "small" }, entry.hint) : null)));
    this.node.hidden = entries.length === 0;
    this.mark(Math.min(at, entries.length - 1));
  }
  say(text) { this.entries = []; this.node.replaceChildren(el("p", { class: "small" }, text)); this.node.hidden = false; }
  hide() { this.entries = []; this.node.hidden = true; document.activeElement?.removeAttribute("aria-activedescendant"); }
  mark(index) {
    this.at = index;
    [...this.node.children].forEach((child, i) => child.setAttribute("aria-selected", String(i === index)));
    const child = this.node.children[index];
    if (child && this.entries.length) {
      child.scrollIntoView({ block: "nearest" });
      document.activeElement?.setAttribute("aria-activedescendant", child.id);
    }
  }
  key(event) {
    if (!this.open) return false;
    if (event.key === "ArrowDown") this.mark((this.at + 1) % this.entries.length);
    else if (event.key === "ArrowUp") this.mark((this.at + this.entries.length - 1) % this.entries.length);
    else if ((event.key === "Enter" || event.key === "Tab") && this.at >= 0 && !event.shiftKey) this.entries[this.at].take();
    else if (event.key === "Escape") this.hide();
    else return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  }
}

export class Composer {
  constructor(ctx) {
    this.ctx = ctx;
    this.list = new Listbox($("palette"));
    this.verb = null;
    this.fields = new Map();
    this.asked = 0;
    this.drafts = new Map();
    $("line").addEventListener("input", () => this.filter());
    $("line").addEventListener("keydown", (event) => this.list.key(event));
    $("line").addEventListener("blur", () => this.list.hide());
    $("line").addEventListener("focus", () => this.filter());
    $("composer").addEventListener("submit", (event) => { event.preventDefault(); this.submit(); });
    $("composer").addEventListener("keydown", (event) => {
      if (event.key === "Escape" && this.verb) { this.clear(); $("line").focus(); }
    });
    document.addEventListener("keydown", (event) => {
      const typing = event.target.closest("input, select, textarea, dialog");
      if (event.key === "/" && !typing) { event.preventDefault(); this.clear(); $("line").value = "/"; $("line").focus(); this.filter(); }
    });
  }

  // Whether somebody is in the middle of writing.
  get occupied() { return this.verb !== null || $("line").value !== ""; }

  // What was begun in a channel is there again when one comes back to it.
  move(from, to) {
    this.drafts.set(from, this.verb ? "" : $("line").value);
    this.clear();
    $("line").value = this.drafts.get(to) || "";
  }

  // Another person has other commands; plain text stays.
  drop() {
    if (this.verb) this.clear();
  }

  filter() {
    const text = $("line").value;
    if (!text.startsWith("/")) { this.list.hide(); return; }
    const wanted = text.slice(1).trimStart().toLowerCase();
    const where = this.ctx.places.find((place) => place.id === this.ctx.channel)?.kind === 1 ? "direct" : "guild";
    const verbs = this.ctx.commands.filter((verb) => verb[where]).filter((verb) => verb.name.includes(wanted) || wanted.startsWith(`${verb.name} `));
    verbs.sort((a, b) => Number(b.name.startsWith(wanted)) - Number(a.name.startsWith(wanted)));
    if (!verbs.length) { this.list.say(this.ctx.commands.length ? "No such command" : "The bot has no commands yet"); return; }
    this.list.show(verbs.map((verb) => ({ label: `/${verb.name}`, hint: verb.description, take: () => this.choose(verb) })));
  }

  choose(verb) {
    this.list.hide();
    this.verb = verb;
    this.fields.clear();
    const box = $("command");
    const rest = el("span", { class: "rest" });
    box.replaceChildren(el("strong", {}, `/${verb.name}`), el("span", { class: "small" }, verb.description));
    for (const option of verb.options) {
      if (option.required) box.append(this.field(option));
      else rest.append(this.more(option));
    }
    box.append(rest, el("button", { type: "button", class: "mention link", onclick: () => { this.clear(); $("line").focus(); } }, "Cancel"));
    box.hidden = false;
    $("line").value = "";
    $("line").parentElement.classList.add("commanding");
    const first = box.querySelector("input, select") || $("send");
    first.focus();
  }

  more(option) {
    const chip = el("button", { type: "button", class: "chip", title: option.description }, `+ ${option.name}`);
    chip.addEventListener("click", () => {
      const field = this.field(option);
      chip.parentElement.before(field);
      chip.remove();
      field.querySelector("input, select").focus();
    });
    return chip;
  }

  field(option) {
    const input = this.input(option);
    input.id = `option-${option.name}`;
    this.fields.set(option.name, { option, input });
    const hint = option.required ? option.name : `${option.name} (optional)`;
    return el("label", { class: "field", title: option.description, for: input.id }, el("span", {}, hint), input);
  }

  input(option) {
    const pick = (entries) => el("select", {}, el("option", { value: "" }, "—"), ...entries.map(([value, name]) => el("option", { value }, name)));
    if (option.choices?.length) return pick(option.choices.map((c) => [c.value, c.name]));
    if (option.type === TYPES.BOOLEAN) return pick([["true", "True"], ["false", "False"]]);
    if (option.type === TYPES.USER) return pick(this.ctx.people.map((p) => [p.id, p.name]));
    if (option.type === TYPES.CHANNEL) return pick([...this.ctx.channels]);
    if (option.type === TYPES.FILE) return el("input", { type: "file" });
    const input = el("input", { type: "text", placeholder: option.description, autocomplete: "off", "aria-controls": "palette" });
    if (option.autocomplete) this.suggest(option, input);
    return input;
  }

  suggest(option, input) {
    let timer = 0;
    const ask = () => { clearTimeout(timer); timer = setTimeout(() => this.complete(option, input), 120); };
    input.setAttribute("aria-autocomplete", "list");
    input.addEventListener("input", () => { delete input.dataset.value; ask(); });
    input.addEventListener("focus", ask);
    input.addEventListener("blur", () => { clearTimeout(timer); this.asked += 1; this.list.hide(); });
    input.addEventListener("keydown", (event) => this.list.key(event));
  }

  async complete(option, input) {
    const ticket = ++this.asked;
    const values = { ...(await this.values(option.name)), [option.name]: input.value };
    const reply = await this.ctx.ask("complete", { command: this.verb.name, focused: option.name, values });
    if (ticket !== this.asked || document.activeElement !== input) return;
    if (!reply.choices?.length) { this.list.say(reply.problem || "No suggestions"); return; }
    this.list.show(reply.choices.map((choice) => ({ label: choice.name, take: () => this.take(input, choice) })), input.value ? 0 : -1);
  }

  take(input, choice) {
    input.value = choice.name;
    input.dataset.value = choice.value;
    this.asked += 1;
    this.list.hide();
    const inputs = [...$("command").querySelectorAll("input, select")];
    const next = inputs.slice(inputs.indexOf(input) + 1).find((node) => !node.value);
    (next || $("send")).focus();
  }

  async values(except) {
    const values = {};
    for (const [name, { input }] of this.fields) {
      if (name === except) continue;
      if (input.type === "file") { if (input.files[0]) values[name] = await packed(input.files[0]); continue; }
      const value = input.dataset.value ?? input.value;
      if (value !== "") values[name] = value;
    }
    return values;
  }

  async submit() {
    this.list.hide();
    if (this.verb) {
      const missing = [...this.fields.values()].find(({ option, input }) => option.required && !input.value);
      if (missing) { missing.input.focus(); this.ctx.notice(`${missing.option.name} is required.`); return; }
      const sent = { command: this.verb.name, values: await this.values() };
      await this.ctx.busy($("send"), async () => {
        const reply = await this.ctx.act("slash", sent);
        if (!reply.problem && !reply.failed) { this.clear(); $("line").focus(); }
      });
      return;
    }
    const text = $("line").value.trim();
    if (!text || text.startsWith("/")) { this.filter(); return; }
    await this.ctx.busy($("send"), async () => {
      const reply = await this.ctx.act("say", { text });
      if (!reply.problem && $("line").value.trim() === text) $("line").value = "";
    });
  }

  clear() {
    this.verb = null;
    this.asked += 1;
    this.fields.clear();
    this.list.hide();
    $("command").hidden = true;
    $("command").replaceChildren();
    $("line").value = "";
    $("line").parentElement.classList.remove("commanding");
  }
}

async function packed(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return { name: file.name, base64: btoa(text) };
}
