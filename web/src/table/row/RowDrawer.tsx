import { ActionIcon, Drawer, Group, Stack } from "@mantine/core";
import { IconChevronDown, IconChevronUp } from "@tabler/icons-react";
import type { KeyboardEvent, ReactNode } from "react";
import { SlabFacts } from "./DrawerParts.tsx";
import { cardName } from "../prices/market-state.ts";
import { PopulationFact } from "./Population.tsx";
import styles from "./RowDrawer.module.css";
import { Thumb } from "./Thumbs.tsx";
import { isTyping } from "../../ui/use-page-keys.ts";
import type { RowDialog } from "../use-row-dialogs.ts";

type RowDrawerProps = {
  dialog: RowDialog;
  closeLabel: string;
  /** Letter shortcuts while the focus is in the drawer. */
  keys?: Readonly<Record<string, () => void>>;
  /** Stays at the bottom while the rest scrolls. */
  foot: ReactNode;
  children: ReactNode;
};

/**
 * Details of one row, beside the table. The table stays usable, and a click on another row shows that row. Up and Down
 * move between rows; Esc closes. The caller restores the focus.
 */
export function RowDrawer({ dialog, closeLabel, keys = {}, foot, children }: RowDrawerProps) {
  const { row, isOpen, close, onPrevious, onNext } = dialog;
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    const actions: Record<string, (() => void) | undefined> = { ...keys, arrowup: onPrevious, arrowdown: onNext };
    const action = actions[event.key.toLowerCase()];
    if (!action) return;
    event.preventDefault();
    action();
  };
  return (
    <Drawer
      opened={isOpen}
      onClose={close}
      onKeyDown={onKeyDown}
      title={row ? cardName(row) : ""}
      size="min(100vw, 28rem)"
      withOverlay={false}
      closeOnClickOutside={false}
      lockScroll={false}
      returnFocus={false}
      transitionProps={{ duration: 140 }}
      closeButtonProps={{ "aria-label": closeLabel }}
    >
      {row && (
        <Stack gap={18} fz="md" className={styles.drawer}>
          <Group gap={8} wrap="nowrap">
            <Group gap={4} wrap="nowrap" aria-hidden="true">
              <Thumb row={row} side="front" />
              <Thumb row={row} side="back" />
            </Group>
            <Group gap={8} flex={1} miw={0}>
              <SlabFacts row={row} />
            </Group>
            <Group gap={2} wrap="nowrap">
              <ActionIcon size={28} aria-label="Previous card" disabled={!onPrevious} onClick={onPrevious}>
                <IconChevronUp size={16} aria-hidden="true" />
              </ActionIcon>
              <ActionIcon size={28} aria-label="Next card" disabled={!onNext} onClick={onNext}>
                <IconChevronDown size={16} aria-hidden="true" />
              </ActionIcon>
            </Group>
          </Group>
          <PopulationFact row={row} />
          {children}
          {foot && (
            <Group className={styles.foot} gap={12} justify="space-between" wrap="nowrap">
              {foot}
            </Group>
          )}
        </Stack>
      )}
    </Drawer>
  );
}
