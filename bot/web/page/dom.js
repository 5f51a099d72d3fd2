// Elements of the page, built without markup: whatever people have written stays text.

// How many paints there are for lines: each is a class in colours.css, `line-0` and so on.
export const LINES = 8;

const MOST_CHANGES = 400;
const TEXTS = 6;
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

// The lines of the texts used last, which are long.
export function linesOf(text, lines = known.get(text) || text.split("\n")) {
  known.delete(text);
  known.set(text, lines);
  if (known.size > TEXTS) known.delete(known.keys().next().value);
  return lines;
}

// A drawing brought from one text to another: only the elements whose lines differ are other ones afterwards.
// The server writes each element on a line of its own, shapes first. Returns the new elements; null where the
// texts differ too much.
export function redraw(svg, before, after) {
  const [was, is] = [before, after].map((text) => linesOf(text));
  const [shapesWas, shapesIs] = [was, is].map((lines) => lines.indexOf("</defs>"));
  const shapes = svg.querySelector("defs");
  if (
    was[0] !== is[0] ||
    !shapes ||
    was[2] !== "<defs>" ||
    is[2] !== "<defs>" ||
    shapesWas < 0 ||
    shapesIs < 0
  )
    return null;
  const rest = [...svg.children].slice(2);
  if (shapes.children.length !== shapesWas - 3 || rest.length < was.length - shapesWas - 2) return null;
  const steps = [
    ...changes([...shapes.children], was.slice(3, shapesWas), is.slice(3, shapesIs)),
    ...changes(rest, was.slice(shapesWas + 1, -1), is.slice(shapesIs + 1, -1)),
  ];
  if (steps.length > MOST_CHANGES) return null;
  const lines = steps.map((step) => step.line).filter(Boolean);
  const drawn = [...(drawing(`${is[0]}${lines.join("")}</svg>`)?.children || [])];
  if (drawn.length !== lines.length) return null;
  svg.querySelector("title").textContent = new DOMParser().parseFromString(
    is[1],
    "text/xml",
  ).documentElement.textContent;
  let next = 0;
  for (const { node, line, before: place } of steps) {
    const fresh = line ? drawn[next++] : null;
    if (node && fresh) node.replaceWith(fresh);
    else if (node) node.remove();
    else place.root.insertBefore(fresh, place.node);
  }
  return drawn;
}

// What brings some lines to others: an element in place of one, one more before another, or one less.
function changes(nodes, was, is) {
  const root = nodes[0]?.parentNode;
  const found = [];
  const names = new Map();
  const isIn = (lines, line) => {
    if (!names.has(lines)) names.set(lines, new Set(lines.map(nameOf)));
    return names.get(lines).has(nameOf(line));
  };
  for (let i = 0, j = 0; i < was.length || j < is.length;) {
    const [old, fresh] = [was[i], is[j]];
    const same = old !== undefined && fresh !== undefined && (old === fresh || nameOf(old) === nameOf(fresh));
    if (same && old === fresh) {
      i += 1;
      j += 1;
    } else if (fresh !== undefined && !same && (old === undefined || !isIn(was, fresh))) {
      found.push({ line: fresh, before: { root, node: nodes[i] || null } });
      j += 1;
    } else if (old !== undefined && !same && (fresh === undefined || !isIn(is, old))) {
      found.push({ node: nodes[i] });
      i += 1;
    } else {
      found.push({ node: nodes[i], line: fresh });
      i += 1;
      j += 1;
    }
  }
  return found;
}

// The beginning of a line, which says what it draws, or where.
function nameOf(line) {
  return line.slice(0, line.indexOf('"', line.indexOf('"') + 1));
}

const known = new Map();
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
