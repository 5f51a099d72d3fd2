// Net worths and share prices over the rounds, as lines; the numbers stand below.
import { button, find, h, ink, LINES, money, refill, s } from "./dom.js";

const WIDE = 760;
const HIGH = 300;
const LEFT = 52;
const BELOW = 26;
const ABOVE = 10;
const LABEL = 15;
const SAMPLE = 22;
const LETTER = 7.6;
const LONGEST = 16;
const CORES = 6;

export class Charts {
  constructor() {
    this.what = "worth";
  }

  draw(root, view) {
    if (!view) {
      refill(root, h("p", { class: "dim" }, "Loading…"));
      return;
    }
    if (!view.rounds.length) {
      refill(root, h("p", { class: "dim" }, "The first round is not over yet."));
      return;
    }
    const kinds = view.players.length
      ? [
          ["worth", "Net worth"],
          ["prices", "Share prices"],
        ]
      : [["prices", "Share prices"]];
    if (!kinds.some(([kind]) => kind === this.what)) this.what = "prices";
    const lines = this._lines(view);
    const names = view.rounds.map((round) => round.name);
    refill(
      root,
      h(
        "p",
        { class: "choice" },
        kinds.map(([kind, label]) =>
          button(
            label,
            () => {
              this.what = kind;
              this.draw(root, view);
              find(root, "[aria-pressed=true]")?.focus();
            },
            { "aria-pressed": String(kind === this.what) },
          ),
        ),
      ),
      this._picture(lines, names, Object.fromEntries(kinds)[this.what]),
      h("details", {}, h("summary", {}, "As numbers"), this._numbers(lines, names)),
    );
  }

  _numbers(lines, names) {
    const heads = lines.map((line) => h("th", { scope: "col" }, line.name));
    const words = (value) => (value === null ? "" : money(value));
    const cells = (i) => lines.map((line) => h("td", { "data-name": line.name }, words(line.values[i])));
    const rows = names.map((name, i) => h("tr", {}, h("th", { scope: "row" }, name), cells(i)));
    const head = h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Round"), heads));
    return h("div", { class: "sheet numbers" }, h("table", {}, head, h("tbody", {}, rows)));
  }

  _lines(view) {
    const worth = this.what === "worth";
    const names = worth ? view.players : view.companies.map((one) => one.company);
    return names
      .map((name, i) => ({
        name,
        paint: worth ? `line-${i % LINES}` : view.companies[i].colour,
        core: worth ? 0 : view.dash_indexes[i] % CORES,
        values: view.rounds.map((round) => (worth ? round.net_worths[i] : round.prices[i]) ?? null),
      }))
      .filter((line) => line.values.some((value) => value !== null));
  }

  _picture(lines, names, title) {
    const most = Math.max(1, ...lines.flatMap((line) => line.values.filter((value) => value !== null)));
    const step = [10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000].find((one) => most / one <= 6) || 20000;
    const labels = lines.map((line) =>
      line.name.length > LONGEST ? `${line.name.slice(0, LONGEST - 1)}…` : line.name,
    );
    const right = WIDE - SAMPLE - 12 - LETTER * Math.max(0, ...labels.map((label) => label.length));
    const high = Math.max(HIGH, ABOVE + BELOW + LABEL * lines.length);
    const x = (i) => LEFT + (names.length > 1 ? ((right - LEFT) * i) / (names.length - 1) : 0);
    const y = (value) => ABOVE + (high - ABOVE - BELOW) * (1 - value / most);
    const picture = s("svg", {
      viewBox: `0 0 ${WIDE} ${high}`,
      class: "chart",
      role: "img",
      "aria-label": `${title} over the rounds`,
    });
    for (let value = 0; value <= most; value += step) {
      picture.append(
        s("line", { x1: LEFT, x2: right, y1: y(value), y2: y(value), class: "grid" }),
        s("text", { x: LEFT - 6, y: y(value) + 4, class: "scale" }, money(value)),
      );
    }
    const every = Math.ceil(names.length / 12);
    names.forEach((name, i) => {
      if (i % every === 0) picture.append(s("text", { x: x(i), y: high - 8, class: "round" }, name));
    });
    const seats = spread(
      lines.map((line) => y(line.values.findLast((value) => value !== null))),
      LABEL,
      high - BELOW,
    );
    lines.forEach((line, i) => {
      const points = line.values
        .map((value, at) => (value === null ? null : [x(at), y(value)]))
        .filter(Boolean);
      const from = right + 8;
      const ends = points.at(-1);
      picture.append(
        inked(line, [
          stroke(line, points),
          s("circle", { cx: ends[0], cy: ends[1], r: 3.5 }),
          stroke(line, [
            [from, seats[i]],
            [from + SAMPLE - 4, seats[i]],
          ]),
          s("text", { x: from + SAMPLE, y: seats[i] + 4, class: "name" }, labels[i]),
        ]),
      );
    });
    return picture;
  }
}

// A line with its rim; where its colour was there before, with dashes in it.
function stroke(line, points) {
  const at = { points: points.map((one) => one.map((number) => number.toFixed(1)).join(",")).join(" ") };
  return [
    s("polyline", { ...at, class: "curve under" }),
    s("polyline", { ...at, class: "curve" }),
    line.core ? s("polyline", { ...at, class: `core core-${line.core}`, stroke: ink(line.paint) }) : "",
  ];
}

// What is drawn of a line, in its paint: a class of the theme's, or a company's colour.
function inked({ paint }, parts) {
  const group = s("g", { class: paint.startsWith("#") ? false : paint }, parts);
  if (paint.startsWith("#")) group.style.setProperty("--paint", paint);
  return group;
}

// Heights of names beside the ends of their lines, apart from each other.
export function spread(heights, least, bottom) {
  const order = heights.map((_, i) => i).sort((a, b) => heights[a] - heights[b]);
  const found = [...heights];
  order.forEach((at, i) => {
    if (i) found[at] = Math.max(found[at], found[order[i - 1]] + least);
  });
  let lowest = bottom;
  for (const at of order.reverse()) {
    found[at] = Math.min(found[at], lowest);
    lowest = found[at] - least;
  }
  return found;
}
