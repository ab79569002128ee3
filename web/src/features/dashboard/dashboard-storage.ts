import { SESSION_SORTS } from "@slabdesk/contract/api/sessions.ts";
import { z } from "zod";

/** What a new visit starts with: the arrangement of the list, and the selected session unless the URL names one. */
const dashboardViewSchema = z.object({
  filter: z.string(),
  sort: z.enum(SESSION_SORTS),
  order: z.enum(["asc", "desc"]),
  session: z.string().nullable(),
});
export type DashboardView = z.infer<typeof dashboardViewSchema>;

const FIRST_VIEW: DashboardView = { filter: "", sort: "date", order: "desc", session: null };

/** Stored per tab and user and removed at logout (see browser-storage.ts). The browser may block storage. */
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
