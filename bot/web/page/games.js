// The games of a server, kept up to date: the page is asked for again, and cards that differ are replaced.
import { $, find, refill } from "./dom.js";
import { rest } from "./turn_words.js";

const EVERY = 20_000;
const LISTS = ["running", "ended"];

/** Each card or line as it was sent, by its element. @type {WeakMap<Element, string>} */
const sent = new WeakMap();

/** A list takes over what is new in another one, once its pictures are there.
 * @param {Element | null} list
 * @param {Element | null} fresh
 */
async function renewList(list, fresh) {
  if (!list || !fresh) return;
  const known = new Map([...list.children].map((node) => [sent.get(node), node]));
  const nodes = [...fresh.children].map((node) => {
    const shown = known.get(node.outerHTML) ?? document.importNode(node, true);
    sent.set(shown, node.outerHTML);
    return shown;
  });
  const pictures = nodes
    .filter((node) => !node.isConnected)
    .flatMap((node) => [...node.querySelectorAll("img")]);
  for (const picture of pictures) picture.loading = "eager";
  await Promise.allSettled(pictures.map((picture) => picture.decode()));
  refill(list, nodes);
}

/** Times of last moves, as the time since then. */
function tellTimes() {
  for (const node of document.querySelectorAll("time")) {
    const at = Date.parse(node.dateTime);
    node.title = new Date(at).toLocaleString();
    node.textContent = `${rest(Math.max(0, Date.now() - at))} ago`;
  }
}

async function renew() {
  if (document.hidden) return;
  try {
    const reply = await fetch(location.pathname, { credentials: "same-origin", cache: "no-store" });
    if (reply.status === 401) location.reload();
    if (!reply.ok) throw new Error(reply.statusText);
    const fresh = new DOMParser().parseFromString(await reply.text(), "text/html");
    // The first game or the last one changes more than cards.
    if (
      LISTS.some((name) => Boolean(find(document, `#${name} > *`)) !== Boolean(find(fresh, `#${name} > *`)))
    )
      location.reload();
    for (const name of LISTS) await renewList(find(document, `#${name}`), find(fresh, `#${name}`));
    $("line").textContent = "";
  } catch {
    $("line").textContent = "Connection lost: trying again…";
  }
  tellTimes();
}

for (const node of document.querySelectorAll(LISTS.map((name) => `#${name} > *`).join()))
  sent.set(node, node.outerHTML);
tellTimes();
setInterval(renew, EVERY);
document.addEventListener("visibilitychange", renew);
