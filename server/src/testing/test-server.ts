import type { FastifyBaseLogger } from "fastify";
import { pino } from "pino";
import type { Role } from "@slabdesk/contract/api/people.ts";
import { createServer } from "../app.ts";
import { parseConfig, type Config } from "../config.ts";
import { openDatabase, openPool, type Database } from "../database/connection.ts";
import { createTestDatabase, type TestDatabase } from "../database/testing/test-database.ts";
import type { App } from "../http/guards.ts";
import type { Intervals } from "../intervals.ts";
import { QUICK_PASSWORDS } from "./quick-passwords.ts";
import { temporaryFolder } from "./temporary-folder.ts";

/** A signed-in user; `headers` are those of a script. */
export type Person = { id: string; email: string; password: string; headers: { authorization: string } };

export type TestServer = {
  app: App;
  db: Database;
  /** The first administrator. */
  admin: Person;
  /** Adds a user through the API and signs in. */
  addPerson(role?: Role): Promise<Person>;
  /** Signs a user in once more. */
  signIn(person: Pick<Person, "email" | "password">): Promise<Person>;
  /** Resolves when all actions so far are in the activity log, which is written in the background. */
  activityWritten(): Promise<void>;
  /** Listens on a free loopback port, once; returns the URL. */
  address(): Promise<string>;
  /** Starts another node on the same database, with these settings changed; it stops with the first. */
  anotherNode(settings?: Record<string, string>): Promise<TestNode>;
  /** The server's log lines from level error on, one JSON text each. */
  errors: string[];
  close(): Promise<void>;
};

export type TestNode = Pick<TestServer, "app" | "address">;

/**
 * Short intervals, so that tests wait for results and not for the next poll. Expensive work that few tests need is rare:
 * dead jobs and unrequested images. Tests of these pass their own intervals.
 */
export const SHORT_INTERVALS: Intervals = {
  waitingRowsMs: 500,
  backlogsMs: 500,
  placesMs: 1_000,
  pausedPricesMs: 100,
  jobsMs: 1_000,
  deadJobsMs: 60_000,
  imageJobsMs: 3_600_000,
  lateImagesMs: 3_600_000,
  eventsMs: 20,
  callLogMs: 50,
  longCallMs: 20_000,
  expiredAuthSessionsMs: 3_600_000,
  sheetDeadlineMs: 60_000,
  slowBodyMs: 10_000,
  slowReaderMs: 60_000,
  blockMs: 1_000,
  longestLoopDelayMs: 0,
  longestQueueMs: 60_000,
};

const ADMIN = { email: "admin@example.com", password: "first-admin-password" };

/** Makes the server compare the images of found cards soon. */
export const SOON_IMAGES: Partial<Intervals> = { imageJobsMs: 500 };

/** The whole server on its own database, as `main.ts` builds it, without a port. `settings` are environment variables. */
export async function startTestServer(
  settings: Record<string, string> = {},
  ownIntervals: Partial<Intervals> = {},
): Promise<TestServer> {
  const intervals = { ...SHORT_INTERVALS, ...ownIntervals };
  const database = await createTestDatabase();
  const errors: string[] = [];
  const log = pino({ level: "error" }, { write: (line: string) => void errors.push(line) });
  const configWith = (changed: Record<string, string>): Config =>
    parseConfig({
      UPSTREAMS: "live",
      ADMIN_EMAIL: ADMIN.email,
      ADMIN_PASSWORD: ADMIN.password,
      CARD_DELAY_MS: "0",
      ...settings,
      ...changed,
    });
  const nodes: RunningNode[] = [];
  const startNode = async (changed: Record<string, string> = {}): Promise<RunningNode> => {
    const node = await startOn({ database, config: configWith(changed), log, intervals });
    nodes.push(node);
    return node;
  };
  const { app, db, address } = await startNode();

  const signIn = async ({ email, password }: Pick<Person, "email" | "password">): Promise<Person> => {
    const answer = await app.inject({ method: "POST", url: "/api/auth/sign-in/email", payload: { email, password } });
    if (answer.statusCode !== 200) throw new Error(`${email} could not sign in: ${answer.body}`);
    const { token, user } = answer.json<{ token: string; user: { id: string } }>();
    return { id: user.id, email, password, headers: { authorization: `Bearer ${token}` } };
  };
  const admin = await signIn(ADMIN);
  let people = 0;

  return {
    app,
    db,
    admin,
    signIn,
    errors,
    address,
    anotherNode: startNode,
    async activityWritten() {
      await app.inject({ url: "/api/admin/activity?limit=1", headers: admin.headers });
    },
    async addPerson(role = "user") {
      people += 1;
      const person = { email: `person${people}@example.com`, password: `password-${people}` };
      const payload = { ...person, fullName: `Person ${people}`, role };
      const answer = await app.inject({ method: "POST", url: "/api/admin/users", headers: admin.headers, payload });
      if (answer.statusCode !== 201) throw new Error(`${person.email} could not be added: ${answer.body}`);
      return signIn(person);
    },
    async close() {
      for (const node of nodes.toReversed()) await node.stop();
      await database.end();
    },
  };
}

type NodeParts = { database: TestDatabase; config: Config; log: FastifyBaseLogger; intervals: Intervals };
type RunningNode = TestNode & { db: Database; stop(): Promise<void> };

async function startOn({ database, config, log, intervals }: NodeParts): Promise<RunningNode> {
  const folder = await temporaryFolder();
  const pool = openPool(database.settings, (error) => log.error({ err: error }, "An idle connection broke"), 8);
  const db = openDatabase(pool);
  const server = await createServer({
    config,
    settings: database.settings,
    pool,
    db,
    dataDir: folder.path,
    passwords: QUICK_PASSWORDS,
    log,
    intervals,
  });
  const { app } = server;
  await server.start();
  await app.ready();
  let listening: Promise<string> | undefined;
  return {
    app,
    db,
    address() {
      listening ??= app.listen({ port: 0, host: "127.0.0.1" });
      return listening;
    },
    async stop() {
      await server.stop();
      await db.destroy();
      await folder.remove();
    },
  };
}
