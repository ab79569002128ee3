import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import { EmptyState } from "../../../ui/EmptyState.tsx";

type NothingListedProps = {
  icon: ReactNode;
  title: string;
  /** What the lines would be, as its button names them. */
  things: string;
  /** Whether a filter is why. */
  isFiltered: boolean;
  whenFiltered: string;
  whenNone: string;
  onShowAll: () => void;
};

/** A long list without a line, and the way out of a filter that leaves none. */
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
