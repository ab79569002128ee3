import { Button } from "@mantine/core";
import { IconCircleCheck } from "@tabler/icons-react";
import { EmptyState } from "../../ui/EmptyState.tsx";
import type { ReviewProgress } from "../review/use-review-progress.ts";
import type { TableControl } from "./use-table-control.ts";
import { formatCount } from "../../ui/format-numbers.ts";

/** Shown when the filter and the find text match no rows. */
export function WithoutRows({ control, progress }: { control: TableControl; progress: ReviewProgress }) {
  const isDone = control.filter === "needs_review" && progress.left === 0;
  const showAll = (): void => {
    control.setFilter("all");
    control.setFind("");
  };
  return (
    <EmptyState
      icon={isDone ? <IconCircleCheck size={40} stroke={1.5} color="var(--sd-good)" /> : undefined}
      title={isDone ? "Nothing to review" : "No matching rows"}
      action={
        <Button size="xs" onClick={showAll}>
          Show all rows
        </Button>
      }
    >
      {isDone ? workedMessage(progress.worked) : "Change the filter or the text in the find box."}
    </EmptyState>
  );
}

function workedMessage(worked: number): string {
  if (worked === 0) return "This session has no mismatches, failures or doubts.";
  return worked === 1 ? "The one row that did is reviewed." : `All ${formatCount(worked)} rows that did are reviewed.`;
}
