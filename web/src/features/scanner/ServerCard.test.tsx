import { MantineProvider } from "@mantine/core";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { aStatus } from "./plan/plan-factory.test-data.ts";
import { ServerLine } from "./ServerCard.tsx";

const ONLINE = aStatus([]);
const SOURCES = [
  { title: "PSA", state: "manually_paused" },
  { title: "CGC", state: "open" },
  { title: "TAG", state: "paused" },
  { title: "CardsIQ", state: "off" },
] as const;

const textOf = (markup: string): string =>
  markup
    .replaceAll(/<style.*?<\/style>|<[^>]+>/gs, " ")
    .replaceAll(/\s+/g, " ")
    .trim();

test("the server card says that the server is online, its environment, and which source is paused", () => {
  const message = (...[props]: Parameters<typeof ServerLine>) =>
    textOf(
      renderToStaticMarkup(
        <MantineProvider>
          <ServerLine {...props} />
        </MantineProvider>,
      ),
    );
  expect(message({ status: ONLINE, sources: SOURCES })).toBe("Server online production · 1.2.3 PSA, TAG paused");
  expect(message({ status: ONLINE, sources: SOURCES.slice(1, 2) })).toBe("Server online production · 1.2.3");
  expect(message({ status: null, sources: [] })).toBe("Server is not responding");
});
