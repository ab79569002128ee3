import { expect, test } from "vitest";
import { cameraProblem, secureContextProblem } from "./camera-messages.ts";

test.each([
  ["NotAllowedError", /denied/, /allow the camera/],
  ["NotFoundError", /No camera/, /phone/],
  ["OverconstrainedError", /No camera/, /phone/],
  ["NotReadableError", /in use/, /Close it/],
  ["InvalidStateError", /didn't start/, /Open it again/],
])("%s has a message with advice", (name, title, advice) => {
  const problem = cameraProblem(new DOMException("internal words", name));
  expect(problem.title).toMatch(title);
  expect(problem.advice).toMatch(advice);
  expect(`${problem.title} ${problem.advice}`).not.toContain("internal words");
});

test("a page on plain http gets a message before the browser asks for the camera", () => {
  expect(secureContextProblem(false)?.advice).toMatch(/https/);
  expect(secureContextProblem(true)).toBeNull();
});
