// Tiles by kind, and lines of a chart beside each other.
import assert from "node:assert/strict";
import test from "node:test";
import { spread } from "../../bot/web/page/charts.js";
import { byTile } from "../../bot/web/page/tile_choice.js";

test("the ways a tile can be turned stand together", () => {
  const choices = [
    ["57", 0],
    ["58", 1],
    ["57", 2],
  ].map(([tile, rotation]) => ({ tile, rotation }));
  const kinds = byTile([...choices, { hex: "G5" }]);
  assert.deepEqual([...kinds.keys()], ["57", "58"]);
  assert.deepEqual(
    kinds.get("57").map((one) => one.rotation),
    [0, 2],
  );
});

test("names of lines that end together stand apart, within the chart", () => {
  assert.deepEqual(spread([10, 12, 100], 15, 200), [10, 25, 100]);
  assert.deepEqual(spread([198, 199, 50], 15, 200), [185, 200, 50]);
});
