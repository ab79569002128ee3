import { useState } from "react";
import { toast } from "../../../ui/toast.tsx";
import { askForNotices, noticePermission } from "./end-notice.ts";

/**
 * Whether the page may still ask for the notification permission, and the function that asks. Call it only from a click
 * or key press.
 */
export function useEndNotice(): { canAsk: boolean; ask: () => void } {
  const [permission, setPermission] = useState(noticePermission);
  const ask = async (): Promise<void> => {
    const answer = await askForNotices();
    setPermission(answer);
    if (answer === "granted")
      toast.done({ id: "end-notice", message: "You will be notified when it is done, while this tab is open" });
    if (answer === "denied")
      toast.info({ id: "end-notice", message: "This browser will not notify you; the tab's title will say it" });
  };
  return { canAsk: permission === "default", ask: () => void ask() };
}
