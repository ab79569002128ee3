import { SESSION_SORTS } from "@slabdesk/contract/api/sessions.ts";
import { z } from "zod";

/** What the dashboard shows: how the list is arranged, and which session is chosen. */
const dashboardViewSchema = z.object({
  filter: z.string(),
  sort: z.enum(SESSION_SORTS),
  order: z.enum(["asc", "desc"]),
  /** `owner` names whose it is when it is somebody else's. */
  chosen: z.object({ id: z.string(), owner: z.string().nullable() }).nullable(),
});
export type DashboardView = z.infer<typeof dashboardViewSchema>;

const FIRST_VIEW: DashboardView = { filter: "", sort: "date", order: "desc", chosen: null };

/** This tab's alone, and its user's (see browser-storage.ts): it goes when he logs out. Storage may be forbidden. */
const KEY = "slabdesk:dashboard";

export function rememberedView(): DashboardView {
  try {
    const view = dashboardViewSchema.safeParse(JSON.parse(sessionStorage.getItem(KEY) ?? "null"));
    return view.success ? view.data : FIRST_VIEW;
  } catch (error) {
    if (error instanceof DOMException || error instanceof SyntaxError) return FIRST_VIEW;
    throw error;
  }
}

export function rememberView(view: DashboardView): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(view));
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
  }
}
