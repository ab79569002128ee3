import { METRICS, type OfferRule, offerRuleSchema } from "@slabdesk/contract/api/prices.ts";
import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { DEFAULT_OFFER_RULE, metricOf, ruleOfferOf } from "@slabdesk/contract/market/buy-offer.ts";
import { totalsOf } from "@slabdesk/contract/market/totals.ts";
import { ActionIcon, Button, Group, Modal, NativeSelect, Stack, Text, TextInput } from "@mantine/core";
import { useLocalStorage } from "@mantine/hooks";
import { IconTrash } from "@tabler/icons-react";
import { type ChangeEvent, useDeferredValue, useMemo, useState } from "react";
import type { RowsSnapshot } from "../../../run/rows-store.ts";
import { changeSession } from "../../../run/session-requests.ts";
import { useAction } from "../../../api/use-action.ts";
import { Form } from "../../../ui/form/Form.tsx";
import { FormButtons } from "../../../ui/form/FormButtons.tsx";
import { ProblemLine } from "../../../ui/form/FormProblem.tsx";
import { counted, formatCount, money } from "../../../ui/format-numbers.ts";
import { parseStored } from "../../../ui/stored-items.ts";
import { toast } from "../../../ui/toast.tsx";
import { cardName } from "../../../card/prices/market-state.ts";
import { METRIC_LABELS, ruleOfferDetails } from "../../../card/prices/price-messages.ts";

type OfferDialogProps = {
  session: Pick<ScanSession, "id" | "offerRule">;
  rows: RowsSnapshot;
  isOpen: boolean;
  onSaved: (rule: OfferRule) => void;
  onClose: () => void;
};

/** The last rule saved in this browser. Keys with this prefix are removed at sign-out. */
const REMEMBERED = {
  key: "slabdesk:offer-rule",
  deserialize: (text: string | undefined) => parseStored(offerRuleSchema, text ?? null),
  getInitialValueInEffect: false,
};

/** Edits a session's offer rule. Without one, starts with the last rule saved in this browser, or the default. */
export function OfferDialog({ isOpen, ...form }: OfferDialogProps) {
  return (
    <Modal opened={isOpen} onClose={form.onClose} title="Buy offers" size="md" transitionProps={{ duration: 120 }}>
      <OfferForm {...form} />
    </Modal>
  );
}

function OfferForm({ session, rows, onSaved, onClose }: Omit<OfferDialogProps, "isOpen">) {
  const [remembered, remember] = useLocalStorage(REMEMBERED);
  const [draft, setDraft] = useState(() => draftOf(session.offerRule ?? remembered ?? DEFAULT_OFFER_RULE));
  const [showsErrors, setShowsErrors] = useState(false);
  const saving = useAction({
    send: (offerRule: OfferRule | null) => changeSession(session.id, { offerRule }),
    onDone: (_, rule) => {
      if (rule) {
        remember(rule);
        onSaved(rule);
        const { offer } = totalsOf(rows, rule);
        toast.done({ id: "offers", message: `Offers saved: ${money(offer.sum)} for ${counted(offer.n, "card")}` });
      }
      onClose();
    },
  });
  const read = useMemo(() => readDraft(draft), [draft]);
  return (
    <Form onSubmit={() => (read.rule ? saving.run(read.rule) : setShowsErrors(true))}>
      <Choice
        label="Offer a percentage of"
        choices={METRICS}
        nameOf={(metric) => METRIC_LABELS[metric]}
        value={draft.metric}
        onChange={(metric) => setDraft({ ...draft, metric })}
      />
      <Tiers draft={draft} onChange={setDraft} errors={showsErrors ? read.errors : null} />
      <Group grow gap={8}>
        <Choice
          label="Round"
          choices={["down", "nearest"]}
          nameOf={(rounding) => (rounding === "down" ? "down" : "to the nearest")}
          value={draft.rounding}
          onChange={(rounding) => setDraft({ ...draft, rounding })}
        />
        <Choice
          label="To whole multiples of"
          choices={ROUND_STEPS}
          nameOf={money}
          value={draft.roundTo}
          onChange={(roundTo) => setDraft({ ...draft, roundTo })}
        />
      </Group>
      <OfferPreview rows={rows} rule={read.rule} />
      <ProblemLine message={saving.problem && `Couldn't save the offers. ${saving.problem}`} />
      <FormButtons label="Save offers" loading={saving.isBusy} onCancel={onClose}>
        {session.offerRule !== null && (
          <Button size="xs" me="auto" disabled={saving.isBusy} onClick={() => saving.run(null)}>
            No offers
          </Button>
        )}
      </FormButtons>
    </Form>
  );
}

type TiersProps = {
  draft: OfferDraft;
  onChange: (draft: OfferDraft) => void;
  errors: ReadonlyMap<number, TierErrors> | null;
};

function Tiers({ draft, onChange, errors }: TiersProps) {
  const fieldOf = (index: number, { key, ...tier }: OfferDraft["tiers"][number], name: keyof TierErrors) => ({
    size: "xs",
    "aria-label": `Tier ${index + 1}: ${name}`,
    inputMode: "decimal" as const,
    value: tier[name],
    error: errors?.get(key)?.[name],
    onChange: (event: ChangeEvent<HTMLInputElement>): void =>
      onChange(withTier(draft, key, { [name]: event.currentTarget.value })),
  });
  return (
    <Stack component="fieldset" gap={8} miw={0}>
      <Text component="legend" fz="sm" fw={550} mb={6}>
        Tiers
      </Text>
      {draft.tiers.map((tier, index) => (
        <Group key={tier.key} gap={8} align="start" wrap="nowrap" style={{ fontVariantNumeric: "tabular-nums" }}>
          <TextInput
            {...fieldOf(index, tier, "from")}
            flex={1}
            leftSection="from $"
            leftSectionWidth={56}
            leftSectionPointerEvents="none"
          />
          <TextInput {...fieldOf(index, tier, "percent")} w={110} rightSection="%" rightSectionPointerEvents="none" />
          <ActionIcon
            size={30}
            aria-label={`Remove tier ${index + 1}`}
            disabled={draft.tiers.length === 1}
            onClick={() => onChange(withoutTier(draft, tier.key))}
          >
            <IconTrash size={15} stroke={1.75} aria-hidden="true" />
          </ActionIcon>
        </Group>
      ))}
      <Button
        size="compact-xs"
        variant="subtle"
        style={{ alignSelf: "flex-start" }}
        disabled={draft.tiers.length >= MOST_TIERS}
        onClick={() => onChange(withNewTier(draft))}
      >
        Add a tier
      </Button>
    </Stack>
  );
}

type ChoiceProps<Value> = {
  label: string;
  choices: readonly Value[];
  nameOf: (value: Value) => string;
  value: Value;
  onChange: (value: Value) => void;
};

function Choice<Value extends string | number>({ label, choices, nameOf, value, onChange }: ChoiceProps<Value>) {
  return (
    <NativeSelect
      size="xs"
      label={label}
      data={choices.map((choice) => ({ value: String(choice), label: nameOf(choice) }))}
      value={String(value)}
      onChange={(event) => {
        const chosen = choices.find((choice) => String(choice) === event.currentTarget.value);
        if (chosen !== undefined) onChange(chosen);
      }}
    />
  );
}

const STRONG = { fontWeight: 650 };
const QUIET = { color: "var(--sd-neutral)" };

function OfferPreview({ rows, rule }: { rows: RowsSnapshot; rule: OfferRule | null }) {
  const deferred = useDeferredValue(rule);
  return (
    <Stack component="output" gap={2} mih={88} p="10px 14px" bdrs="md" bg="var(--sd-canvas)" fz="sm" lh={1.5}>
      {deferred ? (
        <Offers rows={rows} rule={deferred} />
      ) : (
        <span style={QUIET}>Fill in the tiers to see what they come to.</span>
      )}
    </Stack>
  );
}

function Offers({ rows, rule }: { rows: RowsSnapshot; rule: OfferRule }) {
  const { offer, count: of } = useMemo(() => totalsOf(rows, rule), [rows, rule]);
  const byHand = useMemo(() => rows.filter(({ ownOffer }) => ownOffer !== null).length, [rows]);
  const example = rows.find((row) => metricOf(rule.metric, row) !== null);
  const exampleOffer = example ? ruleOfferOf(rule, example) : null;
  return (
    <>
      {example ? (
        <>
          <Text span inherit truncate fw={550}>
            {cardName(example)}
          </Text>
          <span>
            <strong style={STRONG}>{exampleOffer === null ? "No offer" : money(exampleOffer)}</strong>{" "}
            <span style={QUIET}>{ruleOfferDetails(rule, example)}</span>
          </span>
        </>
      ) : (
        <span style={QUIET}>No card has this price metric yet.</span>
      )}
      <Text span inherit mt={4} pt={6} style={{ borderTop: "1px solid var(--sd-line)" }}>
        All offers <strong style={STRONG}>{money(offer.sum)}</strong>{" "}
        <span style={QUIET}>
          for {formatCount(offer.n)} of {formatCount(of)} cards
          {byHand > 0 && `. ${formatCount(byHand)} entered by hand ${byHand === 1 ? "stays" : "stay"} as entered.`}
        </span>
      </Text>
    </>
  );
}

type TierDraft = { key: number; from: string; percent: string };

/** A rule being typed. Amounts are text until parsed. */
type OfferDraft = Omit<OfferRule, "tiers"> & { tiers: readonly TierDraft[] };

const MOST_TIERS = 10;
const LARGEST_FROM = 10_000_000;

const ROUND_STEPS: readonly OfferRule["roundTo"][] = [0.01, 0.25, 0.5, 1, 5, 10];

export function draftOf({ tiers, ...rule }: OfferRule): OfferDraft {
  const sorted = tiers.toSorted((one, other) => one.from - other.from);
  const drafts = sorted.map(({ from, percent }, key) => ({ key, from: String(from), percent: String(percent) }));
  return { ...rule, tiers: drafts };
}

type TierErrors = { from?: string; percent?: string };

/** Parses a draft. Every invalid field gets an error message; tier errors are keyed by tier key. */
export function readDraft({ tiers, ...rule }: OfferDraft) {
  const errors = new Map<number, TierErrors>();
  const read = tiers.flatMap(({ key, from, percent }) => {
    const tier = { from: readNumber(from), percent: readNumber(percent) };
    const wrong: TierErrors = {};
    if (tier.from === null || tier.from > LARGEST_FROM) wrong.from = "An amount, such as 100";
    else if (tiers.some((other) => other.key < key && readNumber(other.from) === tier.from))
      wrong.from = "Another tier begins here";
    if (tier.percent === null || tier.percent > 100) wrong.percent = "From 0 to 100";
    if (wrong.from !== undefined || wrong.percent !== undefined) errors.set(key, wrong);
    return tier.from === null || tier.percent === null ? [] : { from: tier.from, percent: tier.percent };
  });
  if (errors.size > 0) return { rule: null, errors };
  return { rule: { ...rule, tiers: read.sort((one, other) => one.from - other.from) }, errors: null };
}

/** Parses "1,250", "$100" or "62.5 %"; null if invalid or negative. */
function readNumber(text: string): number | null {
  const digits = text.replaceAll(/[\s$%]/g, "");
  const plain = /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(digits) ? digits.replaceAll(",", "") : digits;
  return /^(?:\d+\.?\d*|\.\d+)$/.test(plain) ? Number(plain) : null;
}

export function withTier(draft: OfferDraft, key: number, change: Partial<Omit<TierDraft, "key">>): OfferDraft {
  return { ...draft, tiers: draft.tiers.map((tier) => (tier.key === key ? { ...tier, ...change } : tier)) };
}

export function withNewTier(draft: OfferDraft): OfferDraft {
  const key = Math.max(-1, ...draft.tiers.map((tier) => tier.key)) + 1;
  return { ...draft, tiers: [...draft.tiers, { key, from: "", percent: "" }] };
}

export function withoutTier(draft: OfferDraft, key: number): OfferDraft {
  return { ...draft, tiers: draft.tiers.filter((tier) => tier.key !== key) };
}
