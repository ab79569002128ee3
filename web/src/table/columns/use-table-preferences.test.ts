import { MutationObserver, QueryClient } from "@tanstack/react-query";
import { expect, test, vi } from "vitest";
import { changeShown, keptIn, keptPreferencesQuery, savePreferencesMutation } from "./use-table-preferences.ts";
import { DEFAULT_PREFERENCES, type TablePreferences } from "./table-preferences.ts";

const KEPT = JSON.stringify({ ...DEFAULT_PREFERENCES, highValue: 77, hiddenColumns: ["year"] });

type Server = { view: string | null; isAway?: boolean; puts: number };

/** A server with one user's settings. */
function serve(view: string | null): Server {
  const server: Server = { view, puts: 0 };
  vi.stubGlobal("fetch", async (_url: string, { method, body }: RequestInit) => {
    if (server.isAway === true) return new Response("", { status: 500 });
    if (method === "PUT" && typeof body === "string") {
      server.puts += 1;
      server.view = JSON.parse(body).view;
    }
    return Response.json({ view: server.view });
  });
  return server;
}

function storeCopy(copy: string | null): void {
  vi.stubGlobal("localStorage", { getItem: () => copy });
}

/** One page of the user. */
function openPage() {
  const client = new QueryClient();
  const query = keptPreferencesQuery("ana");
  const save = new MutationObserver(client, savePreferencesMutation("ana"));
  return {
    shown: (): TablePreferences => keptIn(client, "ana").shown,
    load: () => client.query({ ...query, staleTime: 0 }),
    change: (changes: Partial<TablePreferences>): Promise<void> => {
      changeShown(client, "ana", (current) => ({ ...current, ...changes }));
      return save.mutate();
    },
  };
}

const saved = (server: Server): unknown => JSON.parse(server.view ?? "null");

test("it begins with this browser's copy; what the server keeps takes its place", async () => {
  storeCopy('{"density":"compact"}');
  serve('{"density":"comfortable","highValue":20}');
  const page = openPage();
  expect(page.shown().density).toBe("compact");
  await page.load();
  expect(page.shown()).toMatchObject({ density: "comfortable", highValue: 20 });
});

test.each([
  ["null", null],
  ["nothing that can be read", "{"],
])("a copy of %s reads as the defaults", (_name, copy) => {
  storeCopy(copy);
  expect(openPage().shown()).toEqual(DEFAULT_PREFERENCES);
});

test("a server that keeps nothing yet leaves the copy", async () => {
  storeCopy('{"density":"compact"}');
  serve(null);
  const page = openPage();
  await page.load();
  expect(page.shown().density).toBe("compact");
});

test("what was arranged while the server was asked stays, and is sent", async () => {
  storeCopy(null);
  const server = serve(KEPT);
  const page = openPage();
  const loading = page.load();
  const saving = page.change({ density: "compact" });
  await Promise.all([loading, saving]);
  expect(page.shown()).toMatchObject({ density: "compact", highValue: 77, hiddenColumns: ["year"] });
  expect(saved(server)).toEqual(page.shown());
});

test("many changes in a row are sent in order, and no more often than needed", async () => {
  storeCopy(null);
  const server = serve(null);
  const page = openPage();
  await Promise.all(
    [1, 2, 3, 4, 5].map((highValue) => {
      const saving = page.change({ highValue });
      expect(page.shown().highValue).toBe(highValue);
      return saving;
    }),
  );
  expect(saved(server)).toMatchObject({ highValue: 5 });
  expect(server.puts).toBe(1);
});

test("nothing is sent before the server has said what it keeps; then the changes made here go onto that", async () => {
  vi.spyOn(console, "warn").mockImplementation(() => {});
  storeCopy(null);
  const server = serve(KEPT);
  server.isAway = true;
  const page = openPage();
  await expect(page.change({ density: "compact" })).rejects.toThrow();
  expect([page.shown().density, server.puts]).toEqual(["compact", 0]);
  server.isAway = false;
  await page.change({ sort: { columnId: "grade", direction: "ascending" } });
  expect(page.shown()).toMatchObject({ density: "compact", highValue: 77, hiddenColumns: ["year"] });
  expect(saved(server)).toEqual(page.shown());
});

test("two pages of one person: each sends what was changed in it, and sees the other's when it loads", async () => {
  storeCopy(null);
  const server = serve(null);
  const [one, two] = [openPage(), openPage()];
  await Promise.all([one.load(), two.load()]);
  await one.change({ hiddenColumns: ["year"], highValue: 77 });
  await two.change({ filter: { name: "differs", sessionId: "s" } });
  const both = { hiddenColumns: ["year"], highValue: 77, filter: { name: "differs", sessionId: "s" } };
  expect(saved(server)).toMatchObject(both);
  expect(one.shown().filter).toBeNull();
  await one.load();
  expect(one.shown()).toMatchObject(both);
  const before = one.shown();
  await one.load();
  expect(one.shown()).toBe(before);
});
