import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { PersonView, type ViewKeeping } from "./person-view.ts";
import { DEFAULT_PREFERENCES, type TablePreferences } from "./table-preferences.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

type Kept = ViewKeeping & {
  saved: { density: string; isLeaving: boolean }[];
  copy: string | null;
  failures: unknown[];
};

/** One person's settings on a server in memory; `load` returns them. */
function keeping(load: () => Promise<string | null>, copy: string | null = null): Kept {
  const kept: Kept = {
    saved: [],
    failures: [],
    copy,
    load,
    save: async (text, isLeaving) => void kept.saved.push({ ...JSON.parse(text), isLeaving }),
    readCopy: () => kept.copy,
    writeCopy: (text) => {
      kept.copy = text;
    },
    onFailure: (error) => void kept.failures.push(error),
  };
  return kept;
}

const KEPT = JSON.stringify({ ...DEFAULT_PREFERENCES, highValue: 77, hiddenColumns: ["year"] });

type Server = { text: string | null; isAway: boolean };

/** The storage of one page, beside those of the person's other pages. */
function keepingAt(server: Server): Kept {
  const call = (): void => {
    if (server.isAway) throw new Error("away");
  };
  const load = async (): Promise<string | null> => {
    call();
    return server.text;
  };
  const save = async (text: string): Promise<void> => {
    call();
    server.text = text;
  };
  return Object.assign(keeping(load), { save });
}

const density =
  (wanted: TablePreferences["density"]) =>
  (current: TablePreferences): TablePreferences => ({ ...current, density: wanted });
const densityOf = (view: PersonView): string => view.getSnapshot().preferences.density;

test("starts with this browser's copy; the server's settings replace it and the copy", async () => {
  const kept = keeping(async () => '{"density":"comfortable","highValue":20}', '{"density":"compact"}');
  const view = new PersonView(kept);
  expect([densityOf(view), view.getSnapshot().isLoaded]).toEqual(["compact", false]);
  await view.load();
  expect(view.getSnapshot()).toMatchObject({ preferences: { density: "comfortable", highValue: 20 }, isLoaded: true });
  expect(JSON.parse(kept.copy ?? "")).toMatchObject({ density: "comfortable", highValue: 20 });
});

test.each([
  ["null", null],
  ["nothing that can be read", "{"],
])("a copy of %s gives the defaults", (_name, copy) => {
  expect(new PersonView(keeping(async () => null, copy)).getSnapshot().preferences).toEqual(DEFAULT_PREFERENCES);
});

test("a server without settings leaves the copy", async () => {
  const view = new PersonView(keeping(async () => null, '{"density":"compact"}'));
  await view.load();
  expect(densityOf(view)).toBe("compact");
});

test("changes during the request are kept and sent", async () => {
  const answer = Promise.withResolvers<string>();
  const kept = keeping(() => answer.promise);
  const view = new PersonView(kept);
  const loaded = view.load();
  view.change(density("compact"));
  answer.resolve('{"density":"comfortable"}');
  await loaded;
  expect(densityOf(view)).toBe("compact");
  await vi.runAllTimersAsync();
  expect(kept.saved).toMatchObject([{ density: "compact", isLeaving: false }]);
});

test("quick changes are one request; each is in the copy at once", async () => {
  const kept = keeping(async () => null);
  const view = new PersonView(kept);
  for (const wanted of ["compact", "comfortable", "compact"] as const) {
    view.change(density(wanted));
    expect(JSON.parse(kept.copy ?? "")).toMatchObject({ density: wanted });
  }
  expect(kept.saved).toEqual([]);
  await vi.runAllTimersAsync();
  expect(kept.saved).toMatchObject([{ density: "compact", isLeaving: false }]);
});

test("a closing page sends unsent changes once", async () => {
  const kept = keeping(async () => null);
  const view = new PersonView(kept);
  await view.load();
  view.leave();
  view.change(density("compact"));
  view.leave();
  view.leave();
  await vi.runAllTimersAsync();
  expect(kept.saved).toMatchObject([{ density: "compact", isLeaving: true }]);
});

test("requests are sent one after another, so that the last one wins", async () => {
  const first = Promise.withResolvers<void>();
  const kept = keeping(async () => null);
  const sent: string[] = [];
  kept.save = async (text) => {
    sent.push(JSON.parse(text).density);
    if (sent.length === 1) await first.promise;
  };
  const view = new PersonView(kept);
  view.change(density("compact"));
  await vi.runAllTimersAsync();
  view.change(density("comfortable"));
  await vi.runAllTimersAsync();
  expect(sent).toEqual(["compact"]);
  first.resolve();
  await vi.runAllTimersAsync();
  expect(sent).toEqual(["compact", "comfortable"]);
});

test("nothing is sent before the server's settings arrive; then local changes are applied to them", async () => {
  const server: Server = { text: KEPT, isAway: true };
  const kept = keepingAt(server);
  const view = new PersonView(kept);
  await view.load();
  expect(view.getSnapshot().isLoaded).toBe(true);
  view.change(density("compact"));
  await vi.runAllTimersAsync();
  view.leave();
  expect([densityOf(view), kept.failures.length, server.text]).toEqual(["compact", 2, KEPT]);
  server.isAway = false;
  await view.load();
  expect(view.getSnapshot().preferences).toMatchObject({ density: "compact", highValue: 77, hiddenColumns: ["year"] });
  expect(JSON.parse(server.text ?? "")).toEqual(view.getSnapshot().preferences);
});

test("changes of a failed request are sent with the next change", async () => {
  const server: Server = { text: null, isAway: false };
  const view = new PersonView(keepingAt(server));
  await view.load();
  server.isAway = true;
  view.change(density("compact"));
  await vi.runAllTimersAsync();
  server.isAway = false;
  view.change((current) => ({ ...current, highValue: 5 }));
  await vi.runAllTimersAsync();
  expect(JSON.parse(server.text ?? "")).toMatchObject({ density: "compact", highValue: 5 });
});

test("two pages of one person: each sends its own changes, and shows the other's when it becomes visible", async () => {
  const server: Server = { text: null, isAway: false };
  const [one, two] = [new PersonView(keepingAt(server)), new PersonView(keepingAt(server))];
  await Promise.all([one.load(), two.load()]);
  one.change((current) => ({ ...current, hiddenColumns: ["year"], highValue: 77 }));
  await vi.runAllTimersAsync();
  two.change((current) => ({ ...current, filter: { name: "differs", sessionId: "s" } }));
  await vi.runAllTimersAsync();
  const both = { hiddenColumns: ["year"], highValue: 77, filter: { name: "differs", sessionId: "s" } };
  expect(JSON.parse(server.text ?? "")).toMatchObject(both);
  expect(one.getSnapshot().preferences.filter).toBeNull();
  await one.refresh();
  expect(one.getSnapshot().preferences).toMatchObject(both);
  const before = one.getSnapshot().preferences;
  await one.refresh();
  expect(one.getSnapshot().preferences).toBe(before);
});
