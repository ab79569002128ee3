import { MantineProvider } from "@mantine/core";
import type { PriceSourceName } from "@slabdesk/contract/api/prices.ts";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { INITIAL_STATE } from "../scanner-state.ts";
import { OptionsStep } from "./OptionsStep.tsx";

const nothing = (): void => {};

/** The checkbox for prices, with its label and what stands under it. */
function pricingOf(
  priceSources: PriceSourceName[] | null,
  isShort = false,
): { text: string; isDisabled: boolean; isChecked: boolean } {
  const markup = renderToStaticMarkup(
    <MantineProvider>
      <OptionsStep
        options={INITIAL_STATE.options}
        state="current"
        isLocked={false}
        scraping="on"
        priceSources={priceSources}
        quota={null}
        isRateLimited={false}
        onMode={nothing}
        onReuse={nothing}
        onPricing={nothing}
        isShort={isShort}
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
  [["cardladder", "cardsiq"], "(about 2.5 s extra per card) |Beside the look-ups; CardsIQ's too"],
  [["cardladder"], "(about 2.5 s extra per card) |Beside the look-ups; from CardLadder only"],
  [["cardsiq"], "(about 2.5 s extra per card) |Beside the look-ups; from CardsIQ only"],
  [null, "(about 2.5 s extra per card) |Beside the look-ups; CardsIQ's too"],
] as const)("with %j the checkbox has SPEC's words and says who is asked", (sources, note) => {
  expect(pricingOf(sources && [...sources])).toEqual({
    text: `|Include market price data from CardLadder|${note}`,
    isDisabled: false,
    isChecked: false,
  });
});

test("without a price source it cannot be ticked, and says why", () => {
  expect(pricingOf([])).toMatchObject({
    text: "|Include market price data from CardLadder|No price source is set up. An administrator must set CardLadder's or CardsIQ's credentials.",
    isDisabled: true,
  });
});

test("above a plan, which has a line for each source, it says less, but names the one that is asked alone", () => {
  const label = "|Include market price data from CardLadder|(about 2.5 s extra per card) ";
  expect(pricingOf(["cardladder", "cardsiq"], true).text).toBe(label);
  expect(pricingOf(["cardsiq"], true).text).toBe(`${label}|Beside the look-ups; from CardsIQ only`);
});
