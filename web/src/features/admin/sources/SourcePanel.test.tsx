import { MantineProvider } from "@mantine/core";
import type { Source } from "@slabdesk/contract/api/sources.ts";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { aEndpoint, aSource } from "./source-factory.test-data.ts";
import { SourcePanel } from "./SourcesPanel.tsx";

const NOW = Date.parse("2026-11-21T10:46:00Z");

const markupOf = (source: Source): string =>
  renderToStaticMarkup(
    <QueryClientProvider client={new QueryClient()}>
      <MantineProvider>
        <SourcePanel source={source} nowMs={NOW} />
      </MantineProvider>
    </QueryClientProvider>,
  );

const textOf = (markup: string): string =>
  markup
    .replaceAll(/<style.*?<\/style>|<[^>]+>/gs, " ")
    .replaceAll("&#x27;", "'")
    .replaceAll(/\s+/g, " ");

const buttonsOf = (markup: string): string[] =>
  [...markup.matchAll(/<button[^>]*aria-label="([^"]*)"/g)].map(([, name = ""]) => name);

const BUSY = { callsToday: 1204, successRate: 97, p50Ms: 412, p95Ms: 2130 };

test("a source's statistics, endpoints, purposes of calls, terms, and required permission", () => {
  const person = (fullName: string, calls: number) => ({ userId: fullName, fullName, calls });
  const text = textOf(
    markupOf(
      aSource({
        ...BUSY,
        cacheHitRate: 31,
        waitingRows: 12,
        endpoints: [
          aEndpoint(BUSY),
          aEndpoint({ name: "psa-page", title: "Website", state: "off", message: "Switched off" }),
        ],
        byPerson: [person("Ana", 800), person("Ben", 300), person("Chloe", 80), person("Dan", 20), person("Eve", 4)],
        quota: { limit: 2500, isConfirmed: true, used: 1204, remaining: 1296, resetsAt: null },
      }),
    ),
  );
  expect(text).toContain("12 cards wait");
  expect(text).toContain(
    "Calls today 1,204 Succeeded 97% in the last 24 hours Typical response 0.4 s 95% within 2.1 s Served from cache 31%",
  );
  expect(text).toContain("1,296 of 2,500 calls left");
  expect(text).toContain("API Working 1,204 calls · 97% succeeded · 0.4 s Website Off Switched off 0 calls");
  expect(text).toContain("Ana 800 calls Ben 300 calls Chloe 80 calls 2 others 24 calls");
  expect(text).toContain("Terms What PSA allows. You need A token of your own.");
});

test("a price source names the companies it refuses", () => {
  const refusals = [{ company: "CGC" as const, until: "2026-11-22T12:00:00Z" }];
  expect(textOf(markupOf(aSource({ name: "cardladder", refusals })))).toContain("Refuses CGC cards. Next try");
});

test.each([
  ["open", aSource(), ["Pause PSA", "Test credentials of PSA", "Credentials of PSA"]],
  [
    "manually_paused",
    aSource({ state: "manually_paused", manualPause: { by: "Ana", at: "2026-11-21T10:42:00Z" } }),
    ["Resume PSA", "Test credentials of PSA", "Credentials of PSA"],
  ],
  [
    "closed by itself",
    aSource({ state: "paused", endpoints: [aEndpoint({ state: "paused" })] }),
    ["Resume PSA", "Pause PSA", "Test credentials of PSA", "Credentials of PSA"],
  ],
  [
    "off",
    aSource({ state: "off", endpoints: [aEndpoint({ state: "off" })] }),
    ["Test credentials of PSA", "Credentials of PSA"],
  ],
])("the actions for a source that is %s", (_, source, buttons) => {
  expect(buttonsOf(markupOf(source))).toEqual(buttons);
});

test.each([
  [1296, "enough"],
  [499, "few"],
  [0, "none"],
])("%i of 2,500 calls left are %s", (remaining, level) => {
  const quota = { limit: 2500, isConfirmed: true, used: 2500 - remaining, remaining, resetsAt: null };
  expect(markupOf(aSource({ quota }))).toContain(`data-level="${level}"`);
});

test("a source without calls has no statistics", () => {
  const text = textOf(markupOf(aSource()));
  expect(text).toContain("Not called in the last 24 hours");
  expect(text).not.toContain("Succeeded");
});
