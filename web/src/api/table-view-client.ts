import { tableViewSchema } from "@slabdesk/contract/api/table-view.ts";
import { request } from "./http.ts";

/** How the signed-in person has arranged the table, as one of their browsers wrote it; null: not yet. */
export async function getTableView(): Promise<string | null> {
  return (await request(tableViewSchema, "table-view")).view;
}

/** `isLeaving`: the page is about to go away; the browser sends it all the same. */
export async function putTableView(view: string, isLeaving: boolean): Promise<void> {
  await request(tableViewSchema, "table-view", { method: "put", json: { view }, keepalive: isLeaving });
}
