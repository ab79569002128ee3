import { DEACTIVATED_MESSAGE, type Profile } from "@slabdesk/contract/api/people.ts";
import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useReducer, useRef } from "react";
import { getAuthSession, getProfile, signIn, signOut } from "../api/client.ts";
import { AUTHENTICATION_FAILED_MESSAGE, errorMessage, signInErrorMessage } from "../api/error-messages.ts";
import { logQuietly } from "../api/quiet-log.ts";
import { onSessionLoss, type SessionLoss } from "../api/session-loss.ts";
import { toast } from "../ui/toast.tsx";
import { forgetLostSession, forgetUser, leaveNotice, takeNotice } from "./browser-storage.ts";
import { type Admission, type Gate, gateReducer, judgeProfile, profileFailureMessage } from "./session-gate.ts";

/** Clears the cookie if the server is reachable. A session that the server rejects is harmless anyway. */
async function dropSession(): Promise<void> {
  try {
    await signOut();
  } catch (error) {
    logQuietly("Signing out failed", error);
  }
}

async function admit(): Promise<Admission> {
  let admission: Admission;
  try {
    admission = judgeProfile(await getProfile());
  } catch (error) {
    admission = { isAdmitted: false, message: profileFailureMessage(error) };
  }
  if (!admission.isAdmitted) await dropSession();
  return admission;
}

/** Reloads the page with a message for the login screen. Leaves a valid sign-in untouched. */
async function startAnew({ reason, message = AUTHENTICATION_FAILED_MESSAGE }: SessionLoss): Promise<void> {
  if (reason !== "must_change_password") {
    leaveNotice(reason === "deactivated" ? DEACTIVATED_MESSAGE : message);
    forgetLostSession();
    await dropSession();
  }
  window.location.reload();
}

/** Delay before an automatic retry of an unreachable server. */
const ASK_AGAIN_MS = 5_000;

export type SessionGate = {
  gate: Gate;
  check: () => Promise<void>;
  submit: (email: string, password: string) => Promise<void>;
  leave: () => Promise<void>;
  /** The user replaced the one-time password. */
  onPasswordChosen: (profile: Profile) => void;
};

/**
 * Manages the session gate: checks for a session at load, signs in and out, and reloads if the server drops the
 * session.
 */
export function useSessionGate(): SessionGate {
  const queryClient = useQueryClient();
  const [gate, dispatch] = useReducer(gateReducer, { at: "checking" });
  const isLeaving = useRef(false);

  const decide = useCallback(async () => {
    const admission = await admit();
    dispatch(
      admission.isAdmitted
        ? { type: "admitted", profile: admission.profile }
        : { type: "refused", message: admission.message },
    );
  }, []);

  const check = useCallback(async () => {
    dispatch({ type: "check_started" });
    try {
      if ((await getAuthSession()) !== null) return await decide();
      const notice = takeNotice();
      dispatch(notice === null ? { type: "nobody_found" } : { type: "refused", message: notice });
    } catch (error) {
      dispatch({ type: "check_failed", error });
    }
  }, [decide]);

  const submit = useCallback(
    async (email: string, password: string) => {
      dispatch({ type: "sign_in_started" });
      try {
        await signIn(email, password);
      } catch (error) {
        dispatch({ type: "refused", message: signInErrorMessage(error) });
        return;
      }
      await decide();
    },
    [decide],
  );

  const leave = useCallback(async () => {
    isLeaving.current = true;
    try {
      await signOut();
      forgetUser();
      queryClient.clear();
      dispatch({ type: "signed_out" });
    } catch (error) {
      toast.error({ id: "logout", message: `You are still signed in. ${errorMessage(error)}` });
    } finally {
      isLeaving.current = false;
    }
  }, [queryClient]);

  useEffect(() => {
    void check();
  }, [check]);

  const isUnreachable = gate.at === "unreachable";
  useEffect(() => {
    if (!isUnreachable) return undefined;
    const timer = setTimeout(() => void check(), ASK_AGAIN_MS);
    return () => clearTimeout(timer);
  }, [isUnreachable, check]);

  const isInside = gate.at === "signed-in";
  useEffect(() => {
    if (!isInside) return undefined;
    return onSessionLoss((loss) => {
      if (isLeaving.current) return;
      isLeaving.current = true;
      void startAnew(loss);
    });
  }, [isInside]);

  const onPasswordChosen = useCallback((profile: Profile) => dispatch({ type: "password_chosen", profile }), []);

  return { gate, check, submit, leave, onPasswordChosen };
}
