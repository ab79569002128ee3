import { DEACTIVATED_MESSAGE, type OwnProfile, PROFILE_FAILURE_MESSAGE } from "@slabdesk/contract/api/people.ts";
import { ApiError } from "../api/errors.ts";

/**
 * Who may see the page.
 *
 * - checking: The initial state. Is there a session, and is its user admitted?
 * - unreachable: The check could not reach the server; the user may retry.
 * - signed-out: The login screen, with a message if the last try was refused. `isBusy` is true during a try.
 *   `needsCode`: the password was right, and the account has two-step sign-in.
 * - signed-in: The app. With `profile.mustChangePassword` or `profile.mustSetUpTwoStep`, only the screen for that.
 *
 * The only way from checking or unreachable to signed-in is a profile that loaded and is active.
 */
export type Gate =
  | { at: "checking" }
  | { at: "unreachable"; error: unknown }
  | { at: "signed-out"; isBusy: boolean; message: string | null; needsCode: boolean }
  | { at: "signed-in"; profile: OwnProfile };

export type GateEvent =
  | { type: "check_started" }
  | { type: "check_failed"; error: unknown }
  | { type: "sign_in_started" }
  /** Not signed in, and why. `message` is null if nobody tried. */
  | { type: "refused"; message: string | null; needsCode?: boolean }
  | { type: "admitted"; profile: OwnProfile }
  | { type: "profile_changed"; change: Partial<OwnProfile> }
  | { type: "signed_out" };

export function gateReducer(gate: Gate, event: GateEvent): Gate {
  switch (event.type) {
    case "check_started":
      return gate.at === "unreachable" || gate.at === "checking" ? { at: "checking" } : gate;
    case "check_failed":
      return gate.at === "checking" ? { at: "unreachable", error: event.error } : gate;
    case "sign_in_started":
      return gate.at === "signed-out" ? { ...gate, isBusy: true, message: null } : gate;
    case "refused":
      return gate.at === "signed-in" ? gate : signedOut(event.message, event.needsCode);
    case "admitted":
      return gate.at === "checking" || (gate.at === "signed-out" && gate.isBusy)
        ? { at: "signed-in", profile: event.profile }
        : gate;
    case "profile_changed":
      return gate.at === "signed-in" ? { at: "signed-in", profile: { ...gate.profile, ...event.change } } : gate;
    case "signed_out":
      return signedOut(null);
  }
}

function signedOut(message: string | null, needsCode = false): Gate {
  return { at: "signed-out", isBusy: false, message, needsCode };
}

/** Admits active profiles only. */
export function judgeProfile(profile: OwnProfile): GateEvent {
  return profile.isActive ? { type: "admitted", profile } : { type: "refused", message: DEACTIVATED_MESSAGE };
}

/** For a profile that failed to load. */
export function refusalOf(error: unknown): GateEvent {
  const isDeactivated = error instanceof ApiError && error.code === "deactivated";
  return { type: "refused", message: isDeactivated ? DEACTIVATED_MESSAGE : PROFILE_FAILURE_MESSAGE };
}
