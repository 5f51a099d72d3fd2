// Net worths and share prices over the rounds, as lines; the numbers stand below.
import { button, h, refill, s } from "./dom.js";

const PAINTS = ["#2f7df0", "#e0378f", "#1e9a58", "#c9701a", "#9160dc", "#1593a6"];
const WIDE = 760, HIGH = 300, LEFT = 52, BELOW = 26, ABOVE = 10, RIGHT = 84;

export class Charts {
  constructor() {
    this.what = "worth";
  }

  draw(root, view) {
    if (!view) { refill(root, h("p", { class: "dim" }, "On its way…")); return; }
    if (!view.moments.length) { refill(root, h("p", { class: "dim" }, "The first round is not over yet.")); return; }
    const kinds = view.players.length ? [["worth", "Net worth"], ["prices", "Share prices"]] : [["prices", "Share prices"]];
    if (!kinds.some(([kind]) => kind === this.what)) this.what = "prices";
    const lines = this._lines(view);
    const names = view.moments.map((moment) => moment.name);
    refill(root, 
      h("p", { class: "choice" }, kinds.map(([kind, label]) => button(label, () => { this.what = kind; this.draw(root, view); root.querySelector("[aria-pressed=true]")?.focus(); }, { "aria-pressed": String(kind === this.what) }))),
      this._picture(lines, names, kinds.find(([kind]) => kind === this.what)[1]),
      h("details", {}, h("summary", {}, "As numbers"), h("div", { class: "sheet numbers" }, h("table", {},
        h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Round"), lines.map((line) => h("th", { scope: "col" }, line.name)))),
        h("tbody", {}, names.map((name, i) => h("tr", {}, h("th", { scope: "row" }, name), lines.map((line) => h("td", { "data-name": line.name }, line.values[i] === null ? "" : `$${line.values[i]}`)))))))),
    );
  }

  _lines(view) {
    const worth = this.what === "worth";
    const names = worth ? view.players : view.companies.map((one) => one.company);
    return names.map((name, i) => ({
      name, paint: worth ? PAINTS[i % PAINTS.length] : view.companies[i].colour || "#888888",
      values: view.moments.map((moment) => (worth ? moment.worth[i] : moment.prices[i]) ?? null),
    })).filter((line) => line.values.some((value) => value !== null));
  }

  _picture(lines, names, title) {
    const most = Math.max(1, ...lines.flatMap((line) => line.values.filter((value) => value !== null)));
    const step = [10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000].find((one) => most / one <= 6) || 20000;
    const x = (i) => LEFT + (names.length > 1 ? (WIDE - LEFT - RIGHT) * i / (names.length - 1) : 0);
    const y = (value) => ABOVE + (HIGH - ABOVE - BELOW) * (1 - value / most);
    const picture = s("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, class: "chart", role: "img", "aria-label": `${title} over the rounds` });
    for (let value = 0; value <= most; value += step) {
      picture.append(s("line", { x1: LEFT, x2: WIDE - RIGHT, y1: y(value), y2: y(value), class: "grid" }), s("text", { x: LEFT - 6, y: y(value) + 4, class: "scale" }, `$${value}`));
    }
    const every = Math.ceil(names.length / 12);
    names.forEach((name, i) => { if (i % every === 0) picture.append(s("text", { x: x(i), y: HIGH - 8, class: "round" }, name)); });
    const seats = spread(lines.map((line) => y(line.values.findLast((value) => value !== null))), 13, HIGH - BELOW);
    lines.forEach((line, i) => {
      const points = line.values.map((value, at) => (value === null ? null : `${x(at).toFixed(1)},${y(value).toFixed(1)}`)).filter(Boolean);
      picture.append(s("polyline", { points: points.join(" "), class: "curve", stroke: line.paint }),
        s("circle", { cx: points.at(-1).split(",")[0], cy: points.at(-1).split(",")[1], r: 3, fill: line.paint }),
        s("text", { x: WIDE - RIGHT + 8, y: seats[i] + 4, class: "name" }, line.name.length > 11 ? `${line.name.slice(0, 10)}…` : line.name));
    });
    return picture;
  }
}

// Heights of names beside the ends of their lines, apart from each other.
function spread(heights, least, bottom) {
  const order = heights.map((_, i) => i).sort((a, b) => heights[a] - heights[b]);
  const found = [...heights];
  order.forEach((at, i) => { if (i) found[at] = Math.max(found[at], found[order[i - 1]] + least); });
  const over = Math.max(0, (found[order.at(-1)] ?? 0) - bottom);
  return found.map((one) => one - over);
}
