import { expect, test } from "vitest";
import { answerAsCause, isBotWall, otherCert, parseJson } from "./upstream-answers.ts";

const isWall = (text: string): boolean => isBotWall({ kind: "answered", status: 200, headers: {}, text, url: "" });
const LARGE = 5_000_000;

test.each(["error code: 1010", "<h1><span>Error</span>\n <span class='code'>1010</span></h1>"])(
  "a bot wall: %s",
  (text) => {
    expect(isWall(text)).toBe(true);
  },
);

// With quadratic time, each of these would take hours.
test.each(["error<", "error <a>", "error ", "<title> ", "<", "cf-"])("large answers of %j are no bot walls", (part) => {
  expect(isWall(part.repeat(LARGE / part.length))).toBe(false);
});

test("the log gets only the beginning of a wrong certificate number", () => {
  expect(String(otherCert("TAG", "X1000001", "9".repeat(LARGE)).cause).length).toBeLessThan(200);
});

test("the log gets the beginning of an answer, from its first 3,000 characters", () => {
  const causeOf = (text: string) =>
    answerAsCause({ kind: "answered", status: 500, headers: {}, text, url: "" }).message;
  expect(causeOf(`\n <p>\n  Sorry\t</p>${" ".repeat(LARGE)}`)).toBe("HTTP 500: <p> Sorry </p>");
  expect(causeOf(`a${" ".repeat(3_000)}b`)).toBe("HTTP 500: a");
  expect(causeOf("")).toBe("HTTP 500: (no body)");
});

test("JSON that nests too deep is not parsed", () => {
  expect(parseJson(`{"a":"${"[".repeat(1_000)}"}`)).toMatchObject({ ok: true });
  expect(parseJson("[".repeat(LARGE / 2) + "]".repeat(LARGE / 2))).toEqual({
    ok: false,
    cause: new Error("The JSON is nested too deep"),
  });
});
