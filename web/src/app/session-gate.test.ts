import type { OwnProfile } from "@slabdesk/contract/api/people.ts";
import { describe, expect, it } from "vitest";
import { ApiError, NetworkError } from "../api/errors.ts";
import { type Gate, type GateEvent, gateReducer, judgeProfile, refusalOf } from "./session-gate.ts";

const profile: OwnProfile = {
  id: "u1",
  email: "ana@example.com",
  fullName: "Ana Ruiz",
  role: "user",
  isActive: true,
  totalScans: 48,
  totalCardsProcessed: 6214,
  lastLogin: null,
  createdAt: "2026-01-01T00:00:00.000Z",
  updatedAt: "2026-01-01T00:00:00.000Z",
  mustChangePassword: false,
  hasTwoStep: false,
  mustSetUpTwoStep: false,
};
const checking: Gate = { at: "checking" };
const unreachable: Gate = { at: "unreachable", error: new NetworkError("x") };
const idle: Gate = { at: "signed-out", isBusy: false, message: null, needsCode: false };
const busy: Gate = { at: "signed-out", isBusy: true, message: null, needsCode: false };
const inside: Gate = { at: "signed-in", profile };
const refused: GateEvent = { type: "refused", message: "no" };
const admitted: GateEvent = { type: "admitted", profile };

describe("gateReducer", () => {
  it.each<[string, Gate, GateEvent, Gate]>([
    ["an existing session comes in", checking, admitted, inside],
    ["no session leads to the login screen", checking, { type: "refused", message: null }, idle],
    ["a refused session says why", checking, refused, { ...idle, message: "no" }],
    [
      "a silent server is neither in nor out",
      checking,
      { type: "check_failed", error: unreachable.error },
      unreachable,
    ],
    ["and can be asked again", unreachable, { type: "check_started" }, checking],
    ["a try clears the last message", { ...idle, message: "no" }, { type: "sign_in_started" }, busy],
    ["a good try comes in", busy, admitted, inside],
    [
      "a right password may need a code",
      busy,
      { type: "refused", message: null, needsCode: true },
      { ...idle, needsCode: true },
    ],
    [
      "a try with a code stays there",
      { ...idle, needsCode: true },
      { type: "sign_in_started" },
      { ...busy, needsCode: true },
    ],
    ["a bad one says why", busy, refused, { ...idle, message: "no" }],
    ["nobody comes in without trying", idle, admitted, idle],
    ["nobody comes in while the server is silent", unreachable, admitted, unreachable],
    ["a late answer doesn't throw a user out", inside, refused, inside],
    ["a late check doesn't either", inside, { type: "check_started" }, inside],
    [
      "who came in by a one-time password goes on with an own one",
      { at: "signed-in", profile: { ...profile, mustChangePassword: true } },
      { type: "profile_changed", change: profile },
      inside,
    ],
    ["a password chosen by nobody lets nobody in", idle, { type: "profile_changed", change: profile }, idle],
    ["signing out does", inside, { type: "signed_out" }, idle],
  ])("%s", (_name, gate, event, expected) => {
    expect(gateReducer(gate, event)).toEqual(expected);
  });
});

describe("the profile", () => {
  it("admits an active user and refuses a deactivated one with the specified text", () => {
    expect(judgeProfile(profile)).toEqual({ type: "admitted", profile });
    expect(judgeProfile({ ...profile, isActive: false })).toEqual({
      type: "refused",
      message: "Your account has been deactivated. Please contact an administrator.",
    });
  });

  it.each([
    [
      "the server's refusal",
      new ApiError("x", { status: 403, code: "deactivated", requestId: "r" }),
      "Your account has been deactivated. Please contact an administrator.",
    ],
    [
      "a broken server",
      new ApiError("x", { status: 500, code: "internal", requestId: "r" }),
      "Failed to load user profile",
    ],
    ["no answer", new NetworkError("x"), "Failed to load user profile"],
  ])("%s has its message", (_name, error, message) => {
    expect(refusalOf(error)).toEqual({ type: "refused", message });
  });
});
