import { expect, test } from "vitest";

import { step } from "../palette/step";
import type { LogEntry, RecordedRule } from "../wire";
import { matching } from "./log";
import { grouped } from "./parts";
import { newestFirst } from "./rules";

const line = (number: number, level: string, message: string, fields?: string): LogEntry => ({ number, time: "2026-11-23T09:30:00.000Z", level, message, ...(fields !== undefined && { fields }) });

test("lines of the log are found by level and words, the newest first", () => {
  const lines = [line(1, "DEBUG", "looked"), line(2, "INFO", "device is there", '{"device":"lwr"}'), line(10, "WARN", "late"), line(9, "ERROR", "device lost"), line(11, "FATAL", "gone")];
  const found = (level: string, find: string) => matching(lines, level, find).map((l) => l.number);
  expect(found("", "")).toEqual([11, 10, 9, 2, 1]);
  expect(found("warn", "")).toEqual([11, 10, 9]);
  expect(found("error", "")).toEqual([11, 9]);
  expect(found("", "DEVICE lwr")).toEqual([2]);
  expect(found("error", "device")).toEqual([9]);
  expect(found("", ".*")).toEqual([]);
});

test("rules that have decided something come before those that wait, the newest first", () => {
  const rule = (id: number, state: string, tick?: string): RecordedRule => ({
    id, uri: "", state, condition: "", stop: [], cancel: [], start: [], record: { account: "", value: "", variables: [], ...(tick !== undefined && { tick }) },
  });
  const rules = [rule(0, "ACTIVE", "2026-11-23T09:30:09Z"), rule(1, "FIRED", "2026-11-23T09:30:01Z"), rule(2, "ACTIVE"), rule(3, "FIREFAILED", "2026-11-23T09:30:02Z")];
  expect(newestFirst(rules).map((r) => r.id)).toEqual([3, 1, 2, 0]);
});

test("thousands can be seen", () => {
  expect([0, 999, 1000, 1234567].map(grouped)).toEqual(["0", "999", "1,000", "1,234,567"]);
});

test("arrows go round a list, pages stop at its ends", () => {
  expect([step("ArrowDown", 2, 3), step("ArrowUp", 0, 3), step("PageDown", 1, 30), step("PageDown", 25, 30), step("PageUp", 3, 30)]).toEqual([0, 2, 11, 29, 0]);
  expect([step("ArrowDown", 0, 0), step("Home", 1, 3)]).toEqual([null, null]);
});
