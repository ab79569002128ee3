import { tableViewSchema } from "@slabdesk/contract/api/people.ts";
import { request } from "./http.ts";

/** The signed-in user's saved table layout, as a browser serialized it; null if none was saved. */
export async function getTableView(): Promise<string | null> {
  return (await request(tableViewSchema, "table-view")).view;
}

/** The browser completes the request even if the page is closing. */
export async function putTableView(view: string): Promise<void> {
  await request(tableViewSchema, "table-view", { method: "put", json: { view }, keepalive: true });
}
