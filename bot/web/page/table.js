// Who holds what: players, and companies with the shares of every player.
import { badge, button, h, money, plural, refill } from "./dom.js";

const EMPTY = "";

// A table whose columns sort: a column is {name, cell(row), sort(row), title}. On a phone each row is a card.
class Sortable {
  constructor(caption, columns, sorted = null) {
    this.caption = caption;
    this.columns = columns;
    this.sorted = sorted;
    this.downwards = false;
    this.root = h("div", { class: "sheet" });
  }

  fill(rows, columns = this.columns) {
    this.rows = rows;
    this.columns = columns;
    this._draw();
    return this.root;
  }

  _ordered() {
    const column = this.columns.find((one) => one.name === this.sorted);
    if (!column) return this.rows;
    const way = this.downwards ? -1 : 1;
    const compared = (a, b) => {
      const [one, other] = [column.sort(a), column.sort(b)];
      if (one === other) return 0;
      if (one === null || one === undefined) return 1;
      if (other === null || other === undefined) return -1;
      return way * (typeof one === "number" ? one - other : String(one).localeCompare(String(other)));
    };
    return [...this.rows].sort(compared);
  }

  _press(column) {
    const numbers = this.rows.some((row) => typeof column.sort(row) === "number");
    if (this.sorted !== column.name) { this.sorted = column.name; this.downwards = numbers; }
    else if (this.downwards === numbers) this.downwards = !numbers;
    else this.sorted = null;
    const name = column.name;
    this._draw();
    [...this.root.querySelectorAll("th button")].find((node) => node.dataset.key === name)?.focus();
  }

  _draw() {
    const rows = this._ordered(), texts = rows.map((row) => JSON.stringify(row));
    const frame = JSON.stringify([this.sorted, this.downwards, this.columns.map((one) => one.name), this.context]);
    if (frame === this.frame && texts.length === this.texts.length) {
      rows.forEach((row, i) => { if (texts[i] !== this.texts[i]) this.body.children[i].replaceWith(this._row(row)); });
      this.texts = texts;
      return;
    }
    [this.frame, this.texts] = [frame, texts];
    const heads = this.columns.map((column) => h("th", {
      scope: "col", class: column.kind, title: column.title,
      "aria-sort": this.sorted === column.name ? (this.downwards ? "descending" : "ascending") : false,
    }, column.sort ? button(column.name, () => this._press(column), { "data-key": column.name }) : column.name));
    this.body = h("tbody", {}, rows.map((row) => this._row(row)));
    refill(this.root, 
      this._choice(),
      h("table", {}, h("caption", { class: "unseen" }, this.caption), h("thead", {}, h("tr", {}, heads)), this.body),
    );
  }

  _row(row) {
    return h("tr", { class: row.closed ? "gone" : false }, this.columns.map((column, i) => {
      const cell = column.cell(row);
      const empty = cell === EMPTY || cell === null || (Array.isArray(cell) && !cell.length);
      return h(i ? "td" : "th", { scope: i ? false : "row", class: `${column.kind || ""}${empty ? " empty" : ""}`, "data-name": column.name }, empty ? "" : cell);
    }));
  }

  // On a phone there are no heads to press.
  _choice() {
    const options = [h("option", { value: "" }, "default"), ...this.columns.filter((one) => one.sort).map((one) => h("option", { value: one.name, selected: one.name === this.sorted }, one.name))];
    return h("label", { class: "sorting" }, "Sorted by ", h("select", { onchange: (event) => {
      this.sorted = event.target.value || null;
      const column = this.columns.find((one) => one.name === this.sorted);
      this.downwards = Boolean(column) && this.rows.some((row) => typeof column.sort(row) === "number");
      this._draw();
      this.root.querySelector("select")?.focus();
    } }, options));
  }
}

export class Tables {
  constructor(ctx) {
    this.ctx = ctx;
    this.players = new Sortable("Players", []);
    this.companies = new Sortable("Companies and the shares of every player", []);
    this.scores = new Sortable("Final scores", [
      { name: "Player", cell: (row) => row.name, sort: (row) => row.name },
      { name: "Place", kind: "number", cell: (row) => String(row.rank), sort: (row) => row.rank },
      { name: "Cash", kind: "number", cell: (row) => money(row.cash), sort: (row) => row.cash },
      { name: "Shares", kind: "number", cell: (row) => money(sharesOf(row)), sort: sharesOf },
      { name: "Privates", kind: "number", cell: (row) => money(row.privates), sort: (row) => row.privates },
      { name: "Total", kind: "number", cell: (row) => money(row.total), sort: (row) => row.total },
    ]);
    this.all = false;
  }

  draw(root, { table, scores }) {
    const started = table.companies.filter((one) => !one.closed && (one.par !== null || one.floated || one.president));
    const rest = table.companies.filter((one) => !started.includes(one));
    const shown = this.all ? [...started, ...rest] : started;
    const more = rest.length ? button(this.all ? "Only started companies" : `All companies (${rest.length} more)`, () => { this.all = !this.all; this.draw(root, { table, scores }); }, { class: "quiet", "data-key": "all" }) : "";
    this.players.context = table.actors;
    root.classList.toggle("dense", table.players.length > 6);
    refill(root,
      scores ? [h("h2", {}, "Final scores"), h("p", {}, scores.ending), this.scores.fill(scores.rows)] : "",
      this.players.fill(table.players, this._players(table)),
      shown.length ? this.companies.fill(shown, this._companies(table)) : h("p", { class: "dim" }, "No company has started yet."),
      h("p", {}, more),
    );
  }

  _players(table) {
    return [
      { name: "Player", cell: (p) => [table.actors.includes(p.player) || table.actors.includes(p.name) ? h("span", { class: "acting", title: "must act" }, "▸ ") : "", p.name, p.priority ? h("abbr", { class: "mark", title: "Priority deal" }, "P") : "", p.bankrupt ? " (bankrupt)" : ""], sort: (p) => p.name },
      { name: "Cash", kind: "number", cell: (p) => money(p.cash), sort: (p) => p.cash },
      ...(table.players.some((p) => p.available !== p.cash) ? [{ name: "Free", kind: "number", title: "Cash not tied up in bids", cell: (p) => money(p.available), sort: (p) => p.available }] : []),
      { name: "Worth", kind: "number", title: "Cash, shares at the current price, privates at face value", cell: (p) => money(p.value), sort: (p) => p.value },
      { name: "Liquid", kind: "number", title: "Cash plus the price of all shares that can be sold now", cell: (p) => money(p.liquidity), sort: (p) => p.liquidity },
      { name: "Certificates", kind: "number", cell: (p) => `${p.certificates}/${p.certificate_limit}`, sort: (p) => p.certificates },
      { name: "Privates", cell: (p) => p.privates.map(([letters, name, face, income]) => h("abbr", { title: `${name}: ${money(face)}, pays ${money(income)}` }, letters, " ")), sort: null },
      { name: "Shares", cell: (p) => p.holdings.filter((one) => one.percent).map((one) => h("span", { class: "held" }, badge(one.badge), ` ${one.percent}%${one.president ? "★" : ""}`)), kind: "phone" },
    ];
  }

  _companies(table) {
    const percent = (value) => (value ? `${value}%` : EMPTY);
    const held = (company, name) => company.holders.find(([holder]) => holder === name);
    const players = table.players.map((p) => ({
      name: p.name, kind: "share", title: p.name,
      cell: (c) => { const one = held(c, p.name); return one ? [`${one[1]}%`, one[2] ? h("abbr", { title: "President", class: "star" }, "★") : ""] : EMPTY; },
      sort: (c) => held(c, p.name)?.[1] ?? null,
    }));
    return [
      { name: "Company", cell: (c) => this._name(c), sort: (c) => c.badge.company },
      { name: "Price", kind: "number", cell: (c) => (c.price === null ? EMPTY : money(c.price)), sort: (c) => c.price },
      { name: "Par", kind: "number", cell: (c) => (c.par === null ? EMPTY : money(c.par)), sort: (c) => c.par },
      { name: "Treasury", kind: "number", cell: (c) => [c.floated || c.treasury === null ? money(c.treasury) : EMPTY, c.own ? ` ${c.own}%` : ""], sort: (c) => c.treasury },
      { name: "Trains", kind: "trains", cell: (c) => this._trains(c), sort: (c) => c.trains.length },
      { name: "IPO", kind: "share", title: "In the initial offering", cell: (c) => percent(c.offering), sort: (c) => c.offering || null },
      { name: "Market", kind: "share", title: "In the bank pool", cell: (c) => percent(c.market), sort: (c) => c.market || null },
      ...players,
      { name: "Tokens", kind: "tokens", title: "Tokens left, with their prices", cell: (c) => (c.tokens_left.length ? h("abbr", { title: c.tokens_left.map(money).join(", ") }, String(c.tokens_left.length)) : EMPTY), sort: (c) => c.tokens_left.length },
      { name: "Last run", kind: "run", cell: (c) => (c.last_run ? h("abbr", { title: c.last_run.words, class: c.last_run.kept ? "kept" : false }, money(c.last_run.revenue)) : EMPTY), sort: (c) => c.last_run?.revenue ?? null },
    ];
  }

  _name(company) {
    const letters = company.badge.company;
    return button(badge(company.badge), () => this.ctx.company(company), {
      class: "plain", title: company.name, "aria-label": `${letters}: ${company.name}`, "data-key": `company-${letters}`,
    });
  }

  _trains(company) {
    if (company.shells) return company.shells;
    return company.trains.map(([train, until]) => h("abbr", {
      class: company.obsolete.includes(train) ? "train kept" : "train", title: until || "never rusts",
    }, train));
  }
}

function sharesOf(row) {
  return row.shares.reduce((sum, one) => sum + one.value, 0);
}

// A company's charter, for the dialog that opens from its letters.
export function charter(company, run) {
  const lines = [
    ["President", company.president || (company.reserved_by ? `reserved by ${company.reserved_by}` : "none")],
    ["Price", company.price === null ? (company.waits_for ? `from phase ${company.waits_for}` : `not started; floats at ${company.float_percent}%`) : `${money(company.price)}, par ${money(company.par)}`],
    ["Treasury", money(company.treasury)],
    ["Trains", company.shells || company.trains.map(([train]) => train).join(" ") || "none"],
    ["Tokens", [company.tokens_left.length ? `${plural(company.tokens_left.length, "token")} left (${company.tokens_left.map(money).join(", ")})` : "none left", company.tokens_placed.length ? `placed on ${company.tokens_placed.join(", ")}` : ""].filter(Boolean).join("; ")],
    ["Home", company.home || ""],
    ["Shares", [...company.holders.map(([name, share, president]) => `${name} ${share}%${president ? "★" : ""}`), company.offering ? `IPO ${company.offering}%` : "", company.market ? `market ${company.market}%` : "", company.own ? `own ${company.own}%` : ""].filter(Boolean).join(", ")],
    ["Privates", company.privates.join(", ")],
    ["Made of", company.parts.join(", ")],
    ["Markers", company.markers.join(", ")],
    ["Last run", company.last_run ? `${money(company.last_run.revenue)}, ${company.last_run.words}` : ""],
  ];
  return h("div", {}, h("h2", {}, badge(company.badge), ` ${company.name}`),
    h("dl", {}, lines.filter(([, words]) => words).map(([name, words]) => [h("dt", {}, name), h("dd", {}, words)])), run);
}
