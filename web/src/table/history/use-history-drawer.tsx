import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { type ReactNode, Suspense } from "react";
import { lazyPart, useEver } from "../../ui/lazy-part.tsx";
import type { RowView } from "../use-row-views.ts";

const HistoryDrawer = lazyPart(async () => (await import("./HistoryDrawer.tsx")).HistoryDrawer);

type HistoryDrawerOptions = {
  view: RowView;
  /** Whether open rows are still to be looked up. */
  isRunning: boolean;
};

/** The provenance drawer, mounted once opened, and its open function. */
export function useHistoryDrawer({ view, isRunning }: HistoryDrawerOptions): {
  open: (row: ResultRow) => void;
  overlays: ReactNode;
} {
  const wasOpen = useEver(view.isOpen);
  return {
    open: view.open,
    overlays: <Suspense fallback={null}>{wasOpen && <HistoryDrawer view={view} isRunning={isRunning} />}</Suspense>,
  };
}
