import "@mantine/core/styles/Combobox.layer.css";
import type { FoundRow } from "@slabdesk/contract/api/search.ts";
import { Button, Combobox, Group, TextInput, useCombobox } from "@mantine/core";
import { VisuallyHidden } from "../../../ui/text/VisuallyHidden.tsx";
import { IconSearch } from "@tabler/icons-react";
import { type KeyboardEvent, type RefObject, useId, useState } from "react";
import { usePlace } from "../../../place/place-store.ts";
import { FoundList } from "./FoundList.tsx";
import styles from "./search.module.css";
import { countMessage } from "./search-messages.ts";
import { type Search, useSearch } from "./use-search.ts";

type SearchBoxProps = {
  inputRef: RefObject<HTMLInputElement | null>;
  /** Rows of this user show no owner; other rows show the owner's name. */
  ownEmail: string;
  isAdmin: boolean;
  onOpen: (row: FoundRow) => void;
};

/**
 * The global search. Enter or Search All searches. The results stay open until the text changes, Esc is pressed, or a
 * result is opened. The focus stays in the box: arrow keys move through the results, and Enter opens one.
 */
export function SearchBox({ inputRef, ownEmail, isAdmin, onOpen }: SearchBoxProps) {
  const search = useSearch();
  const { combobox, setIsOpen, listId, optionId, activeId, setActiveId, hasOptions, open, onKeyDown } = useResultList(
    search,
    onOpen,
  );

  return (
    <search>
      <Combobox store={combobox} onOptionSubmit={open} shadow="md" offset={6} dropdownPadding={0}>
        <Combobox.DropdownTarget>
          <Group
            component="form"
            gap="xs"
            wrap="nowrap"
            onSubmit={(event) => {
              event.preventDefault();
              setActiveId(null);
              setIsOpen(true);
              search.ask();
            }}
          >
            <Combobox.EventsTarget
              withKeyboardNavigation={false}
              withExpandedAttribute
              aria-expanded={hasOptions}
              aria-controls={hasOptions ? listId : undefined}
              aria-activedescendant={hasOptions && activeId !== null ? optionId(activeId) : undefined}
            >
              <TextInput
                ref={inputRef}
                className={styles.field ?? ""}
                flex={1}
                miw={0}
                type="search"
                size="md"
                aria-label="Search all scans"
                aria-autocomplete="list"
                placeholder={`Search ${isAdmin ? "everybody's" : "all your"} scans: cert, item, player, brand, company`}
                leftSection={<IconSearch size={17} aria-hidden="true" />}
                maxLength={200}
                autoComplete="off"
                value={search.text}
                onChange={(event) => {
                  search.setText(event.currentTarget.value);
                  setActiveId(null);
                  setIsOpen(false);
                }}
                onClick={() => setIsOpen(true)}
                onKeyDown={onKeyDown}
              />
            </Combobox.EventsTarget>
            <Button type="submit" size="md" variant="filled" disabled={search.text.trim() === ""}>
              Search All
            </Button>
          </Group>
        </Combobox.DropdownTarget>
        <VisuallyHidden>
          <output>{search.state.kind === "answered" ? countMessage(search.state.answer) : ""}</output>
        </VisuallyHidden>
        <Combobox.Dropdown className={styles.dropdown ?? ""}>
          <FoundList search={search} listId={listId} optionId={optionId} activeId={activeId} ownEmail={ownEmail} />
        </Combobox.Dropdown>
      </Combobox>
    </search>
  );
}

/** Opens and closes the list of results, and moves its active result while the focus stays in the box. */
function useResultList(search: Search, onOpen: (row: FoundRow) => void) {
  const { tab, arrival, spots } = usePlace();
  // Whoever comes back to a search sees its results again.
  const isReturn = tab === "dashboard" && arrival.isReturn && spots.dashboard.row === undefined;
  const [isOpen, setIsOpen] = useState(isReturn);
  const [seen, setSeen] = useState(arrival);
  if (seen !== arrival) {
    setSeen(arrival);
    setIsOpen(isReturn);
  }
  const [activeId, setActiveId] = useState<string | null>(null);
  const combobox = useCombobox({
    opened: isOpen && tab === "dashboard" && search.state.kind !== "idle",
    onOpenedChange: setIsOpen,
  });
  const listId = useId();
  const results = search.state.kind === "answered" ? search.state.answer.results : [];
  const hasOptions = combobox.dropdownOpened && results.length > 0;
  const optionId = (rowId: string): string => `${listId}-${rowId}`;

  const open = (rowId: string): void => {
    const row = results.find(({ id }) => id === rowId);
    if (!row) return;
    setIsOpen(false);
    setActiveId(null);
    onOpen(row);
  };
  const moveTo = (index: number): void => {
    const row = results.at(index % results.length);
    if (!row) return;
    setActiveId(row.id);
    document.getElementById(optionId(row.id))?.scrollIntoView({ block: "nearest" });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    const place = results.findIndex(({ id }) => id === activeId);
    if (event.key === "Escape" && combobox.dropdownOpened) setIsOpen(false);
    else if (event.key === "Enter" && hasOptions && activeId !== null) open(activeId);
    else if (event.key === "ArrowDown" && !combobox.dropdownOpened) setIsOpen(true);
    else if (event.key === "ArrowDown" && hasOptions) moveTo(place + 1);
    else if (event.key === "ArrowUp" && hasOptions) moveTo(place < 0 ? -1 : place - 1);
    else return;
    event.preventDefault();
  };
  return { combobox, setIsOpen, listId, optionId, activeId, setActiveId, hasOptions, open, onKeyDown };
}
