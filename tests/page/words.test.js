// Words and colours that the page makes itself.
import assert from "node:assert/strict";
import test from "node:test";
import { brief, ink, plural } from "../../bot/web/page/dom.js";
import { rest, turnWords } from "../../bot/web/page/turn_words.js";

const NOW = Date.parse("2026-03-01T12:00:00Z");

test("time left has the unit that is read best", () => {
  const words = [-1, 0, 89, 90, 2879, 2880].map(rest);
  assert.deepEqual(words, ["over", "0 min", "89 min", "2 h", "48 h", "2 days"]);
});

test("the turn says who must act, and until when", () => {
  const turn = { actor_names: ["Ann", "Bob"] };
  const stopped = { name: "Ann", is_stopped: true, expires_at: null };
  const running = { name: "Bob", is_stopped: false, expires_at: "2026-03-01T12:30:00" };
  const shown = {
    turn,
    clocks: [stopped, running],
    move_obstacle: null,
    is_over: false,
    you: { is_acting: false },
  };
  assert.match(turnWords(shown, false, NOW), /^Ann, Bob · Ann \(clock stopped\), Bob until .* \(30 min\)$/);
  assert.equal(turnWords({ ...shown, clocks: [], you: { is_acting: true } }, false, NOW), "Your turn");
  assert.equal(turnWords(shown, true, NOW), "Earlier position");
  assert.equal(turnWords({ ...shown, move_obstacle: "Paused." }, true, NOW), "On hold");
  assert.equal(turnWords({ ...shown, is_over: true }, false, NOW), "Game over");
});

test("letters are black or white, as the colour is light or dark", () => {
  assert.deepEqual(["#ffffff", "#ffd24a", "#204080", "#000000"].map(ink), ["#000", "#000", "#fff", "#fff"]);
});

test("a notice has the first line, and how many follow", () => {
  assert.equal(brief(["Ann passes", "", "SR 2 ends"]), "Ann passes (1 more line in the log)");
  assert.equal(plural(2, "pass", "passes"), "2 passes");
});
