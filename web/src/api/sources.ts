import {
  credentialTestSchema,
  sourceListSchema,
  type SourceName,
  sourceSchema,
} from "@slabdesk/contract/api/sources.ts";
import { quotaStatusSchema } from "@slabdesk/contract/api/quota.ts";
import type { z } from "zod";
import { request } from "./http.ts";

export type SourceList = z.infer<typeof sourceListSchema>;

/** A credential test waits for the upstream. */
const TEST_TIMEOUT_MS = 60_000;

/** The current state of all upstreams. Call for admins only: for other users, the 403 ends the session. */
export const listSources = (signal: AbortSignal) => request(sourceListSchema, "admin/sources", { signal });

/** Pauses an upstream, so that affected rows wait, or ends all its pauses, manual and automatic (`open`). */
export const changeSource = (name: SourceName, action: "pause" | "open") =>
  request(sourceSchema, `admin/sources/${name}/${action}`, { method: "post", json: {} });

/** Tests entered credentials with one call to the upstream; without values, those in use. */
export const testCredentials = (name: SourceName, values?: Record<string, string>) =>
  request(credentialTestSchema, `admin/sources/${name}/test`, {
    method: "post",
    json: { values },
    timeoutMs: TEST_TIMEOUT_MS,
  });

/** Saves an upstream's credentials for all nodes. */
export const saveCredentials = (name: SourceName, values: Record<string, string>) =>
  request(sourceSchema, `admin/sources/${name}/credentials`, { method: "put", json: { values } });

/** Removes what was entered for an upstream. */
export const removeCredentials = (name: SourceName) =>
  request(sourceSchema, `admin/sources/${name}/credentials`, { method: "delete" });

/** PSA's daily API quota. Call for admins only: for other users, the 403 ends the session. */
export const getQuotaStatus = (signal: AbortSignal) =>
  request(quotaStatusSchema, "psa-quota-status", { searchParams: { forceRefresh: "true", t: Date.now() }, signal });
