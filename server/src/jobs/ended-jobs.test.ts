import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestServer, type TestServer } from "../testing/test-server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({}, { deadJobsMs: 1_000 });
});
afterAll(async () => {
  await server.close();
});

test.each(["lookup-psa", "retry-psa", "price-cardsiq"])(
  "ended jobs of the queue %s are deleted within hours",
  async (queue) => {
    const countJobs = async () =>
      (await sql`SELECT FROM jobs.job WHERE name = ${queue}`.execute(server.db)).rows.length;
    await sql`
    INSERT INTO jobs.job (name, state, completed_on, deletion_seconds)
    SELECT name, 'cancelled', now() - interval '2 hours', deletion_seconds FROM jobs.queue
    WHERE name = ${queue}`.execute(server.db);
    expect(await countJobs()).toBe(1);
    await sql`UPDATE jobs.queue SET maintain_on = now() - interval '1 hour' WHERE name = ${queue}`.execute(server.db);
    await expect.poll(countJobs, { timeout: 20_000 }).toBe(0);
  },
);
