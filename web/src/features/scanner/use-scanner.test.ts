import { expect, test } from "vitest";
import { START_MESSAGES } from "./use-scanner.ts";

test("why a start is refused is said in SPEC's words", () => {
  expect(START_MESSAGES).toEqual({
    noSheet: "Please upload a CSV file first.",
    noUser: "Authentication error. Please refresh and login again.",
    signedOut: "Authentication required. Please login to process cards.",
  });
});
