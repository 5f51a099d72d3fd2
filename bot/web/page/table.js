// Who holds what: players, and companies with the shares of every player.
import { badge, button, find, h, money, refill } from "./dom.js";
/** @import { Context } from "./board.js" */

const EMPTY = "";

// A table whose columns sort: a column is {name, cell(row), sort(row), title}. On a phone each row is a card.
class Sortable {
  constructor(caption, columns, sorted = null) {
    this.caption = caption;
    this.columns = columns;
    this.sorted = sorted;
    this.downwards = false;
    this.root = h("div", { class: "sheet" });
    this.frame = "";
    /** @type {string[]} */
    this.texts = [];
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
    if (this.sorted !== column.name) {
      this.sorted = column.name;
      this.downwards = numbers;
    } else if (this.downwards === numbers) this.downwards = !numbers;
    else this.sorted = null;
    const name = column.name;
    this._draw();
    find(this.root, `th button[data-key="${CSS.escape(name)}"]`)?.focus();
  }

  _draw() {
    const rows = this._ordered();
    const texts = rows.map((row) => JSON.stringify(row));
    const frame = JSON.stringify([this.sorted, this.downwards, this.columns.map((one) => one.name)]);
    if (frame === this.frame && texts.length === this.texts.length) {
      rows.forEach((row, i) => {
        if (texts[i] !== this.texts[i]) this.body?.children[i].replaceWith(this._row(row));
      });
      this.texts = texts;
      return;
    }
    [this.frame, this.texts] = [frame, texts];
    const heads = this.columns.map((column) =>
      h(
        "th",
        {
          scope: "col",
          class: column.kind,
          title: column.title,
          "aria-sort": this.sorted === column.name ? (this.downwards ? "descending" : "ascending") : false,
        },
        column.sort
          ? button(column.name, () => this._press(column), { "data-key": column.name })
          : column.name,
      ),
    );
    this.body = h(
      "tbody",
      {},
      rows.map((row) => this._row(row)),
    );
    refill(
      this.root,
      this._choice(),
      h(
        "table",
        {},
        h("caption", { class: "unseen" }, this.caption),
        h("thead", {}, h("tr", {}, heads)),
        this.body,
      ),
    );
  }

  _row(row) {
    return h(
      "tr",
      { class: row.is_closed ? "gone" : false },
      this.columns.map((column, i) => {
        const cell = column.cell(row);
        const empty = cell === EMPTY || cell === null || (Array.isArray(cell) && !cell.length);
        return h(
          i ? "td" : "th",
          {
            scope: i ? false : "row",
            class: `${column.kind || ""}${empty ? " empty" : ""}`,
            "data-name": column.name,
          },
          empty ? "" : cell,
        );
      }),
    );
  }

  // On a phone there are no heads to press.
  _choice() {
    const options = [
      h("option", { value: "" }, "default"),
      ...this.columns
        .filter((one) => one.sort)
        .map((one) => h("option", { value: one.name, selected: one.name === this.sorted }, one.name)),
    ];
    return h(
      "label",
      { class: "sorting" },
      "Sorted by ",
      h(
        "select",
        {
          onchange: (event) => {
            this.sorted = event.target.value || null;
            const column = this.columns.find((one) => one.name === this.sorted);
            this.downwards = Boolean(column) && this.rows.some((row) => typeof column.sort(row) === "number");
            this._draw();
            find(this.root, "select")?.focus();
          },
        },
        options,
      ),
    );
  }
}

export class Tables {
  /** @param {Context} ctx */
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
    const started = table.companies.filter(
      (one) => !one.is_closed && (one.par !== null || one.is_floated || one.president),
    );
    const rest = table.companies.filter((one) => !started.includes(one));
    const shown = this.all ? [...started, ...rest] : started;
    const more = rest.length
      ? button(
          this.all ? "Only started companies" : `All companies (${rest.length} more)`,
          () => {
            this.all = !this.all;
            this.draw(root, { table, scores });
          },
          { class: "quiet", "data-key": "all" },
        )
      : "";
    const players = table.players.map((one) => ({
      ...one,
      acting: table.actor_names.includes(one.player) || table.actor_names.includes(one.name),
    }));
    root.classList.toggle("dense", table.players.length > 6);
    refill(
      root,
      scores ? [h("h2", {}, "Final scores"), h("p", {}, scores.ending), this.scores.fill(scores.rows)] : "",
      this.players.fill(players, this._players(table)),
      shown.length
        ? this.companies.fill(shown, this._companies(table))
        : h("p", { class: "dim" }, "No company has started yet."),
      h("p", {}, more),
    );
  }

  /** @param {Answer.TableView} table */
  _players(table) {
    const name = (p) => [
      p.acting ? h("span", { class: "acting", title: "must act" }, "▸ ") : "",
      p.name,
      p.has_priority_deal ? h("abbr", { class: "mark", title: "Priority deal" }, "P") : "",
      p.is_bankrupt ? " (bankrupt)" : "",
    ];
    const free = amount("Free", (p) => p.available_cash, "Cash that is not tied up in bids");
    const limit = (p) => `${p.certificates}/${p.certificate_limit}`;
    return [
      { name: "Player", cell: name, sort: (p) => p.name },
      amount("Cash", (p) => p.cash),
      ...(table.players.some((p) => p.available_cash !== p.cash) ? [free] : []),
      amount("Net worth", (p) => p.net_worth, "Cash, shares at the current price, privates at face value"),
      amount("Liquid", (p) => p.liquidity, "Cash plus the price of all shares that can be sold now"),
      { name: "Certificates", kind: "number", cell: limit, sort: (p) => p.certificates },
      { name: "Privates", cell: (p) => p.privates.map(privateLetters), sort: null },
      { name: "Shares", cell: heldShares, kind: "phone" },
    ];
  }

  /** @param {Answer.TableView} table */
  _companies(table) {
    const held = (company, name) => company.holders.find(([holder]) => holder === name);
    const shareOf = (one) => [
      `${one[1]}%`,
      one[2] ? h("abbr", { title: "President", class: "star" }, "★") : "",
    ];
    const players = table.players.map(({ name }) => {
      const cell = (c) => (held(c, name) ? shareOf(held(c, name)) : EMPTY);
      return { name, kind: "share", title: name, cell, sort: (c) => held(c, name)?.[1] ?? null };
    });
    const treasury = (c) => [
      c.is_floated || c.treasury === null ? money(c.treasury) : EMPTY,
      c.treasury_percent ? ` ${c.treasury_percent}%` : "",
    ];
    const tokensLeft = "Tokens left, with their prices";
    return [
      { name: "Company", cell: (c) => this._name(c), sort: (c) => c.badge.company },
      price("Price", (c) => c.price),
      price("Par", (c) => c.par),
      { name: "Treasury", kind: "number", cell: treasury, sort: (c) => c.treasury },
      { name: "Trains", kind: "trains", cell: (c) => this._trains(c), sort: (c) => c.trains.length },
      percent("IPO", (c) => c.offering_percent, "In the initial offering"),
      percent("Market", (c) => c.market_percent, "In the bank pool"),
      ...players,
      { name: "Tokens", kind: "tokens", title: tokensLeft, cell: tokens, sort: (c) => c.tokens_left.length },
      { name: "Last run", kind: "run", cell: lastRun, sort: (c) => c.last_run?.revenue ?? null },
    ];
  }

  _name(company) {
    const letters = company.badge.company;
    return button(badge(company.badge), () => this.ctx.company(company), {
      class: "plain",
      title: company.name,
      "aria-label": `${letters}: ${company.name}`,
      "data-key": `company-${letters}`,
    });
  }

  _trains(company) {
    if (company.shells_text) return company.shells_text;
    return company.trains.map(([train, until]) =>
      h(
        "abbr",
        {
          class: company.obsolete_trains.includes(train) ? "train kept" : "train",
          title: until || "never rusts",
        },
        train,
      ),
    );
  }
}

function sharesOf(row) {
  return row.shares.reduce((sum, one) => sum + one.value, 0);
}

// Columns of amounts of money, of prices (empty where there is none) and of percent.
function amount(name, value, title = "") {
  return { name, kind: "number", title: title || false, cell: (row) => money(value(row)), sort: value };
}

function price(name, value) {
  return { ...amount(name, value), cell: (row) => (value(row) === null ? EMPTY : money(value(row))) };
}

function percent(name, value, title) {
  const cell = (row) => (value(row) ? `${value(row)}%` : EMPTY);
  return { name, kind: "share", title, cell, sort: (row) => value(row) || null };
}

function privateLetters([letters, name, face, income]) {
  return h("abbr", { title: `${name}: ${money(face)}, pays ${money(income)}` }, letters, " ");
}

/** @param {Answer.PlayerView} player */
function heldShares({ holdings }) {
  const words = (one) => ` ${one.percent}%${one.is_president ? "★" : ""}`;
  return holdings
    .filter((one) => one.percent)
    .map((one) => h("span", { class: "held" }, badge(one.badge), words(one)));
}

/** @param {Answer.CompanyView} company */
function tokens({ tokens_left: left }) {
  return left.length ? h("abbr", { title: left.map(money).join(", ") }, String(left.length)) : EMPTY;
}

/** @param {Answer.CompanyView} company */
function lastRun({ last_run: run }) {
  return run
    ? h("abbr", { title: run.use_text, class: run.is_withheld && "kept" }, money(run.revenue))
    : EMPTY;
}
