import { MODES, type Mode, modeSchema } from "@slabdesk/contract/api/cards.ts";
import type { Status } from "@slabdesk/contract/api/status.ts";
import { type PriceSourceName, PRICE_SOURCE_NAMES } from "@slabdesk/contract/api/prices.ts";
import { Box, Checkbox, Radio, Stack, Text } from "@mantine/core";
import { MODE_LABELS } from "../../../run/session-messages.ts";
import { Step, type StepState } from "./Step.tsx";
import { Tag } from "../../../ui/Tag.tsx";
import type { RunOptions } from "../sheet/sheet-work.ts";
import { QuotaBlock, type QuotaReading } from "../quota/QuotaBlock.tsx";

const NOTES: Record<Mode, string> = {
  "api-with-fallback": "Recommended for PSA. Reads the website only if the API fails",
  api: "PSA only, limited to 2500 image requests/day",
  scraping: "Works for PSA and CGC",
};

const NOTES_WITHOUT_SCRAPING: Record<Mode, string> = {
  ...NOTES,
  "api-with-fallback": "API only: scraping is turned off",
  scraping: "Turned off by the administrator",
};

/** The text below the checkbox: the extra time, and the enabled sources. */
function pricingNote(sources: readonly PriceSourceName[] | undefined) {
  if (sources?.length === 0)
    return "No price source is set up. An administrator must enter credentials for CardLadder or CardsIQ.";
  const [only] = sources?.length === 1 ? sources : [];
  const who = only ? `From ${PRICE_SOURCE_NAMES[only]} only` : "Includes CardsIQ";
  return (
    <>
      (about 2.5 s extra per card){" "}
      <Box component="span" display="block">
        Runs alongside lookups. {who}
      </Box>
    </>
  );
}

const LABEL = { paddingInlineStart: 10, color: "var(--sd-ink)", fontSize: "0.8125rem", lineHeight: 1.5 };
const DESCRIPTION = { marginTop: 1, paddingInlineStart: 10, fontSize: "0.78125rem", lineHeight: 1.35 };
const CHECK_STYLES = { label: LABEL, description: DESCRIPTION };
const MODE_STYLES = {
  inner: { marginTop: 2 },
  label: { ...LABEL, fontSize: "0.875rem", lineHeight: 1.4 },
  description: DESCRIPTION,
};

type OptionsStepProps = {
  options: RunOptions;
  onOptions: (options: Partial<RunOptions>) => void;
  state: StepState;
  /** A run is active: shows its options as read-only. */
  isLocked: boolean;
  status: Status | null;
  /** Null for users who may not see it. */
  quota: QuotaReading | null;
  isRateLimited: boolean;
  /** Collapses the controls below one line, for small screens. */
  isFolded: boolean;
};

export function OptionsStep(props: OptionsStepProps) {
  const { options, onOptions, state, isLocked, status, quota, isRateLimited, isFolded } = props;
  const isScrapingOff = status?.scraping === "off";
  const priceSources = status?.priceSources;
  const notes = isScrapingOff ? NOTES_WITHOUT_SCRAPING : NOTES;
  const controls = (
    <>
      <Radio.Group
        aria-label="Data source"
        value={options.mode}
        onChange={(value) => {
          const mode = modeSchema.safeParse(value);
          if (mode.success) onOptions({ mode: mode.data });
        }}
      >
        <Stack gap={9} mb={10}>
          {MODES.map((mode) => (
            <Radio
              key={mode}
              value={mode}
              size="xs"
              styles={MODE_STYLES}
              disabled={isLocked || (isScrapingOff && mode === "scraping")}
              label={
                <>
                  {MODE_LABELS[mode]}{" "}
                  {mode === "api-with-fallback" && (
                    <Tag tone="good" variant="small">
                      for PSA
                    </Tag>
                  )}
                  {mode === "api" && isRateLimited && (
                    <Tag tone="bad" variant="small">
                      Rate limit hit!
                    </Tag>
                  )}
                </>
              }
              description={notes[mode]}
            />
          ))}
        </Stack>
      </Radio.Group>
      <Text size="xs" c="dimmed" mb={10}>
        CGC's API needs credentials on the server; without them, choose a source that reads pages.
      </Text>
      <Checkbox
        size="xs"
        styles={CHECK_STYLES}
        label="Reuse cards already looked up"
        checked={options.reuseKnown}
        disabled={isLocked}
        onChange={(event) => onOptions({ reuseKnown: event.currentTarget.checked })}
      />
      <Checkbox
        size="xs"
        mt={7}
        styles={CHECK_STYLES}
        label="Include market price data from CardLadder"
        description={pricingNote(priceSources)}
        checked={options.includePricing}
        disabled={isLocked || priceSources?.length === 0}
        onChange={(event) => onOptions({ includePricing: event.currentTarget.checked })}
      />
      {quota && <QuotaBlock reading={quota} />}
      {!quota && options.mode !== "scraping" && (
        <Text size="xs" c="dimmed" mt={8} mb={10}>
          PSA's API quota is shown to administrators only.
        </Text>
      )}
    </>
  );
  return (
    <Step number={3} title="Processing options" state={isFolded ? "done" : state}>
      {isFolded ? (
        <details>
          <Box component="summary" mih={28} c="dimmed" fz="sm" style={{ cursor: "pointer" }}>
            {MODE_LABELS[options.mode]}
          </Box>
          {controls}
        </details>
      ) : (
        controls
      )}
    </Step>
  );
}
