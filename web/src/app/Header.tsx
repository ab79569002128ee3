import { ActionIcon, Button, Center, Group, Tabs, UnstyledButton } from "@mantine/core";
import { useHotkeys, useWindowEvent } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import type { Profile, Role } from "@slabdesk/contract/api/people.ts";
import { useState } from "react";
import { type Command, useCommands } from "../place/commands.ts";
import { ADMIN_LABELS, ADMIN_PARTS, TAB_LABELS, tabsOf } from "../place/place.ts";
import { goTo } from "../place/place-store.ts";
import { useAction } from "../api/use-action.ts";
import { copyText } from "../ui/copy-text.ts";
import { lazyPart, OnceOpen } from "../ui/lazy-part.tsx";
import { Tag } from "../ui/Tag.tsx";
import { Brand, DemoBadge } from "./Brand.tsx";
import { ColorSchemeToggle, useSchemeToggle } from "./ColorSchemeToggle.tsx";
import styles from "./Header.module.css";

const AccountDialog = lazyPart(async () => (await import("../features/account/AccountDialog.tsx")).AccountDialog);
const CommandPalette = lazyPart(async () => (await import("./palette/CommandPalette.tsx")).CommandPalette);

type HeaderProps = { profile: Profile; isDemo: boolean; onLogout: () => Promise<void> };

export function Header({ profile, isDemo, onLogout }: HeaderProps) {
  const { run: leave, isBusy: isLeaving } = useAction<void>({ send: onLogout });
  const [isAccountOpen, setAccountOpen] = useState(false);
  const [isPaletteOpen, setPaletteOpen] = useState(false);
  const { label: schemeLabel, toggle: toggleScheme } = useSchemeToggle();
  const userName = profile.fullName.trim() === "" ? profile.email : profile.fullName;

  useHotkeys([["mod+K", () => setPaletteOpen(true)]], []);
  useCommands(() => [
    ...placeCommands(profile.role),
    { label: schemeLabel, run: toggleScheme },
    { label: "Account", run: () => setAccountOpen(true) },
    { label: "Log out", run: leave },
  ]);

  return (
    <header className={styles.header}>
      <div className={styles.brand}>
        <Brand />
      </div>
      <nav className={styles.nav} aria-label="Main">
        <Tabs.List display="flex" style={{ gap: "0.25rem" }} aria-label="Screens">
          {tabsOf(profile.role).map((name) => (
            <Tabs.Tab key={name} value={name} className={styles.tab ?? ""}>
              {TAB_LABELS[name]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
      </nav>
      {isDemo && (
        <Center style={{ gridArea: "demo" }}>
          <DemoBadge />
        </Center>
      )}
      <Group className={styles.account ?? ""} flex={1} justify="flex-end" miw={0} wrap="nowrap">
        <p className={styles.totals}>
          <Total value={profile.totalScans} one="session" many="sessions" />
          <Total value={profile.totalCardsProcessed} one="card processed" many="cards processed" />
        </p>
        <UnstyledButton
          className={styles.user}
          aria-haspopup="dialog"
          aria-label={`Account ${userName}`}
          title={`Account: ${profile.email}`}
          onClick={() => setAccountOpen(true)}
        >
          {userName}
        </UnstyledButton>
        {profile.role === "admin" && (
          <Tag tone="accent" variant="loud">
            ADMIN
          </Tag>
        )}
      </Group>
      <Group gap="xs" wrap="nowrap" style={{ gridArea: "controls" }}>
        <ActionIcon
          size={34}
          aria-label="Search and commands"
          aria-keyshortcuts="Control+K Meta+K"
          title="Search and commands (Ctrl K)"
          onClick={() => setPaletteOpen(true)}
        >
          <IconSearch size={18} stroke={1.75} />
        </ActionIcon>
        <ColorSchemeToggle />
        <Button
          h={34}
          px="sm"
          fz="sm"
          aria-label={`Logout ${userName}`}
          title={profile.email}
          disabled={isLeaving}
          onClick={() => leave()}
        >
          Logout
        </Button>
      </Group>
      <OnceOpen isOpen={isAccountOpen}>
        <AccountDialog profile={profile} isOpen={isAccountOpen} onClose={() => setAccountOpen(false)} />
      </OnceOpen>
      <Palette profile={profile} isOpen={isPaletteOpen} onClose={() => setPaletteOpen(false)} />
    </header>
  );
}

function Total({ value, one, many }: { value: number; one: string; many: string }) {
  return (
    <span>
      <strong>{value.toLocaleString("en-US")}</strong> {value === 1 ? one : many}
    </span>
  );
}

function placeCommands(role: Role): Command[] {
  const parts = role === "admin" ? ADMIN_PARTS : [];
  return [
    // The sheet that is open stays; the shown run continues on the server.
    { label: "New lookup", run: () => goTo("scanner", {}) },
    ...tabsOf(role).map((tab) => ({ label: `Go to ${TAB_LABELS[tab]}`, run: () => goTo(tab) })),
    ...parts.map((admin) => ({ label: `Admin: ${ADMIN_LABELS[admin]}`, run: () => goTo("admin", { admin }) })),
    { label: "Copy link to this page", run: () => void copyText(window.location.href, "the link") },
  ];
}

const INPUT_ID = "palette-input";

/** The command palette, loaded when first opened, with the text that was typed meanwhile. */
function Palette(props: { profile: Profile; isOpen: boolean; onClose: () => void }) {
  const { isOpen, onClose } = props;
  const [text, setText] = useState("");
  const [wasOpen, setWasOpen] = useState(isOpen);
  if (isOpen !== wasOpen) {
    setWasOpen(isOpen);
    if (isOpen) setText("");
  }
  // Until the palette's input has the focus, the open palette takes the keys, so that no letter runs a shortcut.
  const onKeyDown = (event: KeyboardEvent): void => {
    const { key, target, ctrlKey, metaKey, altKey } = event;
    if (!isOpen || ctrlKey || metaKey || altKey) return;
    if (target instanceof Element && target.id === INPUT_ID) return;
    if (key.length === 1) setText((current) => current + key);
    else if (key === "Escape") onClose();
    else if (key !== "Enter") return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  useWindowEvent("keydown", onKeyDown, { capture: true });
  return (
    <OnceOpen isOpen={isOpen}>
      <CommandPalette {...props} inputId={INPUT_ID} text={text} onText={setText} />
    </OnceOpen>
  );
}
