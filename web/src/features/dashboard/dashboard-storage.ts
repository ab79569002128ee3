import { SESSION_SORTS } from "@slabdesk/contract/api/sessions.ts";
import { z } from "zod";

/** What a new visit starts with: the arrangement of the list, and the selected session unless the URL names one. */
const dashboardStateSchema = z.object({
  filter: z.string(),
  sort: z.enum(SESSION_SORTS),
  order: z.enum(["asc", "desc"]),
  session: z.string().nullable(),
});
export type DashboardState = z.infer<typeof dashboardStateSchema>;

const FIRST_STATE: DashboardState = { filter: "", sort: "date", order: "desc", session: null };

/** Stored per tab and user and removed at logout (see browser-storage.ts). The browser may block storage. */
const KEY = "slabdesk:dashboard";

export function rememberedState(): DashboardState {
  try {
    const state = dashboardStateSchema.safeParse(JSON.parse(sessionStorage.getItem(KEY) ?? "null"));
    return state.success ? state.data : FIRST_STATE;
  } catch (error) {
    if (error instanceof DOMException || error instanceof SyntaxError) return FIRST_STATE;
    throw error;
  }
}

export function rememberState(state: DashboardState): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(state));
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
  }
}
