// A picture that the server has drawn, brought from one state to the next: only what differs is drawn again.
import { drawing, s } from "./dom.js";
/** @import { Stage } from "./stage.js" */

const MOST_CHANGES = 400;
/** Elements of one part: a browser paints a part anew as soon as one of its elements changes. */
const PART = 120;

export class Picture {
  /** @param {Stage} stage */
  constructor(stage) {
    this.stage = stage;
    /** @type {string[]} */
    this.lines = [];
    /** The picture, in parts that lie on each other. @type {SVGSVGElement[]} */
    this.parts = [];
    /** What the page draws over it. */
    this.over = s("g", { class: "over" });
  }

  get root() {
    return this.stage.plate;
  }

  /** Shows a picture by its lines; the elements that are new, which are none where nothing differs.
   * @param {string[]} lines
   * @returns {Element[]}
   */
  show(lines) {
    if (lines === this.lines) return [];
    const fresh = this._redraw(this.lines, lines) || this._draw(lines);
    this.lines = lines;
    return fresh;
  }

  /** @param {string[]} lines */
  _draw(lines) {
    const whole = /** @type {SVGSVGElement} */ (drawing(lines.join("\n")));
    const children = [...whole.children];
    this.parts = [whole];
    for (let from = PART; from < children.length; from += PART) {
      const part = /** @type {SVGSVGElement} */ (whole.cloneNode());
      part.append(...children.slice(from, from + PART));
      this.parts.push(part);
    }
    const cover = /** @type {SVGSVGElement} */ (whole.cloneNode());
    cover.classList.add("cover");
    cover.append(this.over);
    this.stage.show([...this.parts, cover]);
    return children;
  }

  // The server writes each element on a line of its own, after the title and the shapes. Null where the lines
  // differ too much.
  _redraw(was, is) {
    const [shapesWas, shapesIs] = [was, is].map((lines) => lines.indexOf("</defs>"));
    if (was[2] !== "<defs>" || is[2] !== "<defs>" || shapesWas < 0 || shapesIs < 0) return null;
    const [title, shapes, ...rest] = this.parts.flatMap((part) => [...part.children]);
    const steps = [
      ...changes([...shapes.children], was.slice(3, shapesWas), is.slice(3, shapesIs), shapes),
      ...changes(
        rest,
        was.slice(shapesWas + 1, -1),
        is.slice(shapesIs + 1, -1),
        this.parts[this.parts.length - 1],
      ),
    ];
    const lines = steps.map((step) => step.line).filter(Boolean);
    const root = drawing([is[0], is[1], ...lines, "</svg>"].join(""));
    const [name, ...drawn] = root?.children || [];
    if (!root || steps.length > MOST_CHANGES || drawn.length !== lines.length) return null;
    title.textContent = name.textContent;
    if (was[0] !== is[0]) this._resize(root);
    let next = 0;
    for (const { node, line, before, root: parent } of steps) {
      const fresh = line ? [drawn[next++]] : [];
      if (node) node.replaceWith(...fresh);
      else if (before) before.before(...fresh);
      else parent?.append(...fresh);
    }
    return drawn;
  }

  /** @param {SVGSVGElement} root */
  _resize(root) {
    const all = /** @type {SVGSVGElement[]} */ ([...this.root.children]);
    for (const part of all) for (const { name, value } of root.attributes) part.setAttribute(name, value);
    this.stage.show(all);
  }
}

/** What brings some lines to others: an element in place of one, one more before another, or one less.
 * @param {Element[]} nodes
 * @param {string[]} was
 * @param {string[]} is
 * @param {Element} root  where one more comes after all others
 * @returns {{ line?: string, node?: Element, before?: Element, root?: Element }[]}
 */
function changes(nodes, was, is, root) {
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
      found.push({ line: fresh, before: nodes[i], root });
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
