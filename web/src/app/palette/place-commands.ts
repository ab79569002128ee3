import type { Role } from "@slabdesk/contract/api/people.ts";
import { copyText } from "../../ui/copy-text.ts";
import type { Command } from "../../place/commands.ts";
import { ADMIN_LABELS, ADMIN_PARTS, TAB_LABELS, tabsOf } from "../../place/place.ts";
import { goTo } from "../../place/place-store.ts";

/** The commands that go somewhere. */
export function placeCommands(role: Role): Command[] {
  const parts = role === "admin" ? ADMIN_PARTS : [];
  return [
    // The sheet that is open stays; the shown run continues on the server.
    { label: "New lookup", run: () => goTo("scanner", {}) },
    ...tabsOf(role).map((tab) => ({ label: `Go to ${TAB_LABELS[tab]}`, run: () => goTo(tab) })),
    ...parts.map((admin) => ({ label: `Admin: ${ADMIN_LABELS[admin]}`, run: () => goTo("admin", { admin }) })),
    { label: "Copy link to this page", run: () => void copyText(window.location.href, "the link") },
  ];
}
