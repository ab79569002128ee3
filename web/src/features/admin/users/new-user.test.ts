import type { NewUserFault } from "@slabdesk/contract/api/people.ts";
import { describe, expect, it } from "vitest";
import { ApiError, NetworkError } from "../../../api/errors.ts";
import { creationFailure, faultOf } from "./AddUserForm.tsx";

const REQUIRED = "Please fill in all required fields (Email, Password, and Full Name)";
const good = { email: "ana@example.com", password: "secret", fullName: "Ana Ruiz" };

describe("faultOf", () => {
  it.each<[string, typeof good, NewUserFault | null]>([
    ["nothing is wrong", good, null],
    ["spaces around are no fault", { ...good, email: " ana@example.com ", fullName: " Ana " }, null],
    ["letters of any language", { ...good, email: "josé@shop.test" }, null],
    ["no email", { ...good, email: " " }, { field: "email", message: REQUIRED }],
    ["no password", { ...good, password: "" }, { field: "password", message: REQUIRED }],
    ["no name", { ...good, fullName: "  " }, { field: "fullName", message: REQUIRED }],
    [
      "what is missing goes before what is wrong",
      { ...good, email: "ana", fullName: "" },
      { field: "fullName", message: REQUIRED },
    ],
    ["no address", { ...good, email: "ana@shop" }, { field: "email", message: "Please enter a valid email address" }],
    [
      "five characters are too few",
      { ...good, password: "12345" },
      { field: "password", message: "Password must be at least 6 characters long" },
    ],
  ])("%s", (_name, draft, fault) => {
    expect(faultOf(draft)).toEqual(fault);
  });
});

describe("creationFailure", () => {
  it.each([
    [
      "what the server said",
      new ApiError("Auth error: A user with this email already exists", {
        status: 409,
        code: "conflict",
        requestId: "r",
      }),
      "Failed to create user: Auth error: A user with this email already exists",
    ],
    ["no answer", new NetworkError("x"), "Failed to create user. Please try again."],
  ])("%s", (_name, error, message) => {
    expect(creationFailure(error)).toBe(message);
  });
});
