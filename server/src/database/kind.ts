import type { Database } from "./connection.ts";
import { findSetting, keepSetting } from "./server-settings.ts";

/** Whether the database holds the simulator's made-up cards or cards of the real companies (docs/decisions/0065). */
export type DatabaseKind = "demo" | "live";

const NAME = "upstreams";

/** Records the kind if none is recorded. Returns the recorded one. */
export async function recordKind(db: Database, kind: DatabaseKind): Promise<DatabaseKind> {
  return (await keepSetting(db, NAME, kind)) === "demo" ? "demo" : "live";
}

/** Returns null if no server has started on the database yet. */
export async function readKind(db: Database): Promise<DatabaseKind | null> {
  const recorded = await findSetting(db, NAME);
  return recorded === null || recorded === "demo" ? recorded : "live";
}
