import { MantineProvider } from "@mantine/core";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { aQuota, aStatus } from "../plan/plan-factory.test-data.ts";
import { NetworkError } from "../../../api/errors.ts";
import { OptionsStep } from "../steps/OptionsStep.tsx";
import { QuotaBlock, type QuotaReading } from "./QuotaBlock.tsx";

const nothing = (): void => {};
const textOf = (markup: string): string =>
  markup
    .replaceAll(/<style.*?<\/style>|<[^>]+>/gs, " ")
    .replaceAll("&#x27;", "'")
    .replaceAll(/\s+/g, " ");

const markupOf = (reading: QuotaReading): string =>
  renderToStaticMarkup(
    <MantineProvider>
      <QuotaBlock reading={reading} />
    </MantineProvider>,
  );

const refetch: QuotaReading["refetch"] = () => Promise.reject(new Error("Nothing is asked here"));
const known = (fields: Parameters<typeof aQuota>[0] = {}): QuotaReading => ({
  data: aQuota(fields),
  error: null,
  refetch,
});

const REFRESH_BUTTON = /<button[^>]*\sdisabled=""[^>]*>(?:(?!<\/button>).)*Refresh Quota/s;

test("the specified quota block: remaining, total, last reset, used today, last checked, and the disabled button", () => {
  const markup = markupOf(known());
  expect(textOf(markup)).toContain(
    "PSA quota 1,840 / 2,500 Used today 660 Last reset Nov 21, 2026, 9:05 AM Last checked 2:00:00 PM Refresh Quota",
  );
  expect(markup).toMatch(REFRESH_BUTTON);
  expect(markup).toContain('title="The quota refreshes by itself"');
});

test.each([
  [2500, "ok"],
  [499, "low"],
  [0, "zero"],
])("%i calls left have the style of %s", (remainingQuota, level) => {
  expect(markupOf(known({ remainingQuota }))).toContain(`data-level="${level}"`);
});

test("missing access and a failure have a message", () => {
  expect(textOf(markupOf(known({ noAccess: true })))).toContain("The server has no token for PSA's API");
  const failed = markupOf({ data: undefined, error: new NetworkError(), refetch });
  expect(textOf(failed)).toContain(
    "PSA quota unknown Could not connect to backend server. Please ensure it is running. Try again",
  );
});

const ADMINS_ONLY = "PSA's API quota is shown to administrators only.";

test.each([
  ["api", null, true],
  ["api-with-fallback", null, true],
  ["scraping", null, false],
  ["api", known(), false],
] as const)("in mode %s with quota %j says %j that it is for administrators", (mode, quota, isSaid) => {
  const text = textOf(optionsMarkup({ mode, quota, isRateLimited: false }));
  expect(text.includes(ADMINS_ONLY)).toBe(isSaid);
  expect(text.includes("Refresh Quota")).toBe(quota !== null);
});

test("'API only' is marked at the limit, the others are not", () => {
  const limited = textOf(optionsMarkup({ mode: "api", quota: null, isRateLimited: true }));
  expect(limited).toContain("API only Rate limit hit! PSA only, limited to 2500 image requests/day");
  expect(limited.split("Rate limit hit!")).toHaveLength(2);
  expect(textOf(optionsMarkup({ mode: "api", quota: null, isRateLimited: false }))).not.toContain("Rate limit hit!");
});

type Scene = { mode: "api" | "api-with-fallback" | "scraping"; quota: QuotaReading | null; isRateLimited: boolean };

function optionsMarkup({ mode, quota, isRateLimited }: Scene): string {
  return renderToStaticMarkup(
    <MantineProvider>
      <OptionsStep
        options={{ mode, reuseKnown: true, includePricing: false }}
        state="current"
        isLocked={false}
        status={aStatus(["cardladder"])}
        quota={quota}
        isRateLimited={isRateLimited}
        onOptions={nothing}
        isFolded={false}
      />
    </MantineProvider>,
  );
}
