import { ActionIcon, type ActionIconProps, Checkbox } from "@mantine/core";
import { IconChevronDown, IconChevronUp, IconPin, IconPinFilled } from "@tabler/icons-react";
import type { ComponentProps } from "react";
import { canMove, type ColumnArrangement } from "./column-arrangement.ts";
import styles from "./ColumnsMenu.module.css";
import { headerOf, HIDEABLE_COLUMN_IDS } from "./columns.tsx";

type ColumnLineProps = {
  id: string;
  arrangement: ColumnArrangement;
  onShow: (isShown: boolean) => void;
  onTogglePinned: () => void;
  onMove: (step: -1 | 1) => void;
};

/**
 * One column in the columns menu: its visibility, pinning and position. The move buttons use `aria-disabled`, so that a
 * button keeps the focus after it moves its column to the end.
 */
export function ColumnLine({ id, arrangement, onShow, onTogglePinned, onMove }: ColumnLineProps) {
  const header = headerOf(id);
  const isPinned = arrangement.pinnedColumns.includes(id);
  return (
    <div className={styles.line} data-pinned={isPinned || undefined}>
      <Checkbox
        size="xs"
        flex={1}
        miw={0}
        label={header}
        checked={!arrangement.hiddenColumns.includes(id)}
        disabled={!HIDEABLE_COLUMN_IDS.includes(id)}
        onChange={(event) => onShow(event.currentTarget.checked)}
      />
      <Tool
        aria-label={`Pin ${header}`}
        aria-pressed={isPinned}
        title={isPinned ? "Unpin: scrolls with the others" : "Pin to the left edge"}
        onClick={onTogglePinned}
      >
        {isPinned ? <IconPinFilled size={14} aria-hidden="true" /> : <IconPin size={14} aria-hidden="true" />}
      </Tool>
      <Tool aria-label={`Move ${header} up`} aria-disabled={!canMove(arrangement, id, -1)} onClick={() => onMove(-1)}>
        <IconChevronUp size={14} aria-hidden="true" />
      </Tool>
      <Tool aria-label={`Move ${header} down`} aria-disabled={!canMove(arrangement, id, 1)} onClick={() => onMove(1)}>
        <IconChevronDown size={14} aria-hidden="true" />
      </Tool>
    </div>
  );
}

function Tool(props: ActionIconProps & ComponentProps<"button">) {
  return <ActionIcon size={24} className={styles.tool ?? ""} {...props} />;
}
