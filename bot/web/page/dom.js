// Elements of the page, built without markup: whatever people have written stays text.

// How many paints there are for lines: each is a class in colours.css, `line-0` and so on.
export const LINES = 8;

const SVG = "http://www.w3.org/2000/svg";

/** An element that the shell has, by its id.
 * @param {string} id
 */
export function $(id) {
  return /** @type {HTMLElement} */ (document.getElementById(id));
}

/** The first element of a part of the page that a selector names.
 * @param {ParentNode} root
 * @param {string} selector
 * @returns {HTMLElement | null}
 */
export function find(root, selector) {
  return root.querySelector(selector);
}

/** The focus goes to the first thing to decide, without scrolling; to the part itself where there is none.
 * @param {HTMLElement} root
 */
export function focusFirst(root) {
  (find(root, "[data-first]") || root).focus({ preventScroll: true });
}

/** An element with attributes; `on…` are listeners, what is false or missing is left out.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Record<string, any>} attributes
 * @param {any[]} children
 */
export function h(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

/** An element of a drawing.
 * @template {keyof SVGElementTagNameMap} T
 * @param {T} tag
 * @param {Record<string, any>} attributes
 * @param {any[]} children
 */
export function s(tag, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), attributes, children);
}

/**
 * @template {Element} N
 * @param {N} node
 * @returns {N}
 */
function filled(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "value") /** @type {any} */ (node).value = value;
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat(Infinity).filter(there));
  return node;
}

function there(child) {
  return child !== null && child !== undefined && child !== false && child !== "";
}

/** Other children instead of those there are; those that stay are not touched.
 * @param {Element} node
 * @param {any[]} children
 */
export function refill(node, ...children) {
  const wanted = children.flat(Infinity).filter(there);
  const staying = new Set(wanted);
  for (const child of [...node.childNodes]) if (!staying.has(child)) child.remove();
  wanted.forEach((child, i) => {
    if (node.childNodes[i] !== child)
      node.insertBefore(
        typeof child === "string" ? document.createTextNode(child) : child,
        node.childNodes[i] || null,
      );
  });
}

/** A text in an element; the same text again is not laid out again.
 * @param {Element} node
 * @param {string} text
 */
export function say(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/** A button; while its work is under way it cannot be pressed again.
 * @param {any} label
 * @param {(event: Event) => any} work
 * @param {Record<string, any>} attributes
 */
export function button(label, work, attributes = {}) {
  const node = h("button", { type: "button", ...attributes }, label);
  node.addEventListener("click", async (event) => {
    if (node.getAttribute("aria-busy")) return;
    node.setAttribute("aria-busy", "true");
    try {
      await work(event);
    } finally {
      node.removeAttribute("aria-busy");
    }
  });
  return node;
}

/** The page takes the colours of a theme, and its size of letters.
 * @param {string} theme
 */
export function dress(theme) {
  document.documentElement.dataset.theme = theme.replace("-large", "");
  document.documentElement.classList.toggle("large", theme.endsWith("-large"));
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
  return root instanceof SVGSVGElement ? document.importNode(root, true) : null;
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
  return picture
    ? filled(picture, { role: "img", "aria-label": label, class: "thumbnail" }, [])
    : h("span", {}, label);
}

// What was focused is focused again after a part of the page was drawn anew, found by its data-key.
export function keepingFocus(root, draw) {
  const { activeElement: focused } = document;
  const key = focused instanceof HTMLElement && root.contains(focused) ? focused.dataset.key : null;
  draw();
  if (key) find(root, `[data-key="${CSS.escape(key)}"]`)?.focus();
}
