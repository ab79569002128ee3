import { expect, test } from "vitest";
import { RowsStore } from "./rows-store.ts";
import { aRow } from "./row-factory.test-data.ts";

const lines = (store: RowsStore): number[] => store.getSnapshot().map((row) => row.line);

test("rows are in line order, whatever order they arrive in", () => {
  const store = new RowsStore();
  store.addPage([aRow({ line: 4 }), aRow({ line: 5 })]);
  store.applyChanges([aRow({ line: 9 })]);
  store.addPage([aRow({ line: 2 }), aRow({ line: 7 })]);
  expect(lines(store)).toEqual([2, 4, 5, 7, 9]);
});

test("a change wins over a page that was read before it and arrives after it", () => {
  const store = new RowsStore();
  store.applyChanges([aRow({ line: 2, status: "completed" })]);
  store.addPage([aRow({ line: 2, status: "pending" }), aRow({ line: 3, status: "pending" })]);
  expect(store.getSnapshot().map((row) => row.status)).toEqual(["completed", "pending"]);
});

test("changes find their rows after rows were inserted", () => {
  const store = new RowsStore();
  store.addPage([aRow({ line: 5 })]);
  store.addPage([aRow({ line: 3 })]);
  store.applyChanges([aRow({ line: 5, itemName: "late" }), aRow({ line: 3, itemName: "early" })]);
  expect(store.getSnapshot().map((row) => row.itemName)).toEqual(["early", "late"]);
});

test("the last of several changes to a row counts, also for a new row", () => {
  const store = new RowsStore();
  store.applyChanges([aRow({ line: 2, status: "processing" }), aRow({ line: 2, status: "completed" })]);
  expect(store.getSnapshot().map((row) => row.status)).toEqual(["completed"]);
});

test("subscribers are notified once per call, and only of changes", () => {
  const store = new RowsStore();
  let heard = 0;
  const unsubscribe = store.subscribe(() => {
    heard += 1;
  });
  store.addPage([aRow({ line: 2 }), aRow({ line: 3 })]);
  store.addPage([aRow({ line: 2 })]);
  store.applyChanges([]);
  expect(heard).toBe(1);
  store.clear();
  store.clear();
  expect(heard).toBe(2);
  unsubscribe();
  store.addPage([aRow({ line: 2 })]);
  expect(heard).toBe(2);
});

test("a snapshot never changes, and unchanged rows stay the same objects", () => {
  const store = new RowsStore();
  store.addPage([aRow({ line: 2 }), aRow({ line: 3 })]);
  const before = store.getSnapshot();
  const [first] = before;
  store.applyChanges([aRow({ line: 3, status: "completed" })]);
  expect(before.map((row) => row.status)).toEqual(["pending", "pending"]);
  expect(store.getSnapshot()[0]).toBe(first);
});

test("a removed row stays removed when a late change arrives; the others find their places", () => {
  const store = new RowsStore();
  store.addPage([aRow({ id: "a", line: 2 }), aRow({ id: "b", line: 3 }), aRow({ id: "c", line: 4 })]);
  store.remove(["b"]);
  store.applyChanges([aRow({ id: "b", line: 3, status: "completed" }), aRow({ id: "c", line: 4, itemName: "late" })]);
  expect(lines(store)).toEqual([2, 4]);
  expect([store.has("a"), store.has("b")]).toEqual([true, false]);
  expect(store.getSnapshot()[1]?.itemName).toBe("late");
});

test("an answer updates its own fields of a row and keeps what an event has set meanwhile", () => {
  const store = new RowsStore();
  store.addPage([aRow({ id: "a", line: 2, status: "processing" }), aRow({ id: "b", line: 3 })]);
  const before = store.getSnapshot();
  store.applyChanges([aRow({ id: "a", line: 2, status: "completed", itemName: "late" })]);
  store.amend([
    { id: "a", reviewedAt: "2026-11-21T10:00:00Z" },
    { id: "unknown", reviewedAt: "2026-11-21T10:00:00Z" },
  ]);
  expect(store.getSnapshot()[0]).toMatchObject({
    status: "completed",
    itemName: "late",
    reviewedAt: "2026-11-21T10:00:00Z",
  });
  expect(store.getSnapshot()[1]).toBe(before[1]);
  expect(lines(store)).toEqual([2, 3]);
  store.remove(["a"]);
  store.amend([{ id: "a", reviewedAt: null }]);
  expect(lines(store)).toEqual([3]);
});
