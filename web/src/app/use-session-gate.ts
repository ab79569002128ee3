import { DEACTIVATED_MESSAGE, type OwnProfile, type SignIn } from "@slabdesk/contract/api/people.ts";
import { useQueryClient } from "@tanstack/react-query";
import { startTransition, useCallback, useEffect, useReducer, useRef } from "react";
import { getAuthSession, getProfile, signIn, signOut } from "../api/account.ts";
import { ApiError, AUTHENTICATION_FAILED_MESSAGE, errorMessage, signInErrorMessage } from "../api/errors.ts";
import { queryKeys } from "../api/query-keys.ts";
import { logQuietly } from "../api/quiet-log.ts";
import { onSessionLoss, type SessionLoss } from "../api/session-loss.ts";
import { leavePlace } from "../place/place-store.ts";
import { toast } from "../ui/toast.tsx";
import { forgetUser, leaveNotice, takeNotice } from "./browser-storage.ts";
import { gateReducer, judgeProfile, refusalOf } from "./session-gate.ts";

/** Clears the cookie if the server is reachable. A session that the server rejects is harmless anyway. */
async function dropSession(): Promise<void> {
  await signOut().catch((error: unknown) => logQuietly("Signing out failed", error));
}

/** Reloads the page with a message for the login screen. Leaves a valid auth session untouched. */
async function startAnew({ reason, message = AUTHENTICATION_FAILED_MESSAGE }: SessionLoss): Promise<void> {
  if (reason !== "must_change_password" && reason !== "must_set_up_two_step") {
    leaveNotice(reason === "deactivated" ? DEACTIVATED_MESSAGE : message);
    forgetUser({ keepsScans: true });
    await dropSession();
  }
  window.location.reload();
}

/** Delay before an automatic retry of an unreachable server. */
const ASK_AGAIN_MS = 5_000;

/** Checks for a session at load, signs in and out, and reloads if the server drops it. `onSession`: one was found. */
export function useSessionGate(onSession: () => void) {
  const queryClient = useQueryClient();
  const [gate, dispatch] = useReducer(gateReducer, { at: "checking" });
  const isLeaving = useRef(false);

  const enter = useCallback(async () => {
    const event = await getProfile().then(judgeProfile, refusalOf);
    if (event.type === "refused") await dropSession();
    // The screen stays until the next one is loaded.
    startTransition(() => dispatch(event));
  }, []);

  const check = useCallback(async () => {
    dispatch({ type: "check_started" });
    try {
      if ((await getAuthSession()) === null) return dispatch({ type: "refused", message: takeNotice() });
      onSession();
      await enter();
    } catch (error) {
      dispatch({ type: "check_failed", error });
    }
  }, [enter, onSession]);

  async function submit(credentials: SignIn): Promise<void> {
    dispatch({ type: "sign_in_started" });
    try {
      await signIn(credentials);
    } catch (error) {
      const needsCode = error instanceof ApiError && error.code === "two_step_required";
      const isFirstStep = needsCode && credentials.code === undefined;
      return dispatch({ type: "refused", message: isFirstStep ? null : signInErrorMessage(error), needsCode });
    }
    await enter();
  }

  async function leave(): Promise<void> {
    isLeaving.current = true;
    try {
      await signOut();
      forgetUser({ keepsScans: false });
      leavePlace();
      queryClient.clear();
      dispatch({ type: "signed_out" });
    } catch (error) {
      toast.error({ id: "logout", message: `You are still signed in. ${errorMessage(error)}` });
    } finally {
      isLeaving.current = false;
    }
  }

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
      // Losing the admin role removes the Admin tab.
      if (loss.reason === "not_allowed") return void queryClient.invalidateQueries({ queryKey: queryKeys.profile() });
      if (isLeaving.current) return;
      isLeaving.current = true;
      void startAnew(loss);
    });
  }, [isInside, queryClient]);

  /** The user did what the profile asked for. */
  const onProfileChanged = (change: Partial<OwnProfile>): void => dispatch({ type: "profile_changed", change });
  /** Back from the code to email and password. */
  const startAgain = (): void => dispatch({ type: "refused", message: null });

  return { gate, check, submit, startAgain, leave, onProfileChanged };
}
