import { Button } from "@mantine/core";
import { IconCircleCheck } from "@tabler/icons-react";
import { EmptyState } from "../../ui/EmptyState.tsx";
import type { ReviewProgress } from "../review/use-review-progress.ts";
import { count } from "../prices/price-messages.ts";
import type { TableView } from "./use-table-view.ts";

/** Shown when the filter and the find text match no rows. */
export function WithoutRows({ view, progress }: { view: TableView; progress: ReviewProgress }) {
  const isDone = view.filter === "needs_review" && progress.left === 0;
  const showAll = (
    <Button
      size="xs"
      onClick={() => {
        view.setFilter("all");
        view.setFind("");
      }}
    >
      Show all rows
    </Button>
  );
  return isDone ? (
    <EmptyState
      icon={<IconCircleCheck size={40} stroke={1.5} color="var(--sd-good)" />}
      title="Nothing needs a look"
      action={showAll}
    >
      {workedMessage(progress.worked)}
    </EmptyState>
  ) : (
    <EmptyState title="No rows match" action={showAll}>
      Change the filter or the words in the find box.
    </EmptyState>
  );
}

function workedMessage(worked: number): string {
  if (worked === 0) return "No mismatch, no failure, no doubt in this session.";
  return worked === 1 ? "The one row that did is worked." : `All ${count(worked)} rows that did are worked.`;
}
