import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { useRef, useState } from "react";
import { errorMessage } from "../api/error-messages.ts";
import { repriceScanSession } from "../api/sessions.ts";
import { toast } from "../ui/toast.tsx";
import { repricedMessage } from "./reprice-view.ts";

/** Reprices a session, one request at a time. `onChanged` gets the session that the server returned. */
export function useReprice(onChanged: (session: ScanSession) => void): {
  isAsking: boolean;
  reprice: (sessionId: string) => void;
} {
  const [isAsking, setIsAsking] = useState(false);
  const isUnderWay = useRef(false);
  const reprice = async (sessionId: string): Promise<void> => {
    if (isUnderWay.current) return;
    isUnderWay.current = true;
    setIsAsking(true);
    const id = `reprice-${sessionId}`;
    try {
      const session = await repriceScanSession(sessionId);
      onChanged(session);
      toast.info({ id, message: repricedMessage(session) });
    } catch (error) {
      toast.error({ id, title: "The prices were not asked for", message: errorMessage(error) });
    } finally {
      isUnderWay.current = false;
      setIsAsking(false);
    }
  };
  return { isAsking, reprice: (sessionId) => void reprice(sessionId) };
}
