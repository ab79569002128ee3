import "@mantine/core/styles/Menu.layer.css";
import { Menu, Text } from "@mantine/core";
import { Fragment, type ReactNode, useState } from "react";
import type { ExportFormat } from "../../api/sessions.ts";
import { useCommands } from "../../place/commands.ts";
import { type Download, EXPORT_CHOICES, type ExportChoice } from "../../run/download/download-session.ts";
import type { RowsSnapshot } from "../../run/rows-store.ts";
import { lazyPart, OnceOpen } from "../../ui/lazy-part.tsx";

const ListingDialog = lazyPart(async () => (await import("./ListingDialog.tsx")).ListingDialog);

type ExportMenuProps = {
  position: "top-start" | "bottom-end";
  except?: ExportFormat;
  getRows: () => RowsSnapshot;
  /** Whether the command palette offers the formats, too. */
  isOffered?: () => boolean;
  onChoose: (download: Download) => void;
  children: ReactNode;
};

/** The formats that rows can be downloaded in. For a shop's listings, asks for their price first. */
export function ExportMenu({ position, except, getRows, isOffered, onChoose, children }: ExportMenuProps) {
  const [listing, setListing] = useState<{ choice: ExportChoice; rows: RowsSnapshot } | null>(null);
  const [isOpen, setIsOpen] = useState(false);
  const choose = (choice: ExportChoice): void => {
    const rows = getRows();
    if (choice.isListing !== true || rows.length === 0) return onChoose(choice);
    setListing({ choice, rows });
    setIsOpen(true);
  };
  useCommands(() => {
    if (isOffered?.() !== true) return [];
    const choices = EXPORT_CHOICES.flatMap((group) => group.choices).filter(({ format }) => format !== except);
    return choices.map((choice) => ({ label: `Export: ${choice.label}`, run: () => choose(choice) }));
  });
  return (
    <>
      {listing && (
        <OnceOpen isOpen={isOpen}>
          <ListingDialog
            shop={listing.choice.label}
            isOpen={isOpen}
            rows={listing.rows}
            onDownload={(price) => onChoose({ ...listing.choice, listing: price })}
            onClose={() => setIsOpen(false)}
          />
        </OnceOpen>
      )}
      <Menu
        withInitialFocusPlaceholder={false}
        position={position}
        width={270}
        middlewares={{ flip: true, shift: true, size: { padding: 8 } }}
      >
        <Menu.Target>{children}</Menu.Target>
        <Menu.Dropdown style={{ overflowY: "auto" }}>
          {EXPORT_CHOICES.map(({ title, choices }, index) => (
            <Fragment key={title}>
              {index > 0 && <Menu.Divider />}
              <Menu.Label>{title}</Menu.Label>
              {choices
                .filter(({ format }) => format !== except)
                .map((choice) => (
                  <Menu.Item key={choice.label} onClick={() => choose(choice)}>
                    <Text span display="block" fz="0.84375rem" lh={1.35}>
                      {choice.label}
                    </Text>
                    <Text span display="block" fz="xs" lh={1.35} c="dimmed">
                      {choice.note}
                    </Text>
                  </Menu.Item>
                ))}
            </Fragment>
          ))}
        </Menu.Dropdown>
      </Menu>
    </>
  );
}
