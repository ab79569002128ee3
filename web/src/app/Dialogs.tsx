import { ModalsProvider } from "@mantine/modals";
import type { ReactNode } from "react";

/** Where `confirmDialog` shows its dialogs. */
export function Dialogs(): ReactNode {
  return <ModalsProvider>{null}</ModalsProvider>;
}
