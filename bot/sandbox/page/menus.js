// A select menu: closed it shows what is chosen, open a list with a line of explanation below each entry.
import { el } from "/text.js";

export function menuOptions(data) {
  return data.options.map((option) => ({
    value: option.value, label: [option.emoji?.name, option.label].filter(Boolean).join(" "), hint: option.description, chosen: option.default,
  }));
}

export function menu(data, ctx, send) {
  const options = menuOptions(data);
  const many = (data.max_values ?? 1) > 1 || data.min_values === 0;
  const chosen = options.filter((option) => option.chosen).map((option) => option.label).join(", ");
  const list = el("div", { class: "entries", role: "listbox", "aria-multiselectable": many ? "true" : null, hidden: true });
  const head = el("button", {
    type: "button", class: `closed ${chosen ? "" : "empty"}`, "aria-haspopup": "listbox", "aria-expanded": "false", disabled: data.disabled,
    onclick: () => show(list.hidden),
  }, el("span", {}, chosen || data.placeholder || "Make a selection"), el("span", { "aria-hidden": "true" }, "▾"));
  const box = el("div", { class: "menu", onkeydown: (event) => keys(event, list, show) }, head, list);
  function show(open) {
    list.hidden = !open;
    head.setAttribute("aria-expanded", String(open));
    if (!open) return;
    list.querySelector("[aria-selected=true], button")?.focus({ preventScroll: true });
    box.scrollIntoView({ block: "nearest" });
  }
  const chosenNow = () => [...list.querySelectorAll("[role=option][aria-selected=true]")].map((node) => node.dataset.value);
  const done = (values) => { show(false); ctx.busy(head, () => send(values)); };
  list.append(...options.map((option) => entry(option, many, (node) => {
    if (many) node.setAttribute("aria-selected", String(node.getAttribute("aria-selected") !== "true"));
    else done([option.value]);
  })));
  // A menu of several, or one that may stay empty, needs a way to say that this is all.
  if (many) list.append(el("button", { type: "button", class: "button primary", onclick: () => done(chosenNow()) }, "Choose"));
  return box;
}

function entry(option, many, take) {
  const node = el("button", { type: "button", role: "option", class: many ? "entry many" : "entry", "data-value": option.value, "aria-selected": String(Boolean(option.chosen)) },
    el("span", {}, option.label), option.hint ? el("span", { class: "small" }, option.hint) : null);
  node.addEventListener("click", () => take(node));
  return node;
}

function keys(event, list, show) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (event.key === "Escape" && !list.hidden) { show(false); event.preventDefault(); return; }
  if (!step || list.hidden) return;
  event.preventDefault();
  const entries = [...list.children];
  entries[(entries.indexOf(document.activeElement) + step + entries.length) % entries.length].focus();
}
