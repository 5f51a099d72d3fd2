// What the page asks of its server, and what it hears from it.

/**
 * @typedef {{
 *   position: Answer.Position, history: Answer.History, offers: Answer.Offers,
 *   orders: Answer.Orders, sessions: Answer.Sessions, plan: Answer.Plan, share: Answer.ShareAnswer,
 *   walk: Answer.StepAnswer, whatif: Answer.WhatIfAnswer, "whatif/walk": Answer.StepAnswer,
 *   play: Answer.ChangeAnswer, undo: Answer.ChangeAnswer, redo: Answer.ChangeAnswer,
 *   answer: Answer.ChangeAnswer,
 * }} Answers
 */
/**
 * @template {string} P
 * @typedef {P extends keyof Answers ? Answers[P] : P extends `hex/${string}` ? Answer.HexCloseUp
 *   : P extends `routes/${string}` ? Answer.Routes : P extends `plan/${string}` ? Answer.PlanChoices
 *   : any} AnswerOf
 */

const PATIENCE = 6;
const ELSEWHERE = { code: "elsewhere", patience: 9, pause: 250, longest: 5000, quiet: 2 };
const LONGEST_PAUSE = 20_000;
const PICTURES = 12;
// Seconds from one sign of life to the next until the stream says another number; after SILENT times as long
// it is dead.
const ALIVE = 20;
const SILENT = 2.25;
const NAP = 60_000;

const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

// The server says no, in a sentence.
export class Refusal extends Error {
  constructor(status, body) {
    super(body.error || body.question || "The server cannot do this now.");
    this.status = status;
    this.seq = body.seq ?? null;
    this.question = body.question || null;
    this.confirmLabel = body.confirm_label || null;
    this.login = /^\/board\//.test(body.login || "") ? body.login : null;
  }
}

// There was no answer: what was asked may have been done, or not.
export class Lost extends Error {
  constructor() {
    super("There is no connection to the server.");
  }
}

// Of several questions the newest counts: asking it gives up the one before.
export class Newest {
  next() {
    this.asked?.abort();
    this.asked = new AbortController();
    return this.asked.signal;
  }
}

export class Server {
  /** `waits` hears that a move waits for another process (true), and that it waits no more.
   * @param {string} root
   * @param {(waiting: boolean) => void} waits
   */
  constructor(root, waits = () => {}) {
    this.root = root;
    this.waits = waits;
    /** @type {string | null} */
    this.session = null; // the one whose board is shown
  }

  /**
   * @template {string} P
   * @param {P} path
   * @param {Record<string, any>} parameters
   * @param {AbortSignal | undefined} signal
   * @returns {Promise<AnswerOf<P>>}
   */
  get(path, parameters = {}, signal = undefined) {
    const given = Object.entries(parameters).filter(
      ([, value]) => value !== null && value !== undefined && value !== "",
    );
    const query = new URLSearchParams(given).toString();
    return this._ask(`${this.root}/${path}${query ? `?${query}` : ""}`, { signal }, PATIENCE);
  }

  /** A move is sent once: after a lost answer the page looks whether it was made.
   * @template {string} P
   * @param {P} path
   * @param {object} body
   * @param {AbortSignal | undefined} signal
   * @returns {Promise<AnswerOf<P>>}
   */
  post(path, body, signal = undefined) {
    const options = {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
      signal,
    };
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
        reply = await fetch(address, {
          credentials: "same-origin",
          cache: "no-store",
          ...options,
          headers: { ...options.headers, ...shown },
        });
      } catch (problem) {
        if (problem.name === "AbortError" || tried >= patience)
          throw problem.name === "AbortError" ? problem : new Lost();
        await pause(Math.min(LONGEST_PAUSE, 500 * 2 ** tried));
        continue;
      }
      const body = await reply.json().catch(() => ({}));
      options.signal?.throwIfAborted();
      // Another tab has opened another session: this page shows what is no more this browser's.
      if (body.code === "other") {
        location.reload();
        return new Promise(() => {});
      }
      if (body.code === ELSEWHERE.code && tried < ELSEWHERE.patience) {
        // Of several processes one makes the moves: the next request may come to it, or this one takes over.
        if (tried >= ELSEWHERE.quiet) this.waits((waiting.said = true));
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
    /** The lines of each picture. @type {Map<string, string[]>} */
    this.known = new Map();
  }

  /** The lines of a picture, the same array as long as nothing changes; null where the page lacks what it is
   * made from.
   * @param {Answer.Picture} picture
   */
  read(picture) {
    const lines = picture.svg?.split("\n") ?? this._edited(picture);
    if (lines === null) return null;
    this._used(picture.id, lines);
    for (const old of [...this.known.keys()].slice(0, -PICTURES)) this.known.delete(old);
    return lines;
  }

  // The lines of both pictures; null where the page lacks what they are made from.
  both({ map, market }) {
    const [mapLines, marketLines] = [this.read(map), this.read(market)];
    return mapLines && marketLines && { map: mapLines, market: marketLines };
  }

  /** @param {Answer.Picture} picture */
  _edited({ base, edits }) {
    const before = base && this.known.get(base);
    if (!base || !before || !edits) return null;
    this._used(base, before);
    if (!edits.length) return before;
    const lines = [...before];
    for (const [line, count, fresh] of [...edits].reverse()) lines.splice(line, count, ...fresh);
    return lines;
  }

  // Those used last are kept.
  _used(id, lines) {
    this.known.delete(id);
    this.known.set(id, lines);
  }
}

/** A position with the lines of its pictures; null where the page lacks what they are made from.
 * @param {Pictures} pictures
 * @param {Answer.Position} found
 * @param {string} theme
 */
export function withPictures(pictures, found, theme) {
  const read = pictures.both(found);
  return read && { ...found, pictures: read, look: theme };
}

/** A position; the pictures of `seen`, which has the same theme, are not sent again.
 * @param {Server} server
 * @param {Pictures} pictures
 * @param {{ at: number | null, theme: string, seen: Answer.Position | null }} wanted
 * @param {AbortSignal | undefined} signal
 */
export async function readPosition(server, pictures, { at, theme, seen }, signal = undefined) {
  const ask = async (have) =>
    withPictures(pictures, await server.get("position", { at, theme, ...have }, signal), theme);
  const found = (await ask({ map_id: seen?.map.id, market_id: seen?.market.id })) ?? (await ask({}));
  return /** @type {import("./board.js").Shown} */ (found); // the second time the pictures come whole
}

// A position that comes with news: what all see, packed, and what is about this visitor.
export async function unpacked([packed, own]) {
  const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  const whole = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return { ...(await new Response(whole).json()), ...JSON.parse(own) };
}

// News of a table. A stream that fails, or from which nothing comes any more, is opened again, each time
// after a longer pause. Over HTTP/1.1 a browser has six connections for all its tabs, so that of a hidden tab
// sleeps: now and then it is opened for a look, and when the tab is seen again.
export class News {
  constructor(address, { moved, lost, alive, slept, ended }) {
    this.address = address;
    this.heard = { moved, lost, alive, slept, ended };
    this.failed = 0;
    this.seconds = ALIVE;
    this.over = false;
    addEventListener("online", () => this.connect());
    document.addEventListener("visibilitychange", () => {
      if (document.hidden) this._sleep();
      else this.connect();
    });
    this.connect();
  }

  // `read`: the page has read the position that the stream begins with.
  connect(read = !this.met) {
    if (this.over) return;
    this._close();
    const source = (this.source = new EventSource(this.address()));
    const looking = document.hidden;
    let first = read || looking;
    this.met = true;
    this._watch();
    source.addEventListener("open", () => this._watch());
    source.addEventListener("alive", (event) => {
      const { version, seconds } = JSON.parse(event.data);
      this.failed = 0;
      this.seconds = seconds;
      this._watch();
      this.heard.alive(version);
    });
    source.addEventListener("position", (event) => {
      this._watch();
      const [news, ...position] = event.data.split("\n");
      this.heard.moved(JSON.parse(news).seq, first, position);
      first = false;
      if (looking) this._sleep();
    });
    source.addEventListener("ended", (event) => {
      this.stop();
      this.heard.ended(JSON.parse(event.data).error);
    });
    source.addEventListener("error", () => this._fail());
  }

  // There is nothing more to hear.
  stop() {
    this.over = true;
    this._close();
  }

  _close() {
    clearTimeout(this.later);
    clearTimeout(this.silence);
    this.source?.close();
  }

  _watch() {
    clearTimeout(this.silence);
    this.silence = setTimeout(() => this._fail(), 1000 * SILENT * this.seconds);
  }

  _fail() {
    this._close();
    this.failed += 1;
    this.later = setTimeout(
      () => this.connect(),
      Math.min(LONGEST_PAUSE, 500 * 2 ** Math.min(6, this.failed)),
    );
    this.heard.lost(this.failed);
  }

  _sleep() {
    if (this.over) return;
    this._close();
    this.later = setTimeout(() => this.connect(), NAP);
    this.heard.slept();
  }
}
