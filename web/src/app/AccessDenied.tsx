import { IconLock } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { EmptyState } from "../ui/EmptyState.tsx";

/** Shown if the user loses the admin role while the Admin tab is open. */
export function AccessDenied(): ReactNode {
  return (
    <EmptyState icon={<IconLock size={32} stroke={1.5} />} title="Access Denied">
      This part is for administrators.
    </EmptyState>
  );
}
