import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { getScanSession, listScanSessions } from "../../api/sessions.ts";
import { isGone } from "../../api/errors.ts";
import { forgetSession, rememberedSessionId } from "./remembered-session.ts";

/** The session to show when the tab opens: the newest running one, else the remembered one, else none. */
export async function findSessionToShow(): Promise<ScanSession | null> {
  const { sessions } = await listScanSessions({ limit: 50 });
  const running = sessions.find((session) => session.status === "processing");
  if (running) return running;
  const remembered = rememberedSessionId();
  if (remembered === null) return null;
  return sessions.find((session) => session.id === remembered) ?? (await findSession(remembered));
}

/** Null if the session is gone or belongs to another user. */
async function findSession(sessionId: string): Promise<ScanSession | null> {
  try {
    return await getScanSession(sessionId);
  } catch (error) {
    if (!isGone(error)) throw error;
    forgetSession(sessionId);
    return null;
  }
}
