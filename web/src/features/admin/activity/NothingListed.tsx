import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import { EmptyState } from "../../../ui/EmptyState.tsx";

type NothingListedProps = {
  icon: ReactNode;
  title: string;
  /** Plural noun for the items, used in the button. */
  things: string;
  /** True if a filter is active. */
  isFiltered: boolean;
  whenFiltered: string;
  whenNone: string;
  onShowAll: () => void;
};

/** Shown for an empty list, with a button that clears the filter. */
export function NothingListed(props: NothingListedProps): ReactNode {
  const { icon, title, things, isFiltered, whenFiltered, whenNone, onShowAll } = props;
  const showAll = (
    <Button size="xs" onClick={onShowAll}>
      Show all {things}
    </Button>
  );
  return (
    <EmptyState icon={icon} title={title} action={isFiltered && showAll}>
      {isFiltered ? whenFiltered : whenNone}
    </EmptyState>
  );
}
