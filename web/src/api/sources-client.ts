import {
  type CredentialTest,
  credentialTestSchema,
  type Source,
  type SourceName,
  sourceListSchema,
  sourceSchema,
} from "@slabdesk/contract/api/sources.ts";
import type { z } from "zod";
import { request } from "./http.ts";

export type SourceList = z.infer<typeof sourceListSchema>;

/** A credential test waits for the upstream itself. */
const TEST_TIMEOUT_MS = 60_000;

/** How all upstreams stand at this moment. Administrators only: others lose their session by asking. */
export function listSources(signal: AbortSignal): Promise<SourceList> {
  return request(sourceListSchema, "admin/sources", { signal });
}

/** Nothing is asked of the upstream any more until somebody opens it; what wants it waits. */
export function pauseSource(name: SourceName): Promise<Source> {
  return request(sourceSchema, `admin/sources/${name}/pause`, { method: "post", json: {} });
}

/** Ends every pause of the upstream, made by hand or not; what waits goes on. */
export function openSource(name: SourceName): Promise<Source> {
  return request(sourceSchema, `admin/sources/${name}/open`, { method: "post", json: {} });
}

/** Tries the credentials of an upstream without spending quota. */
export function testCredentials(name: SourceName): Promise<CredentialTest> {
  return request(credentialTestSchema, `admin/sources/${name}/test`, {
    method: "post",
    json: {},
    timeout: TEST_TIMEOUT_MS,
  });
}
