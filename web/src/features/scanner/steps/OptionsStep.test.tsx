import { MantineProvider } from "@mantine/core";
import type { PriceSourceName } from "@slabdesk/contract/api/prices.ts";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { INITIAL_STATE } from "../scanner-state.ts";
import { aStatus } from "../plan/plan-factory.test-data.ts";
import { OptionsStep } from "./OptionsStep.tsx";

const nothing = (): void => {};

/** The checkbox for prices, with its label and what stands under it. */
function pricingOf(priceSources: PriceSourceName[] | null): { text: string; isDisabled: boolean; isChecked: boolean } {
  const markup = renderToStaticMarkup(
    <MantineProvider>
      <OptionsStep
        options={INITIAL_STATE.options}
        state="current"
        isLocked={false}
        status={priceSources && aStatus(priceSources)}
        quota={null}
        isRateLimited={false}
        onOptions={nothing}
        isFolded={false}
      />
    </MantineProvider>,
  );
  const [, box = ""] = markup.split("Reuse cards already looked up");
  const input = /<input[^>]*type="checkbox"[^>]*>/.exec(box)?.[0] ?? "";
  const [text = ""] = box.replaceAll(/<[^>]+>/g, "|").split(/\|+PSA&#x27;s API quota/);
  return {
    text: text.replaceAll(/\|+/g, "|").replaceAll("&#x27;", "'"),
    isDisabled: input.includes("disabled"),
    isChecked: input.includes("checked"),
  };
}

test.each([
  [["cardladder", "cardsiq"], "(about 2.5 s extra per card) |Runs alongside lookups. Includes CardsIQ"],
  [["cardladder"], "(about 2.5 s extra per card) |Runs alongside lookups. From CardLadder only"],
  [["cardsiq"], "(about 2.5 s extra per card) |Runs alongside lookups. From CardsIQ only"],
  [null, "(about 2.5 s extra per card) |Runs alongside lookups. Includes CardsIQ"],
] as const)("with %j the checkbox has the specified text and names the sources", (sources, note) => {
  expect(pricingOf(sources && [...sources])).toEqual({
    text: `|Include market price data from CardLadder|${note}`,
    isDisabled: false,
    isChecked: false,
  });
});

test("without a price source it is disabled and says why", () => {
  expect(pricingOf([])).toMatchObject({
    text: "|Include market price data from CardLadder|No price source is set up. An administrator must enter credentials for CardLadder or CardsIQ.",
    isDisabled: true,
  });
});

test.each([
  ["before a run", false, false],
  ["during a run", true, false],
  ["during a run on a phone", true, true],
])("every option says what it is for %s", (_when, isLocked, isFolded) => {
  const markup = renderToStaticMarkup(
    <MantineProvider>
      <OptionsStep
        options={INITIAL_STATE.options}
        state="current"
        isLocked={isLocked}
        status={aStatus([])}
        quota={null}
        isRateLimited={false}
        onOptions={nothing}
        isFolded={isFolded}
      />
    </MantineProvider>,
  );
  const text = markup.replaceAll(/<[^>]+>/g, "").replaceAll("&#x27;", "'");
  expect(text).toContain("Recommended for PSA. Reads the website only if the API fails");
  expect(text).toContain("PSA only, limited to 2500 image requests/day");
  expect(text).toContain("Works for PSA and CGC");
  expect(text).toContain("CGC's API needs credentials on the server; without them, choose a source that reads pages.");
});
