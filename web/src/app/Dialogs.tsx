import { ModalsProvider } from "@mantine/modals";
import { useEffect } from "react";
import { setDialogsReady } from "../ui/confirm-dialog.tsx";

/** Where `confirmDialog` shows its dialogs. */
export function Dialogs() {
  // Runs after the provider's own effect, which receives the requests for dialogs.
  useEffect(() => setDialogsReady(), []);
  return <ModalsProvider>{null}</ModalsProvider>;
}
