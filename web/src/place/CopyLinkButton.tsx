import { ActionIcon } from "@mantine/core";
import { IconLink } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { copyText } from "../ui/copy-text.ts";
import { placeUrl } from "./place.ts";

/** Copies the link to a session, or to one of its rows. It works for everybody who may see the session. */
export function copyLink(session: string, row?: string): void {
  void copyText(window.location.origin + placeUrl("dashboard", { session, row }), "the link");
}

export function CopyLinkButton({ session }: { session: string }): ReactNode {
  return (
    <ActionIcon size={28} aria-label="Copy link" title="Copy link" onClick={() => copyLink(session)}>
      <IconLink size={15} aria-hidden="true" />
    </ActionIcon>
  );
}
