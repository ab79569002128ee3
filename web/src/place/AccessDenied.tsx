import { IconLock } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { EmptyState } from "../ui/EmptyState.tsx";

/** Shown in place of what the user may not see. `children` says why. */
export function AccessDenied({ children }: { children: ReactNode }) {
  return (
    <EmptyState icon={<IconLock size={32} stroke={1.5} />} title="Access Denied">
      {children}
    </EmptyState>
  );
}
