import "@mantine/core/styles/Combobox.layer.css";
import type { Profile } from "@slabdesk/contract/api/people.ts";
import type { FoundRow } from "@slabdesk/contract/api/search.ts";
import { Combobox, Group, Loader, Modal, Text, TextInput, useCombobox } from "@mantine/core";
import { VisuallyHidden } from "../../ui/text/VisuallyHidden.tsx";
import { useDebouncedValue, useMounted } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useEffectEvent, useMemo, useState } from "react";
import { errorMessage } from "../../api/errors.ts";
import { searchQuery } from "../../api/rows.ts";
import { Found } from "../../features/dashboard/search/Found.tsx";
import foundStyles from "../../features/dashboard/search/search.module.css";
import { ownerMessage, soughtIn } from "../../features/dashboard/search/search-messages.ts";
import { goTo } from "../../place/place-store.ts";
import { counted } from "../../ui/format-numbers.ts";
import { ProblemLine } from "../../ui/form/FormProblem.tsx";
import { type Command, commandsWith, listCommands } from "../../place/commands.ts";
import styles from "./CommandPalette.module.css";

/** Pause before a search, so that typing doesn't search for every letter. */
const SEARCH_PAUSE_MS = 200;
/** More results are on the Dashboard. */
const ROWS_AT_MOST = 8;

type CommandPaletteProps = {
  profile: Profile;
  isOpen: boolean;
  onClose: () => void;
  inputId: string;
  text: string;
  onText: (text: string) => void;
};

/** Searches all scans and runs commands, from anywhere. */
export function CommandPalette({ isOpen, ...props }: CommandPaletteProps) {
  const { onClose } = props;
  // What was chosen moves the focus itself.
  const [hasChosen, setHasChosen] = useState(false);
  const choose = (run: () => void): void => {
    setHasChosen(true);
    onClose();
    run();
  };
  return (
    <Modal.Root
      opened={isOpen}
      onClose={onClose}
      onEnterTransitionEnd={() => setHasChosen(false)}
      returnFocus={!hasChosen}
      yOffset="12vh"
      size="40rem"
      padding={0}
      transitionProps={{ duration: 100 }}
    >
      <Modal.Overlay color="var(--sd-scrim)" backgroundOpacity={1} />
      <Modal.Content aria-label="Search and commands">
        <Choices {...props} onChoose={choose} />
      </Modal.Content>
    </Modal.Root>
  );
}

type Choice = { key: string; name: string; run: () => void; content: ReactNode; className?: string | undefined };

type ChoicesProps = Omit<CommandPaletteProps, "isOpen"> & { onChoose: (run: () => void) => void };

function Choices({ profile, inputId, text, onText, onChoose, onClose }: ChoicesProps) {
  const [commands] = useState(listCommands);
  const sought = soughtIn(text);
  const { rows, isSearching, problem } = useFound(sought);
  const groups = useMemo(() => {
    const found = rows.map((row) => choiceOfRow(row, ownerMessage(row, profile.email)));
    return [
      { label: "Commands", choices: commandsWith(commands, text).map(choiceOfCommand) },
      { label: "Scans", choices: sought === "" ? [] : [...found, searchAll(sought)] },
    ].filter(({ choices }) => choices.length > 0);
  }, [commands, text, rows, sought, profile.email]);
  const combobox = useCombobox({ opened: true });
  const selectFirst = useEffectEvent(() => void combobox.selectFirstOption());
  useEffect(() => {
    if (groups.length > 0) selectFirst();
  }, [groups]);
  const choices = groups.flatMap((group) => group.choices);
  // Mantine tells the input about its list only when it renders again after the list is there.
  useMounted();

  return (
    <Combobox
      store={combobox}
      onOptionSubmit={(key) => {
        const choice = choices.find((one) => one.key === key);
        if (choice) onChoose(choice.run);
      }}
    >
      <Combobox.EventsTarget withExpandedAttribute>
        <TextInput
          data-autofocus
          id={inputId}
          size="lg"
          classNames={{ input: styles.input ?? "" }}
          aria-label="Search all scans, or type a command"
          aria-autocomplete="list"
          placeholder="Search all scans, or type a command"
          leftSection={<IconSearch size={18} aria-hidden="true" />}
          rightSection={isSearching && <Loader size={16} aria-hidden="true" />}
          maxLength={200}
          autoComplete="off"
          value={text}
          onChange={(event) => onText(event.currentTarget.value)}
          // Mantine takes Esc for the list, which is never closed alone.
          onKeyDown={(event) => {
            if (event.key === "Escape") onClose();
          }}
        />
      </Combobox.EventsTarget>
      <VisuallyHidden component="output">{sought !== "" && !isSearching ? choicesMessage(choices) : ""}</VisuallyHidden>
      <Combobox.Options id="palette-choices" className={styles.options ?? ""} aria-label="Results and commands">
        {groups.map(({ label, choices: listed }) => (
          <Combobox.Group key={label} label={label}>
            {listed.map(({ key, content, className = styles.command }) => (
              <Combobox.Option key={key} value={key} className={className ?? ""}>
                {content}
              </Combobox.Option>
            ))}
          </Combobox.Group>
        ))}
      </Combobox.Options>
      <ProblemLine px="md" py="sm" message={problem} />
    </Combobox>
  );
}

/** For screen readers, which don't notice that the first choice is selected. */
function choicesMessage([first, ...others]: readonly Choice[]): string {
  if (!first) return "No choices";
  return `${counted(others.length + 1, "choice")}. Enter: ${first.name}`;
}

/** The newest rows with the text. Those of the last text stay until the new ones arrive. */
function useFound(sought: string): { rows: readonly FoundRow[]; isSearching: boolean; problem: string | null } {
  const [asked] = useDebouncedValue(sought, SEARCH_PAUSE_MS);
  const query = useQuery({ ...searchQuery(asked), enabled: asked !== "", placeholderData: keepPreviousData });
  const rows = useMemo(
    () => (sought === "" ? [] : (query.data?.results.slice(0, ROWS_AT_MOST) ?? [])),
    [query.data, sought],
  );
  const isSearching = sought !== "" && (query.isFetching || asked !== sought);
  return { rows, isSearching, problem: query.isError && sought !== "" ? errorMessage(query.error) : null };
}

function choiceOfCommand({ label, run }: Command): Choice {
  return { key: `command ${label}`, name: label, run, content: label };
}

function choiceOfRow(row: FoundRow, owner: string | null): Choice {
  return {
    key: `row ${row.id}`,
    name: row.itemName ?? row.certNumber,
    run: () => goTo("dashboard", { session: row.sessionId, row: row.id }),
    content: <Found row={row} owner={owner} />,
    className: foundStyles.option,
  };
}

function searchAll(sought: string): Choice {
  return {
    key: "search all",
    name: `Show all results for ${sought}`,
    run: () => goTo("dashboard", { search: sought }),
    content: (
      <Group gap="xs" wrap="nowrap">
        <IconSearch size={16} aria-hidden="true" />
        <Text span inherit truncate>
          Show all results for “{sought}”
        </Text>
      </Group>
    ),
  };
}
