import { Anchor, type AnchorProps } from "@mantine/core";
import type { MouseEvent, ReactNode } from "react";
import { placeUrl, type Spot, type TabName } from "./place.ts";
import styles from "./PlaceLink.module.css";
import { goTo } from "./place-store.ts";

type PlaceLinkProps = AnchorProps & {
  tab: TabName;
  spot: Spot;
  title?: string | undefined;
  "aria-label"?: string;
  children: ReactNode;
};

/** A link to a place in this page. It can be copied and opened in a new tab like any other. */
export function PlaceLink({ tab, spot, children, ...anchor }: PlaceLinkProps) {
  const open = (event: MouseEvent): void => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    goTo(tab, spot);
  };
  return (
    <Anchor inherit className={styles.link ?? ""} href={placeUrl(tab, spot)} onClick={open} {...anchor}>
      {children}
    </Anchor>
  );
}

/** A link to a session, as everybody who may see it finds it: on the Dashboard. */
export function SessionLink({ id, ...link }: Omit<PlaceLinkProps, "tab" | "spot"> & { id: string }) {
  return <PlaceLink tab="dashboard" spot={{ session: id }} {...link} />;
}

/** A link to a person's line in Admin. */
export function PersonLink({ id, ...link }: Omit<PlaceLinkProps, "tab" | "spot"> & { id: string }) {
  return <PlaceLink tab="admin" spot={{ admin: "users", person: id }} {...link} />;
}
