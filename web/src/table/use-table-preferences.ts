import { useQuery } from "@tanstack/react-query";
import { useEffect, useSyncExternalStore } from "react";
import { getProfile } from "../api/client.ts";
import { queryKeys } from "../api/query-keys.ts";
import { logQuietly } from "../api/quiet-log.ts";
import { getTableView, putTableView } from "../api/table-view-client.ts";
import { PersonView, type PersonViewState } from "./person-view.ts";
import type { ChangePreferences } from "./table-preferences.ts";

const views = new Map<string, PersonView>();

/** The signed-in user's table settings, shared by all tables of the page. */
export function useTablePreferences(): PersonViewState & { change: ChangePreferences } {
  const { personId, view } = usePersonView();
  const state = useSyncExternalStore(view.subscribe, view.getSnapshot);
  useEffect(() => {
    if (personId === "") return;
    void view.load();
    const onVisibility = (): void => {
      if (document.visibilityState === "hidden") view.settle();
      else void view.refresh();
    };
    document.addEventListener("visibilitychange", onVisibility);
    globalThis.addEventListener("pagehide", view.leave);
    return () => {
      document.removeEventListener("visibilitychange", onVisibility);
      globalThis.removeEventListener("pagehide", view.leave);
      view.settle();
    };
  }, [personId, view]);
  return { ...state, change: view.change };
}

/** Changes settings without re-rendering on other settings changes. */
export function useChangePreferences(): ChangePreferences {
  return usePersonView().view.change;
}

function usePersonView(): { personId: string; view: PersonView } {
  const profile = useQuery({ queryKey: queryKeys.profile(), queryFn: getProfile, staleTime: Number.POSITIVE_INFINITY });
  const personId = profile.data?.id ?? "";
  return { personId, view: viewOf(personId) };
}

/** One view per user: two users of one browser don't share settings, but two tables of one user do. */
function viewOf(personId: string): PersonView {
  const known = views.get(personId);
  if (known) return known;
  const key = `slabdesk-table:${personId}`;
  const view = new PersonView({
    load: getTableView,
    save: putTableView,
    readCopy: () => withStorage(() => localStorage.getItem(key)),
    writeCopy: (text) => withStorage(() => localStorage.setItem(key, text)),
    onFailure: (error) => logQuietly("Could not load or save the table settings", error),
  });
  views.set(personId, view);
  return view;
}

/** Browser settings can forbid storage; the table then starts with its defaults. */
function withStorage<T>(access: () => T): T | null {
  try {
    return access();
  } catch (error) {
    if (error instanceof DOMException) return null;
    throw error;
  }
}
