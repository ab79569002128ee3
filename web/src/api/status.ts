import { statusSchema, type Status } from "@slabdesk/contract/api/status.ts";
import { request } from "./http.ts";

/** What the server says about itself to everyone. A file of its own, because the sign-in page loads it. */
export function getStatus(): Promise<Status> {
  return request(statusSchema, "status");
}
