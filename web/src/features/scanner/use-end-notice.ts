import { useState } from "react";
import { toast } from "../../ui/toast.tsx";
import { askForNotices, noticePermission } from "./end-notice.ts";

/** Whether the browser may still be asked to tell of the end of a run, and the asking; never without a press. */
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
