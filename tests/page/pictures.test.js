// Pictures that come as what has changed.
import assert from "node:assert/strict";
import test from "node:test";
import { Pictures } from "../../bot/web/page/server.js";

test("an edited picture has the new lines", () => {
  const pictures = new Pictures();
  assert.deepEqual(pictures.read({ id: "a", svg: "1\n2\n3\n4" }), ["1", "2", "3", "4"]);
  const edits = [
    [0, 1, ["one"]],
    [2, 2, []],
    [4, 0, ["5", "6"]],
  ];
  assert.deepEqual(pictures.read({ id: "b", base: "a", edits }), ["one", "2", "5", "6"]);
  assert.deepEqual(pictures.read({ id: "b", base: "b", edits: [] }), ["one", "2", "5", "6"]);
});

test("a picture from an unknown one cannot be read", () => {
  assert.equal(new Pictures().read({ id: "b", base: "a", edits: [] }), null);
});

test("the pictures used last are kept", () => {
  const pictures = new Pictures();
  pictures.read({ id: "first", svg: "1" });
  for (let i = 0; i < 11; i += 1) pictures.read({ id: `other ${i}`, svg: "x" });
  assert.deepEqual(pictures.read({ id: "first", base: "first", edits: [] }), ["1"]);
  for (let i = 0; i < 12; i += 1) pictures.read({ id: `more ${i}`, svg: "x" });
  assert.equal(pictures.read({ id: "first", base: "first", edits: [] }), null);
});
