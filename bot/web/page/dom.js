// Elements of the page, built without markup: whatever people have written stays text.

// How many paints there are for lines: each is a class in colours.css, `line-0` and so on.
export const LINES = 8;

const SVG = "http://www.w3.org/2000/svg";

// An element with attributes; `on…` are listeners, what is false or missing is left out.
export function h(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

export function s(tag, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), attributes, children);
}

function filled(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "value") node.value = value;
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat(Infinity).filter(there));
  return node;
}

function there(child) {
  return child !== null && child !== undefined && child !== false && child !== "";
}

// Other children instead of those there are.
export function refill(node, ...children) {
  node.replaceChildren(...children.flat(Infinity).filter(there));
}

export function $(id) {
  return document.getElementById(id);
}

// A button; while its work is under way it cannot be pressed again.
export function button(label, work, attributes = {}) {
  const node = h("button", { type: "button", ...attributes }, label);
  node.addEventListener("click", async (event) => {
    if (node.getAttribute("aria-busy")) return;
    node.setAttribute("aria-busy", "true");
    try { await work(event); } finally { node.removeAttribute("aria-busy"); }
  });
  return node;
}

// The sign of the shown game's money, from its position.
export function currency() {
  return document.documentElement.dataset.currency || "$";
}

export function money(amount) {
  return amount === null || amount === undefined ? "secret" : `${currency()}${amount}`;
}

export function plural(count, one, many = `${one}s`) {
  return `${count} ${count === 1 ? one : many}`;
}

// The first of some lines, and how many more the log has.
export function brief(lines) {
  const [first, ...more] = lines.filter(Boolean);
  return more.length ? `${first} (${plural(more.length, "more line")} in the log)` : first || "";
}

// A company's letters in its colours.
export function badge({ company, colour }, attributes = {}) {
  const node = h("span", { class: "badge", ...attributes }, company);
  if (/^#[0-9a-f]{6}$/i.test(colour)) {
    node.style.background = colour;
    node.style.color = ink(colour);
  }
  return node;
}

// Black or white, whichever is easier to read on a colour.
export function ink(colour) {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const part = parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.179 ? "#000" : "#fff";
}

// An SVG that the server has drawn, as an element; scripts in it would not run, and there are none.
export function drawing(text) {
  const root = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  return root.nodeName === "svg" ? document.importNode(root, true) : null;
}

let copies = 0;

// A picture that may be on the page several times: its ids are its own.
export function copy(text) {
  copies += 1;
  return drawing(text.replace(/( id="|href="#|url\(#)/g, `$1copy-${copies}-`));
}

// A small picture of a hex.
export function thumbnail(text, label) {
  const picture = copy(text);
  return picture ? filled(picture, { role: "img", "aria-label": label, class: "thumbnail" }, []) : h("span", {}, label);
}

// What was focused is focused again after a part of the page was drawn anew, found by its data-key.
export function keepingFocus(root, draw) {
  const key = root.contains(document.activeElement) ? document.activeElement.dataset?.key : null;
  draw();
  if (key) root.querySelector(`[data-key="${CSS.escape(key)}"]`)?.focus();
}
