import { SESSION_SORTS } from "@slabdesk/contract/api/sessions.ts";
import { z } from "zod";
import { parseStored, readItem, writeItem } from "../../ui/stored-items.ts";

/** What a new visit starts with: the arrangement of the list, and the selected session unless the URL names one. */
const dashboardStateSchema = z.object({
  filter: z.string(),
  sort: z.enum(SESSION_SORTS),
  order: z.enum(["asc", "desc"]),
  session: z.string().nullable(),
});
export type DashboardState = z.infer<typeof dashboardStateSchema>;

const FIRST_STATE: DashboardState = { filter: "", sort: "date", order: "desc", session: null };

/** Stored per tab and user and removed at logout (see browser-storage.ts). */
const KEY = "slabdesk:dashboard";

export function rememberedState(): DashboardState {
  return parseStored(dashboardStateSchema, readItem("sessionStorage", KEY)) ?? FIRST_STATE;
}

export function rememberState(state: DashboardState): void {
  writeItem("sessionStorage", KEY, JSON.stringify(state));
}
