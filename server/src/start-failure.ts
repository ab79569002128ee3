import {
  codeOf,
  EmbeddedDatabaseError,
  type EmbeddedDatabaseProblem,
} from "@slabdesk/embedded-database/embedded-database-error.ts";
import { ConfigError, type Config } from "./config.ts";
import type { DatabaseKind } from "./database/kind.ts";

/** Why the server can't start, with a message for the person who starts it. */
export class StartFailure extends Error {
  override name = "StartFailure";
}

/** Exit codes: 2 for invalid settings, 1 for everything else. */
export type Explanation = { message: string; exitCode: 1 | 2 };

const DATABASE_MESSAGE: Record<string, string> = {
  ECONNREFUSED: "nothing listens there",
  ECONNRESET: "it ended the connection",
  ENOTFOUND: "its name is not known",
  EAI_AGAIN: "its name cannot be looked up now",
  ETIMEDOUT: "it does not respond",
  "28P01": "it rejects this user or password",
  "28000": "it rejects this user",
  "3D000": "it has no such database",
};

const OR_DATABASE_URL = "or set DATABASE_URL to a PostgreSQL 15 or newer.";

/** What to do about a problem of the embedded database, after the message that says what is wrong. */
const EMBEDDED_DATABASE_ADVICE: Readonly<Record<EmbeddedDatabaseProblem, string>> = {
  data_folder_in_use: "Stop it first, or start this one with another DATA_DIR and PORT.",
  disk_full: "Free at least 200 MB, or set DATA_DIR to a folder on another disk. Nothing that was saved is lost.",
  foreign_folder: "Set DATA_DIR to an empty folder, or to one that Slabdesk made.",
  no_account: `Start the server as a normal user with an entry in /etc/passwd, ${OR_DATABASE_URL}`,
  no_rights: `Start the server as the account that owns its data folder, set DATA_DIR to another folder, ${OR_DATABASE_URL}`,
  other_version:
    "Make a backup with the version of Slabdesk that made the database, and restore it into an empty DATA_DIR.",
  path_too_long: "Set DATA_DIR to a shorter path.",
  start_failed: `Correct that and start again, ${OR_DATABASE_URL}`,
  stopped_by_itself: "Start the server again.",
  unsupported_platform: "Set DATABASE_URL to a PostgreSQL 15 or newer.",
};

/** Explains a start failure. Returns null for unexpected errors, which belong in the log in full. */
export function explainStartFailure(error: unknown, config: Pick<Config, "HOST" | "PORT"> | null): Explanation | null {
  if (error instanceof ConfigError) return { message: error.message, exitCode: 2 };
  if (error instanceof StartFailure) return { message: error.message, exitCode: 1 };
  if (error instanceof EmbeddedDatabaseError)
    return { message: `${error.message}\n${EMBEDDED_DATABASE_ADVICE[error.problem]}`, exitCode: 1 };
  if (!config) return null;
  const where = `${config.HOST}:${config.PORT}`;
  const messages: Record<string, string> = {
    EADDRINUSE: `Port ${config.PORT} is in use. Stop what uses it, or set PORT to another.`,
    EADDRNOTAVAIL: `This machine does not have the address ${config.HOST}. Set HOST to one it has.`,
    EACCES: `This account may not listen on ${where}. Set PORT to a number above 1023.`,
  };
  const message = messages[codeOf(error) ?? ""];
  return message === undefined ? null : { message, exitCode: 1 };
}

const UPSTREAM_SETTINGS = "PSA_, CGC_, TAG_, CARDLADDER_, and CARDSIQ_ settings";

/** Explains why a demo server can't start on a live database, or the reverse. */
export function otherKind(recorded: DatabaseKind, settings: Pick<Config, "UPSTREAMS" | "DATABASE_URL">): StartFailure {
  const { UPSTREAMS, DATABASE_URL } = settings;
  const elsewhere = DATABASE_URL === undefined ? "DATA_DIR to a new folder" : "DATABASE_URL to an empty database";
  if (recorded === "demo") {
    return new StartFailure(
      "This database holds a demo's made-up cards, but the settings are those of a live server. Nothing was changed.\n" +
        "To go live, run npm run go-live: it prepares an empty live database with the accounts of the demo.\n" +
        `To continue the demo, remove ${UPSTREAMS === "live" ? "UPSTREAMS=live and " : ""}the ${UPSTREAM_SETTINGS}.`,
    );
  }
  const reason = UPSTREAMS === "demo" ? "UPSTREAMS is demo" : "no source is set, which starts a demo";
  return new StartFailure(
    `This database is live, but ${reason}. Nothing was changed.\n` +
      "Set UPSTREAMS=live, or the sources' settings of the earlier starts, such as PSA_API_TOKEN.\n" +
      `For a demo, set ${elsewhere}. If npm run go-live was used, npm run go-demo returns to the demo.`,
  );
}

/** Explains why the database in DATABASE_URL can't be used. The message never contains the password. */
export function unreachableDatabase(databaseUrl: string, error: unknown): StartFailure {
  const url = URL.parse(databaseUrl);
  const place = url ? `${decodeURIComponent(url.host)}${url.pathname}` : "DATABASE_URL";
  const reason =
    DATABASE_MESSAGE[codeOf(error) ?? ""] ?? (error instanceof Error ? error.message : "the reason is unknown");
  return new StartFailure(`The database at ${place} cannot be used: ${reason}. Check DATABASE_URL.`, { cause: error });
}
