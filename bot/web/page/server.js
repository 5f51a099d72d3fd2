// What the page asks of its server, and what it hears from it.

const PATIENCE = 6;
const ELSEWHERE = { code: "elsewhere", patience: 9, pause: 250, longest: 5000, quiet: 2 };
const LONGEST_PAUSE = 20_000;
const PICTURES = 12;

const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

// The server says no, in a sentence.
export class Refusal extends Error {
  constructor(status, body) {
    super(body.error || body.question || "The server cannot do that now.");
    this.status = status;
    this.seq = body.seq ?? null;
    this.question = body.question || null;
    this.ask = body.ask || null;
    this.login = /^\/board\//.test(body.login || "") ? body.login : null;
  }
}

// There was no answer: what was asked may have been done, or not.
export class Lost extends Error {
  constructor() {
    super("There is no connection to the server.");
  }
}

export class Server {
  // `waits` hears that a move waits for another process (true), and that it waits no more.
  constructor(root, waits = () => {}) {
    this.root = root;
    this.waits = waits;
    this.session = null; // the one whose board is shown
  }

  get(path, parameters = {}, signal = undefined) {
    const given = Object.entries(parameters).filter(([, value]) => value !== null && value !== undefined && value !== "");
    const query = new URLSearchParams(given).toString();
    return this._ask(`${this.root}/${path}${query ? `?${query}` : ""}`, { signal }, PATIENCE);
  }

  // A move is sent once: after a lost answer the page looks whether it was made.
  post(path, body) {
    const options = { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
    return this._ask(`${this.root}/${path}`, options, /walk$|^whatif$/.test(path) ? PATIENCE : 0);
  }

  async _ask(address, options, patience) {
    const waiting = { said: false };
    try {
      return await this._asked(address, options, patience, waiting);
    } finally {
      if (waiting.said) this.waits(false);
    }
  }

  async _asked(address, options, patience, waiting) {
    for (let tried = 0; ; tried += 1) {
      let reply;
      try {
        const shown = this.session ? { "X-Board-Session": this.session } : {};
        reply = await fetch(address, { credentials: "same-origin", cache: "no-store", ...options, headers: { ...options.headers, ...shown } });
      } catch (problem) {
        if (problem.name === "AbortError" || tried >= patience) throw problem.name === "AbortError" ? problem : new Lost();
        await pause(Math.min(LONGEST_PAUSE, 500 * 2 ** tried));
        continue;
      }
      const body = await reply.json().catch(() => ({}));
      // Another tab has opened another session: this page shows what is no more this browser's.
      if (body.code === "other") { location.reload(); return new Promise(() => {}); }
      if (body.code === ELSEWHERE.code && tried < ELSEWHERE.patience) {
        // Of several processes one makes the moves: the next request may come to it, or this one takes over.
        if (tried >= ELSEWHERE.quiet) this.waits(waiting.said = true);
        await pause(Math.min(ELSEWHERE.longest, ELSEWHERE.pause * 2 ** tried));
        continue;
      }
      if ((reply.status === 429 || reply.status === 503) && tried < PATIENCE) {
        // It was refused before anything was done.
        await pause(Math.min(LONGEST_PAUSE, 1000 * (Number(reply.headers.get("Retry-After")) || 1)));
        continue;
      }
      // A proxy that reaches no process.
      if (reply.status === 502 || reply.status === 504) {
        if (tried >= patience) throw new Lost();
        await pause(Math.min(LONGEST_PAUSE, 500 * 2 ** tried));
        continue;
      }
      if (!reply.ok) throw new Refusal(reply.status, body);
      return body;
    }
  }
}

// Pictures by their ids: of one that is known the server sends what has changed.
export class Pictures {
  constructor() {
    this.texts = new Map();
  }

  // The text of a picture; null where the page lacks what it is made from.
  read(picture) {
    const text = picture.svg ?? this._edited(picture);
    if (text === null) return null;
    this.texts.delete(picture.id);
    this.texts.set(picture.id, text);
    for (const old of [...this.texts.keys()].slice(0, -PICTURES)) this.texts.delete(old);
    return text;
  }

  _edited({ base, edits }) {
    const text = this.texts.get(base);
    if (text === undefined) return null;
    if (!edits.length) return text;
    const lines = text.split("\n");
    for (const [line, count, fresh] of [...edits].reverse()) lines.splice(line, count, ...fresh);
    return lines.join("\n");
  }
}

// News of a table; it connects again by itself, each time after a longer pause.
export class News {
  constructor(address, { moved, lost, found, ended }) {
    this.address = address;
    this.heard = { moved, lost, found, ended };
    this.failed = 0;
    this.over = false;
    addEventListener("online", () => this.connect());
    this.connect();
  }

  connect() {
    if (this.over) return;
    clearTimeout(this.later);
    this.source?.close();
    const source = this.source = new EventSource(this.address);
    let first = !this.met;
    this.met = true;
    source.addEventListener("open", () => { this.failed = 0; this.heard.found(); });
    source.addEventListener("position", (event) => {
      this.heard.moved(JSON.parse(event.data).seq, first);
      first = false;
    });
    source.addEventListener("ended", (event) => {
      this.stop();
      this.heard.ended(JSON.parse(event.data).error);
    });
    source.addEventListener("error", () => {
      source.close();
      this.failed += 1;
      this.heard.lost(this.failed);
      if (!this.over) this.later = setTimeout(() => this.connect(), Math.min(LONGEST_PAUSE, 500 * 2 ** Math.min(6, this.failed)));
    });
  }

  // There is nothing more to hear.
  stop() {
    this.over = true;
    clearTimeout(this.later);
    this.source?.close();
  }
}
