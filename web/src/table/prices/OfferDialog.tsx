import type { OfferRule } from "@slabdesk/contract/api/prices.ts";
import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { DEFAULT_OFFER_RULE } from "@slabdesk/contract/market/buy-offer.ts";
import { METRICS } from "@slabdesk/contract/api/prices.ts";
import { ActionIcon, Button, Modal, NativeSelect, TextInput } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import { useMemo, useState } from "react";
import type { RowsSnapshot } from "../../run/rows-store.ts";
import { setOfferRule } from "../../run/session-requests.ts";
import { useAction } from "../../run/use-action.ts";
import {
  draftOf,
  MOST_TIERS,
  type OfferDraft,
  readDraft,
  rememberedOfferRule,
  rememberOfferRule,
  ROUND_STEPS,
  type TierDraft,
  type TierErrors,
  withNewTier,
  withoutTier,
  withTier,
} from "./offer-draft.ts";
import styles from "./OfferDialog.module.css";
import { OfferPreview } from "./OfferPreview.tsx";
import { METRIC_LABELS } from "./price-messages.ts";
import { money } from "../../ui/format-money.ts";

type OfferDialogProps = {
  session: Pick<ScanSession, "id" | "offerRule">;
  /** All rows of the session, for the example and the total. */
  rows: RowsSnapshot;
  isOpen: boolean;
  onClose: () => void;
};

/**
 * Edits a session's offer rule. Starts with the session's rule, or else the last rule used in this browser, or else a
 * default.
 */
export function OfferDialog({ isOpen, onClose, session, rows }: OfferDialogProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="Buy offers" size="md" transitionProps={{ duration: 120 }}>
      <OfferForm session={session} rows={rows} onClose={onClose} />
    </Modal>
  );
}

function OfferForm({ session, rows, onClose }: Pick<OfferDialogProps, "session" | "rows" | "onClose">) {
  const [draft, setDraft] = useState(() => draftOf(session.offerRule ?? rememberedOfferRule() ?? DEFAULT_OFFER_RULE));
  const [showsErrors, setShowsErrors] = useState(false);
  const saving = useAction({
    send: (rule: OfferRule | null) => setOfferRule(session.id, rule),
    onDone: (_, rule) => {
      if (rule) rememberOfferRule(rule);
      onClose();
    },
  });
  const read = useMemo(() => readDraft(draft), [draft]);
  return (
    <form
      noValidate
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (read.rule) saving.run(read.rule);
        else setShowsErrors(true);
      }}
    >
      <NativeSelect
        label="Offer a percentage of"
        size="xs"
        data={METRICS.map((metric) => ({ value: metric, label: METRIC_LABELS[metric] }))}
        value={draft.metric}
        onChange={(event) => {
          const metric = METRICS.find((name) => name === event.currentTarget.value);
          if (metric) setDraft({ ...draft, metric });
        }}
      />
      <Tiers draft={draft} onChange={setDraft} errors={showsErrors ? read.errors : null} />
      <Rounding draft={draft} onChange={setDraft} />
      <OfferPreview rows={rows} rule={read.rule} />
      {saving.problem !== null && (
        <p className={styles.failure} role="alert">
          The offers were not saved. {saving.problem}
        </p>
      )}
      <div className={styles.foot}>
        {session.offerRule !== null && (
          <Button size="xs" disabled={saving.isBusy} onClick={() => saving.run(null)}>
            No offers
          </Button>
        )}
        <span className={styles.gap} />
        <Button size="xs" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" size="xs" variant="filled" loading={saving.isBusy}>
          Save offers
        </Button>
      </div>
    </form>
  );
}

type PartProps = { draft: OfferDraft; onChange: (draft: OfferDraft) => void };

function Tiers({ draft, onChange, errors }: PartProps & { errors: ReadonlyMap<number, TierErrors> | null }) {
  return (
    <fieldset className={styles.tiers}>
      <legend className={styles.legend}>Tiers</legend>
      {draft.tiers.map((tier, index) => (
        <Tier
          key={tier.key}
          tier={tier}
          place={index + 1}
          errors={errors?.get(tier.key) ?? {}}
          onChange={(change) => onChange(withTier(draft, tier.key, change))}
          onRemove={draft.tiers.length > 1 ? () => onChange(withoutTier(draft, tier.key)) : null}
        />
      ))}
      <Button
        size="compact-xs"
        variant="subtle"
        className={styles.add ?? ""}
        disabled={draft.tiers.length >= MOST_TIERS}
        onClick={() => onChange(withNewTier(draft))}
      >
        Add a tier
      </Button>
    </fieldset>
  );
}

type TierProps = {
  tier: TierDraft;
  place: number;
  errors: TierErrors;
  onChange: (change: Partial<Omit<TierDraft, "key">>) => void;
  onRemove: (() => void) | null;
};

function Tier({ tier, place, errors, onChange, onRemove }: TierProps) {
  return (
    <div className={styles.tier}>
      <TextInput
        size="xs"
        aria-label={`Tier ${place}: from`}
        inputMode="decimal"
        leftSection="from $"
        leftSectionWidth={56}
        leftSectionPointerEvents="none"
        value={tier.from}
        error={errors.from}
        onChange={(event) => onChange({ from: event.currentTarget.value })}
      />
      <TextInput
        size="xs"
        aria-label={`Tier ${place}: percent`}
        inputMode="decimal"
        rightSection="%"
        rightSectionPointerEvents="none"
        value={tier.percent}
        error={errors.percent}
        onChange={(event) => onChange({ percent: event.currentTarget.value })}
      />
      <ActionIcon
        size={30}
        aria-label={`Remove tier ${place}`}
        disabled={onRemove === null}
        onClick={onRemove ?? undefined}
      >
        <IconTrash size={15} stroke={1.75} aria-hidden="true" />
      </ActionIcon>
    </div>
  );
}

function Rounding({ draft, onChange }: PartProps) {
  return (
    <div className={styles.rounding}>
      <NativeSelect
        size="xs"
        label="Round"
        data={[
          { value: "down", label: "down" },
          { value: "nearest", label: "to the nearest" },
        ]}
        value={draft.rounding}
        onChange={(event) =>
          onChange({ ...draft, rounding: event.currentTarget.value === "nearest" ? "nearest" : "down" })
        }
      />
      <NativeSelect
        size="xs"
        label="To whole multiples of"
        data={ROUND_STEPS.map((step) => ({ value: String(step), label: money(step) }))}
        value={String(draft.roundTo)}
        onChange={(event) => {
          const roundTo = ROUND_STEPS.find((step) => String(step) === event.currentTarget.value);
          if (roundTo !== undefined) onChange({ ...draft, roundTo });
        }}
      />
    </div>
  );
}
