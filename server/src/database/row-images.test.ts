import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openDatabase, openPool, type Database } from "./connection.ts";
import { beginTaking, waitForTakers } from "./row-images.ts";
import { createTestDatabase, type TestDatabase } from "./testing/test-database.ts";

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(openPool(database.settings, () => {}));
});
afterAll(async () => {
  await db.destroy();
  await database.end();
});

async function openTaker() {
  const trx = await db.startTransaction().execute();
  await beginTaking(trx);
  return trx;
}

test("waiting for copies of cached certs doesn't block later ones, and ends even if there is always one", async () => {
  const earlier = await openTaker();
  const waited = new AbortController();
  const waiting = waitForTakers(db).then(() => waited.abort());
  let last = await openTaker();
  await last.commit().execute();
  expect(waited.signal.aborted).toBe(false);
  last = earlier;
  while (!waited.signal.aborted) {
    const next = await openTaker();
    await last.commit().execute();
    last = next;
    await setTimeout(10);
  }
  await last.commit().execute();
  await waiting;
});
