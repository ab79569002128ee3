import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { errorMessage } from "../api/error-messages.ts";
import { isGone, mayPass } from "../api/errors.ts";
import type { RowsStore } from "../table/rows-store.ts";
import { followRun, type RunFollower } from "./follow-run.ts";
import { joinFollowers } from "./followers.ts";

/** Delay before an unreachable server is tried again, in milliseconds. */
export const TRY_AGAIN_MS = 3_000;

export type RowsLoading =
  | { kind: "loading" }
  | { kind: "ready" }
  | { kind: "failed"; problem: string; retry: () => void };

type FollowedSession = {
  session: ScanSession | null;
  rows: RowsStore;
  /** Following pauses while this is false. */
  isInView?: boolean;
  /** The row to load first, with the rows around it. */
  firstRowId?: string | null;
  onSession: (session: ScanSession) => void;
  /** Called when the session was deleted; the caller removes it. */
  onGone: (session: ScanSession) => void;
};

/** Keeps the shown session's rows in the store. Clears the store when the session changes. */
export function useFollowedSession({
  session,
  rows,
  isInView = true,
  firstRowId = null,
  onSession,
  onGone,
}: FollowedSession): {
  loading: RowsLoading;
  /** False while the server is unreachable; the data shown may be stale. */
  isReached: boolean;
} {
  const [isReached, setReached] = useState(true);
  const [loading, setLoading] = useState<RowsLoading>({ kind: "ready" });
  const follower = useRef<RunFollower | null>(null);
  const sessionId = session?.id ?? null;
  const tell = useEffectEvent(onSession);
  const tellGone = useEffectEvent(() => {
    if (session !== null) onGone(session);
  });
  const begin = useEffectEvent((onFailure: (error: unknown) => void): RunFollower | null => {
    if (session === null) return null;
    setLoading({ kind: "loading" });
    const begun = followRun({
      session,
      rows,
      firstRowId,
      onSession: (newer) => tell(newer),
      onReach: setReached,
      onLoaded: () => {
        setReached(true);
        setLoading({ kind: "ready" });
      },
      onFailure,
    });
    begun.setInView(isInView);
    return begun;
  });

  useEffect(() => {
    if (sessionId === null) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const follow = (): void => {
      clearTimeout(timer);
      follower.current = begin((error) => {
        setReached(!mayPass(error));
        if (isGone(error)) {
          setLoading({ kind: "ready" });
          return tellGone();
        }
        setLoading({ kind: "failed", problem: errorMessage(error), retry: follow });
        if (mayPass(error)) timer = setTimeout(follow, TRY_AGAIN_MS);
      });
    };
    follow();
    const leave = joinFollowers({ sessionId, look: () => follower.current?.look() });
    return () => {
      leave();
      clearTimeout(timer);
      follower.current?.close();
      follower.current = null;
      rows.clear();
    };
  }, [sessionId, rows]);
  useEffect(() => follower.current?.setInView(isInView), [isInView]);
  return { loading, isReached };
}
