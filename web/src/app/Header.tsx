import { Button, Center, Group, Tabs, UnstyledButton } from "@mantine/core";
import type { Profile } from "@slabdesk/contract/api/people.ts";
import { type ReactNode, Suspense, useState } from "react";
import { TAB_LABELS, tabsOf } from "../place/place.ts";
import { lazyPart, useEver } from "../ui/lazy-part.tsx";
import { Tag } from "../ui/Tag.tsx";
import { Brand, DemoBadge } from "./Brand.tsx";
import { ColorSchemeToggle } from "./ColorSchemeToggle.tsx";
import styles from "./Header.module.css";

const AccountDialog = lazyPart(async () => (await import("../features/account/AccountDialog.tsx")).AccountDialog);

type HeaderProps = { profile: Profile; isDemo: boolean; onLogout: () => Promise<void> };

export function Header({ profile, isDemo, onLogout }: HeaderProps): ReactNode {
  const [isLeaving, setIsLeaving] = useState(false);
  const [isAccountOpen, setAccountOpen] = useState(false);
  const hasOpenedAccount = useEver(isAccountOpen);
  const userName = profile.fullName.trim() === "" ? profile.email : profile.fullName;

  async function leave(): Promise<void> {
    setIsLeaving(true);
    await onLogout();
    setIsLeaving(false);
  }

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
        <Center className={styles.demo}>
          <DemoBadge />
        </Center>
      )}
      <div className={styles.account}>
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
      </div>
      <Group gap="xs" wrap="nowrap" className={styles.controls}>
        <ColorSchemeToggle />
        <Button
          h={34}
          px="sm"
          fz="sm"
          aria-label={`Logout ${userName}`}
          title={profile.email}
          disabled={isLeaving}
          onClick={() => void leave()}
        >
          Logout
        </Button>
      </Group>
      {hasOpenedAccount && (
        <Suspense>
          <AccountDialog profile={profile} isOpen={isAccountOpen} onClose={() => setAccountOpen(false)} />
        </Suspense>
      )}
    </header>
  );
}

function Total({ value, one, many }: { value: number; one: string; many: string }): ReactNode {
  return (
    <span>
      <strong>{value.toLocaleString("en-US")}</strong> {value === 1 ? one : many}
    </span>
  );
}
