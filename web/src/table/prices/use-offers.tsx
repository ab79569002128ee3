import type { OfferRule } from "@slabdesk/contract/api/prices.ts";
import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { useState } from "react";
import type { RowsSnapshot } from "../../run/rows-store.ts";
import { lazyPart, OnceOpen } from "../../ui/lazy-part.tsx";

const OfferDialog = lazyPart(async () => (await import("./offers/OfferDialog.tsx")).OfferDialog);

/** The dialog for a session's offers. `edit` opens it, null without a session; `saved` is the rule saved last. */
export function useOffers(all: RowsSnapshot, session: ScanSession | null) {
  const [isOpen, setIsOpen] = useState(false);
  const [saved, setSaved] = useState<OfferRule | null>(null);
  const dialog = (
    <OnceOpen isOpen={isOpen}>
      {session && (
        <OfferDialog session={session} rows={all} isOpen={isOpen} onSaved={setSaved} onClose={() => setIsOpen(false)} />
      )}
    </OnceOpen>
  );
  return { edit: session ? () => setIsOpen(true) : null, saved, dialog };
}
