import { ActionIcon, type ActionIconProps, Box, Button, Checkbox, Group, Kbd, Popover, Text } from "@mantine/core";
import { IconChevronDown, IconChevronUp, IconPin, IconPinFilled } from "@tabler/icons-react";
import { type ComponentProps, useState } from "react";
import { VisuallyHidden } from "../../ui/text/VisuallyHidden.tsx";
import {
  canMove,
  type ColumnArrangement,
  drawnOrder,
  moveColumn,
  setShown,
  togglePinned,
} from "./column-arrangement.ts";
import styles from "./ColumnsMenu.module.css";
import { headerOf, HIDEABLE_COLUMN_IDS, ON_DEMAND_COLUMN_IDS } from "./columns.tsx";
import {
  arrangedFor,
  type ChangePreferences,
  DEFAULT_ARRANGEMENT,
  isDefaultArrangement,
  type TablePreferences,
} from "./table-preferences.ts";

const SMALL = { size: "compact-xs", variant: "subtle" } as const;
const COLUMNS = { overflow: "auto", borderTop: "1px solid var(--sd-line)", scrollbarWidth: "thin" } as const;

type ColumnsMenuProps = {
  preferences: TablePreferences;
  /** As it is drawn. */
  arrangement: ColumnArrangement;
  isPriced: boolean;
  onChange: ChangePreferences;
  onShowKeys: () => void;
};

/** Sets which columns are visible, their order and pinning, and the row density. All settings are saved. */
export function ColumnsMenu({ preferences, arrangement, isPriced, onChange, onShowKeys }: ColumnsMenuProps) {
  const [isOpen, setIsOpen] = useState(false);
  const [announcement, setAnnouncement] = useState("");
  const order = drawnOrder(arrangement);

  const move = (id: string, step: -1 | 1): void => {
    const moved = moveColumn(arrangement, id, step);
    if (moved === arrangement) return;
    onChange((current) => moveColumn(arrangedFor(current, isPriced), id, step));
    setAnnouncement(`${headerOf(id)}: ${drawnOrder(moved).indexOf(id) + 1} of ${order.length}`);
  };
  return (
    <Popover opened={isOpen} onChange={setIsOpen} position="bottom-end" trapFocus returnFocus shadow="md" width={300}>
      <Popover.Target>
        <Button
          size="xs"
          h={32}
          fz="sm"
          onClick={() => setIsOpen(!isOpen)}
          // The focus enters the menu shortly after it opens.
          onKeyDown={({ key }) => {
            if (key === "Escape") setIsOpen(false);
          }}
        >
          Columns
        </Button>
      </Popover.Target>
      <Popover.Dropdown
        display="flex"
        mah="min(76dvh, 640px)"
        style={{ flexDirection: "column" }}
        aria-label="Columns and density"
      >
        <Checkbox
          size="xs"
          label={
            <Group component="span" gap={8} wrap="nowrap">
              Compact rows <Kbd>D</Kbd>
            </Group>
          }
          checked={preferences.density === "compact"}
          onChange={(event) => {
            const density = event.currentTarget.checked ? "compact" : "comfortable";
            onChange((current) => ({ ...current, density }));
          }}
        />
        <Box component="fieldset" flex={1} mih={0} mt={12} mx={-8} p={8} style={COLUMNS}>
          <Text component="legend" c="dimmed" fz="xs" w="100%" mb={4} style={{ float: "left" }}>
            Columns
          </Text>
          {order.map((id) => (
            <ColumnLine key={id} {...{ id, arrangement, onChange }} onMove={(step) => move(id, step)} />
          ))}
        </Box>
        <VisuallyHidden>
          <output aria-live="polite">{announcement}</output>
        </VisuallyHidden>
        <Group pt={8} gap={0} justify="space-between" style={{ borderTop: "1px solid var(--sd-line)" }}>
          <Button
            {...SMALL}
            disabled={arrangement.hiddenColumns.length === 0}
            onClick={() =>
              onChange((current) => ({ ...current, hiddenColumns: [], shownColumns: ON_DEMAND_COLUMN_IDS }))
            }
          >
            Show all
          </Button>
          <Button
            {...SMALL}
            disabled={isDefaultArrangement(preferences)}
            onClick={() => onChange((current) => ({ ...current, ...DEFAULT_ARRANGEMENT }))}
          >
            Reset columns
          </Button>
          <Button
            {...SMALL}
            onClick={() => {
              setIsOpen(false);
              onShowKeys();
            }}
          >
            Keys
          </Button>
        </Group>
      </Popover.Dropdown>
    </Popover>
  );
}

type ColumnLineProps = Pick<ColumnsMenuProps, "arrangement" | "onChange"> & {
  id: string;
  onMove: (step: -1 | 1) => void;
};

/** One column. The move buttons use `aria-disabled`, so that they keep the focus when the column reaches the end. */
function ColumnLine({ id, arrangement, onChange, onMove }: ColumnLineProps) {
  const header = headerOf(id);
  const isPinned = arrangement.pinnedColumns.includes(id);
  return (
    <Group className={styles.line ?? ""} gap={2} px={4} wrap="nowrap" data-pinned={isPinned || undefined}>
      <Checkbox
        size="xs"
        flex={1}
        miw={0}
        label={header}
        checked={!arrangement.hiddenColumns.includes(id)}
        disabled={!HIDEABLE_COLUMN_IDS.includes(id)}
        onChange={({ currentTarget: { checked } }) =>
          onChange((current) => setShown(current, id, checked, ON_DEMAND_COLUMN_IDS.includes(id)))
        }
      />
      <Tool
        aria-label={`Pin ${header}`}
        aria-pressed={isPinned}
        title={isPinned ? "Unpin: scrolls with the others" : "Pin to the left edge"}
        onClick={() => onChange((current) => togglePinned(current, id))}
      >
        {isPinned ? <IconPinFilled size={14} aria-hidden="true" /> : <IconPin size={14} aria-hidden="true" />}
      </Tool>
      <Tool aria-label={`Move ${header} up`} aria-disabled={!canMove(arrangement, id, -1)} onClick={() => onMove(-1)}>
        <IconChevronUp size={14} aria-hidden="true" />
      </Tool>
      <Tool aria-label={`Move ${header} down`} aria-disabled={!canMove(arrangement, id, 1)} onClick={() => onMove(1)}>
        <IconChevronDown size={14} aria-hidden="true" />
      </Tool>
    </Group>
  );
}

function Tool(props: ActionIconProps & ComponentProps<"button">) {
  const isOff = props["aria-disabled"] === true;
  const color = props["aria-pressed"] === true ? "var(--sd-accent)" : "dimmed";
  return <ActionIcon size={24} c={color} {...(isOff && { opacity: 0.4, style: { cursor: "default" } })} {...props} />;
}
