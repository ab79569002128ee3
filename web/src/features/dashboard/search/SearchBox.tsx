import "@mantine/core/styles/Combobox.layer.css";
import type { Profile } from "@slabdesk/contract/api/people.ts";
import type { FoundRow, SearchAnswer } from "@slabdesk/contract/api/search.ts";
import { Button, Combobox, Group, Text, TextInput, useCombobox } from "@mantine/core";
import { IconSearch, IconUsers, IconZoomExclamation } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, type RefObject, useId, useState } from "react";
import { errorMessage } from "../../../api/errors.ts";
import { searchQuery } from "../../../api/rows.ts";
import { CompanyTag } from "../../../card/chips.tsx";
import { noteSpot, usePlace } from "../../../place/place-store.ts";
import { colleagueMessage } from "../../../run/lookup-history-messages.ts";
import { EmptyState } from "../../../ui/EmptyState.tsx";
import { ErrorPanel } from "../../../ui/ErrorPanel.tsx";
import { GhostRows } from "../../../ui/Skeletons.tsx";
import { VisuallyHidden } from "../../../ui/text/VisuallyHidden.tsx";
import { Found } from "./Found.tsx";
import styles from "./search.module.css";
import { countMessage, newestOnlyMessage, ownerMessage, soughtIn } from "./search-messages.ts";

type SearchBoxProps = {
  inputRef: RefObject<HTMLInputElement | null>;
  /** Rows of this user show no owner; other rows show the owner's name. */
  profile: Profile;
  onOpen: (row: FoundRow) => void;
};

/**
 * The global search. Enter or Search All searches. The results stay open until the text changes, Esc is pressed, or a
 * result is opened. The focus stays in the box: arrow keys move through the results, and Enter opens one.
 */
export function SearchBox({ inputRef, profile, onOpen }: SearchBoxProps) {
  const search = useSearch();
  const list = useResultList(search, onOpen);
  const { combobox, setIsOpen, activeId, setActiveId, hasOptions } = list;
  const whose = profile.role === "admin" ? "everybody's" : "all your";

  return (
    <search>
      <Combobox store={combobox} onOptionSubmit={list.open} shadow="md" offset={6} dropdownPadding={0}>
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
              aria-controls={hasOptions ? list.id : undefined}
              aria-activedescendant={hasOptions && activeId !== null ? list.optionId(activeId) : undefined}
            >
              <TextInput
                ref={inputRef}
                flex={1}
                miw={0}
                type="search"
                size="md"
                aria-label="Search all scans"
                aria-autocomplete="list"
                placeholder={`Search ${whose} scans: cert, item, player, brand, company`}
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
                onKeyDown={list.onKeyDown}
              />
            </Combobox.EventsTarget>
            <Button type="submit" size="md" variant="filled" disabled={search.text.trim() === ""}>
              Search All
            </Button>
          </Group>
        </Combobox.DropdownTarget>
        <VisuallyHidden component="output">{search.answer ? countMessage(search.answer) : ""}</VisuallyHidden>
        <Combobox.Dropdown className={styles.dropdown ?? ""}>
          <FoundList search={search} list={list} ownEmail={profile.email} />
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
    opened: isOpen && tab === "dashboard" && search.isAsked,
    onOpenedChange: setIsOpen,
  });
  const id = useId();
  const results = search.answer?.results ?? [];
  const hasOptions = combobox.dropdownOpened && results.length > 0;
  const optionId = (rowId: string): string => `${id}-${rowId}`;

  const open = (rowId: string): void => {
    const row = results.find((result) => result.id === rowId);
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
    const place = results.findIndex((result) => result.id === activeId);
    if (event.key === "Escape" && combobox.dropdownOpened) setIsOpen(false);
    else if (event.key === "Enter" && hasOptions && activeId !== null) open(activeId);
    else if (event.key === "ArrowDown" && !combobox.dropdownOpened) setIsOpen(true);
    else if (event.key === "ArrowDown" && hasOptions) moveTo(place + 1);
    else if (event.key === "ArrowUp" && hasOptions) moveTo(place < 0 ? -1 : place - 1);
    else return;
    event.preventDefault();
  };
  return { combobox, setIsOpen, id, optionId, activeId, setActiveId, hasOptions, open, onKeyDown };
}

type Search = ReturnType<typeof useSearch>;

/** A search text and what it found. The place keeps the text that was searched for. */
function useSearch() {
  const asked = usePlace().spots.dashboard.search ?? null;
  const [text, setText] = useState(asked ?? "");
  const [known, setKnown] = useState(asked);
  const query = useQuery({ ...searchQuery(asked ?? ""), enabled: asked !== null, refetchOnWindowFocus: false });
  const wanted = soughtIn(text);
  if (known !== asked) {
    setKnown(asked);
    if (asked !== null && asked !== wanted) setText(asked);
  }
  const isAsked = asked !== null && asked === wanted;
  const problem = isAsked && query.isError && !query.isFetching ? errorMessage(query.error) : null;
  return {
    text,
    setText: (next: string): void => {
      setText(next);
      if (next.trim() === "" && asked !== null) noteSpot("dashboard", { search: undefined });
    },
    /** False before a search, and once the text changes. */
    isAsked,
    /** Why the search failed, else null. */
    problem,
    /** Null while loading. */
    answer: isAsked && problem === null ? (query.data ?? null) : null,
    /** Searches for the text, again if needed. Ignores blank text. */
    ask: () => {
      if (wanted === "") return;
      if (asked === wanted) void query.refetch();
      else noteSpot("dashboard", { search: wanted });
    },
  };
}

type FoundListProps = { search: Search; list: ReturnType<typeof useResultList>; ownEmail: string };

/** The results of a search, in each of its states. */
function FoundList({ search: { text, isAsked, problem, answer, ask }, list, ownEmail }: FoundListProps) {
  if (!isAsked) return null;
  if (problem !== null) return <ErrorPanel m="sm" message={problem} onRetry={ask} />;
  if (answer === null) return <GhostRows count={4} rowHeight="4rem" label="Searching" />;
  const remark = newestOnlyMessage(answer);
  return (
    <>
      {answer.results.length > 0 ? (
        <>
          <Group component="p" gap="2px 12px" px={14} py={9} c="dimmed" fz="sm">
            <Text component="strong" fz="sm" fw={600} c="var(--sd-ink)">
              {countMessage(answer)}
            </Text>
            {remark !== null && <span>{remark}</span>}
          </Group>
          <Combobox.Options id={list.id} aria-label="Search results" className={styles.results ?? ""}>
            {answer.results.map((row) => (
              <Combobox.Option
                key={row.id}
                id={list.optionId(row.id)}
                value={row.id}
                selected={row.id === list.activeId}
                aria-selected={row.id === list.activeId}
                className={styles.option ?? ""}
              >
                <Found row={row} owner={ownerMessage(row, ownEmail)} />
              </Combobox.Option>
            ))}
          </Combobox.Options>
        </>
      ) : (
        <EmptyState icon={<IconZoomExclamation size={28} stroke={1.25} />} title={`Nothing found for “${text.trim()}”`}>
          {remark ?? "No matching cards."} Try part of the cert number, item, player, brand or company.
        </EmptyState>
      )}
      <Colleagues elsewhere={answer.elsewhere} />
    </>
  );
}

/** Other users who looked up this exact certificate. Shows only who and when. */
function Colleagues({ elsewhere }: Pick<SearchAnswer, "elsewhere">) {
  if (elsewhere.length === 0) return null;
  return (
    <ul
      style={{ padding: "8px 14px", borderTop: "1px solid var(--sd-line)", color: "var(--sd-muted)" }}
      aria-label="Looked up by colleagues"
    >
      {elsewhere.map(({ gradingCompany, certNumber, by, at }) => (
        <Group key={`${gradingCompany} ${certNumber} ${by} ${at}`} component="li" gap="4px 8px" py={4} fz="sm">
          <IconUsers size={15} aria-hidden="true" />
          <CompanyTag company={gradingCompany} />
          <span className={styles.cert}>{certNumber}</span>
          <span>{colleagueMessage({ by, at })}</span>
        </Group>
      ))}
    </ul>
  );
}
