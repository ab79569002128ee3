import { describe, expect, it } from "vitest";
import {
  ApiError,
  errorMessage,
  errorReference,
  NetworkError,
  RequestTimeoutError,
  signInErrorMessage,
  UnexpectedAnswerError,
} from "./errors.ts";

const refused = new ApiError("Invalid email or password", { status: 401, code: "unauthorized", requestId: "req-7" });
const nameless = new ApiError("The server answered 502 without saying why.", {
  status: 502,
  code: "unknown",
  requestId: null,
});

describe("errorMessage", () => {
  it.each([
    ["the server's words as they are", refused, "Invalid email or password"],
    ["an answer without our body", nameless, "The server answered 502 without saying why."],
    ["no answer", new NetworkError("x"), "Could not connect to backend server. Please ensure it is running."],
    [
      "a late answer",
      new RequestTimeoutError(30_000, {}),
      "The server did not respond within 30 seconds. Please try again.",
    ],
    [
      "an answer of another version",
      new UnexpectedAnswerError("x"),
      "This page and the server have different versions. Reload the page.",
    ],
    ["a bug", new TypeError("x is not a function"), "An unexpected error occurred. Please try again."],
    ["something that is no error", "x", "An unexpected error occurred. Please try again."],
  ])("%s", (_name, error, message) => {
    expect(errorMessage(error)).toBe(message);
  });
});

describe("signInErrorMessage", () => {
  it.each([
    [refused, "Invalid email or password"],
    [new NetworkError("x"), "An unexpected error occurred. Please try again."],
    [new RequestTimeoutError(30_000, {}), "An unexpected error occurred. Please try again."],
  ])("%s", (error, message) => {
    expect(signInErrorMessage(error)).toBe(message);
  });
});

describe("errorReference", () => {
  it("names the request id if the server sent one", () => {
    expect(errorReference(refused)).toBe("Request req-7");
    expect(errorReference(nameless)).toBeNull();
    expect(errorReference(new NetworkError("x"))).toBeNull();
  });
});
