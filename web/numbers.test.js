import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { sensible } from "./numbers.js";

test("numbers have sensible digits", () => {
  const cases = JSON.parse(readFileSync(new URL("./sensible.test.json", import.meta.url)));
  for (const [text, want] of Object.entries(cases)) assert.equal(sensible(text), want);
});
