import { DEACTIVATED_MESSAGE, PROFILE_FAILURE_MESSAGE, type Profile } from "@slabdesk/contract/api/people.ts";
import { ApiError } from "../api/errors.ts";

/**
 * Who may see the page.
 *
 *   checking     the first moment: is there a session, and may its user come in?
 *   unreachable  nobody could say; the user may ask again
 *   signed-out   the login screen, with a message when the last try was refused; `isBusy` while one is under way
 *   signed-in    the product; with `profile.mustChangePassword` nothing but choosing a password
 *
 * Nothing leads from checking or unreachable to signed-in but a profile that loaded and is active.
 */
export type Gate =
  | { at: "checking" }
  | { at: "unreachable"; error: unknown }
  | { at: "signed-out"; isBusy: boolean; message: string | null }
  | { at: "signed-in"; profile: Profile };

export type GateEvent =
  | { type: "check_started" }
  | { type: "check_failed"; error: unknown }
  | { type: "nobody_found" }
  | { type: "sign_in_started" }
  | { type: "refused"; message: string }
  | { type: "admitted"; profile: Profile }
  | { type: "password_chosen"; profile: Profile }
  | { type: "signed_out" };

export function gateReducer(gate: Gate, event: GateEvent): Gate {
  switch (event.type) {
    case "check_started":
      return gate.at === "unreachable" || gate.at === "checking" ? { at: "checking" } : gate;
    case "check_failed":
      return gate.at === "checking" ? { at: "unreachable", error: event.error } : gate;
    case "nobody_found":
      return gate.at === "checking" ? { at: "signed-out", isBusy: false, message: null } : gate;
    case "sign_in_started":
      return gate.at === "signed-out" ? { at: "signed-out", isBusy: true, message: null } : gate;
    case "refused":
      return gate.at === "signed-in" ? gate : { at: "signed-out", isBusy: false, message: event.message };
    case "admitted":
      return gate.at === "checking" || (gate.at === "signed-out" && gate.isBusy)
        ? { at: "signed-in", profile: event.profile }
        : gate;
    case "password_chosen":
      return gate.at === "signed-in" ? { at: "signed-in", profile: event.profile } : gate;
    case "signed_out":
      return { at: "signed-out", isBusy: false, message: null };
  }
}

export type Admission = { isAdmitted: true; profile: Profile } | { isAdmitted: false; message: string };

/** What a session's profile allows: only an active one comes in; the words are SPEC section 8's. */
export function judgeProfile(profile: Profile): Admission {
  return profile.isActive ? { isAdmitted: true, profile } : { isAdmitted: false, message: DEACTIVATED_MESSAGE };
}

/** Why no profile came, in SPEC's words. */
export function profileFailureMessage(error: unknown): string {
  return error instanceof ApiError && error.code === "deactivated" ? DEACTIVATED_MESSAGE : PROFILE_FAILURE_MESSAGE;
}
