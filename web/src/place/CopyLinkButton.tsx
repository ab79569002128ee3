import { ActionIcon } from "@mantine/core";
import { IconLink } from "@tabler/icons-react";
import { copyText } from "../ui/copy-text.ts";
import { placeUrl } from "./place.ts";

type CopyLinkButtonProps = { session: string; row?: string; size?: number; variant?: "default" | "subtle" };

/** Copies the link to a session, or to the card of one of its rows. It works for everybody who may see the session. */
export function CopyLinkButton({ session, row, size = 28, variant = "subtle" }: CopyLinkButtonProps) {
  const copy = (): void => {
    void copyText(window.location.origin + placeUrl("dashboard", { session, card: row }), "the link");
  };
  return (
    <ActionIcon size={size} variant={variant} aria-label="Copy link" title="Copy link" onClick={copy}>
      <IconLink size={15} aria-hidden="true" />
    </ActionIcon>
  );
}
