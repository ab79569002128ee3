import { IconLock } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { EmptyState } from "../ui/EmptyState.tsx";

/** For somebody who stood in the Admin tab when the role went. */
export function AccessDenied(): ReactNode {
  return (
    <EmptyState icon={<IconLock size={32} stroke={1.5} />} title="Access Denied">
      This part is for administrators.
    </EmptyState>
  );
}
