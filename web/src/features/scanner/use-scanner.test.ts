import { expect, test } from "vitest";
import { START_MESSAGES } from "./use-scanner.ts";

test("a refused start has the specified text", () => {
  expect(START_MESSAGES).toEqual({
    noSheet: "Please upload a CSV file first.",
    noUser: "Authentication error. Please refresh and login again.",
    signedOut: "Authentication required. Please login to process cards.",
  });
});
