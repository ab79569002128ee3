import type { FastifyBaseLogger } from "fastify";
import { sql } from "kysely";
import pLimit from "p-limit";
import { z } from "zod";
import {
  CREDENTIAL_FIELDS,
  type CredentialSetting,
  type SourceCredentials,
} from "@slabdesk/contract/api/credentials.ts";
import { SOURCE_NAMES, SOURCE_TITLES, type SourceName } from "@slabdesk/contract/api/sources.ts";
import type { Config } from "../config.ts";
import type { Database } from "../database/connection.ts";
import { notify, type Notifications } from "../database/notifications.ts";
import { openSecretsKey, seal, unseal } from "./secrets-key.ts";

/* The credentials of the upstreams (docs/decisions/0064). Each node reads them at start and whenever one changes. */

export type CredentialsParts = {
  config: Config;
  db: Database;
  dataDir: string;
  notifications: Pick<Notifications, "watch">;
  log: FastifyBaseLogger;
};
export type Values = Partial<Record<CredentialSetting, string>>;

/** What was entered for an upstream. `values` is null if this node can't decrypt it. */
type Entered = { by: string; at: Date; values: Values | null };
type EnteredOf = Partial<Record<SourceName, Entered>>;

const ALL_NAMES = SOURCE_NAMES.flatMap((name) => CREDENTIAL_FIELDS[name].map((field) => field.name));
const valuesSchema = z.partialRecord(z.enum(ALL_NAMES), z.string());
const DEMO =
  "This demo uses the simulator. To enter credentials, stop the server, run npm run go-live, and start it again";

export function openCredentials({ config, db, dataDir, notifications, log }: CredentialsParts) {
  const key = openSecretsKey(config.SECRETS_KEY, dataDir);
  /** The settings of the clients of the upstreams, which read a credential whenever they use it. */
  const settings: Config = { ...config };
  const listeners = new Set<() => void>();
  let entered: EnteredOf = {};
  const inOrder = pLimit(1);

  async function readEntered(): Promise<EnteredOf> {
    const rows = await db.selectFrom("source_credentials").selectAll().execute();
    const opened = rows.length === 0 ? null : await key.read();
    return Object.fromEntries(
      rows.map(({ source, sealed, entered_by: by, entered_at: at }): [SourceName, Entered] => {
        const text = opened && unseal(sealed, opened, source);
        return [source, { by, at, values: text === null ? null : valuesSchema.parse(JSON.parse(text)) }];
      }),
    );
  }

  function use(found: EnteredOf): void {
    for (const name of SOURCE_NAMES) {
      const problem = problemOf(name, found[name]);
      if (problem !== null && problem !== problemOf(name, entered[name])) log.error({ source: name }, problem);
    }
    entered = found;
    const none = Object.fromEntries(ALL_NAMES.map((name) => [name, undefined]));
    Object.assign(settings, none, ...SOURCE_NAMES.map((name) => effective(config, name, found[name]?.values ?? {})));
    for (const listener of listeners) listener();
  }

  /** Reads one after the other, so that an older state never replaces a newer one. A demo has no credentials. */
  async function refresh(): Promise<void> {
    if (config.upstreams === "live") await inOrder(async () => use(await readEntered()));
  }

  return {
    settings,
    refresh,

    /** Starts to follow the changes. @throws StartFailure if the key can't be used */
    async start(): Promise<void> {
      notifications.watch("credential_changes", "", () => {
        refresh().catch((error: unknown) => log.error({ err: error }, "Could not read the sources' credentials"));
      });
      await refresh();
    },

    onRefresh(listener: () => void): void {
      listeners.add(listener);
    },

    lockedReason: (field: CredentialSetting): string | null => lockedReason(config, field),

    /** Upstreams whose entered credentials this node can't decrypt. */
    undecryptable: (): SourceName[] => SOURCE_NAMES.filter((name) => entered[name]?.values === null),

    show: (name: SourceName): SourceCredentials => ({
      fields: CREDENTIAL_FIELDS[name].map(({ name: field, label, kind }) => ({
        name: field,
        label,
        isSecret: kind === "token" || kind === "password",
        isSet: Boolean(settings[field]),
        lockedReason: lockedReason(config, field),
      })),
      entered: entered[name] ? { by: entered[name].by, at: entered[name].at.toISOString() } : null,
      problem: problemOf(name, entered[name]),
    }),

    async save(name: SourceName, values: Values, by: string): Promise<void> {
      await saveSealed(db, name, seal(JSON.stringify(values), await key.readOrCreate(), name), by);
      await refresh();
    },

    /** Deletes what was entered for an upstream, on all nodes. Returns false if there was nothing. */
    async remove(name: SourceName): Promise<boolean> {
      const isRemoved = await deleteSealed(db, name);
      await refresh();
      return isRemoved;
    },
  };
}

/** The environment wins. */
function effective(config: Config, name: SourceName, values: Values): Values {
  return Object.fromEntries(
    CREDENTIAL_FIELDS[name].map(({ name: field }) => [
      field,
      config[field] ?? (lockedReason(config, field) === null ? values[field] : undefined),
    ]),
  );
}

/** A key of the environment is never sent to an address that was entered in the page. */
function lockedReason(config: Config, field: CredentialSetting): string | null {
  if (config.upstreams === "demo") return DEMO;
  if (config[field] !== undefined) return `${field} is set in the server's settings. Remove it there to enter it here`;
  if (field !== "CARDSIQ_API_URL" || config.CARDSIQ_API_KEY === undefined) return null;
  return "CARDSIQ_API_KEY is set in the server's settings. Set CARDSIQ_API_URL there, too";
}

function problemOf(name: SourceName, entry: Entered | undefined): string | null {
  if (entry?.values !== null) return null;
  return (
    `This server can't decrypt the credentials of ${SOURCE_TITLES[name]} that ${entry.by} entered, and doesn't use ` +
    "them. Start it with the SECRETS_KEY or secrets.key that they were saved with, the same on all nodes. If that " +
    "key is lost, remove the credentials and enter them again"
  );
}

async function saveSealed(db: Database, source: SourceName, sealed: string, by: string): Promise<void> {
  const row = { sealed, entered_by: by, entered_at: sql<Date>`now()` };
  await db.transaction().execute(async (trx) => {
    const insert = trx.insertInto("source_credentials").values({ source, ...row });
    await insert.onConflict((conflict) => conflict.column("source").doUpdateSet(row)).execute();
    await notify(trx, "credential_changes");
  });
}

async function deleteSealed(db: Database, source: SourceName): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const deletion = trx.deleteFrom("source_credentials").where("source", "=", source);
    const { numDeletedRows } = await deletion.executeTakeFirst();
    await notify(trx, "credential_changes");
    return numDeletedRows > 0;
  });
}
