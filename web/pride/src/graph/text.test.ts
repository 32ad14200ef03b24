import { expect, test } from "vitest";

import { excerptOf } from "./text";

test("a node is marked with its type", () => {
  const text = "{a=Core::BooleanValue(Value='true'),\n  b=Core::BooleanNot(inValue=a.outValue)}";
  expect(excerptOf(text, 1, 2)).toEqual({ before: "{", word: "a=Core::BooleanValue", after: "(Value='true'),\n  b=Core::BooleanNot(inValue=a.outValue)}" });
  expect(excerptOf(text, 2, 3)).toMatchObject({ word: "b=Core::BooleanNot", after: "(inValue=a.outValue)}" });
});

test("a long text is cut, and a place that is not there is its end", () => {
  const text = "x".repeat(5000);
  const part = excerptOf(`${text},name=T()${text}`, 1, 5002);
  expect(part.word).toBe("name=T");
  expect(part.before.length).toBe(301);
  expect(part.after.length).toBe(301);
  expect(excerptOf("{}", 7, 9)).toEqual({ before: "{}", word: "", after: "" });
});
