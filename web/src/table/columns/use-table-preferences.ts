import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useReducer } from "react";
import { getProfile } from "../../api/account.ts";
import { queryKeys } from "../../api/query-keys.ts";
import { changeShown, keptPreferencesQuery, savePreferencesMutation, writeCopy } from "./kept-preferences.ts";
import type { ChangePreferences, TablePreferences } from "./table-preferences.ts";

/** `isLoaded`: the first load has ended. */
export type TableSettings = { preferences: TablePreferences; isLoaded: boolean; change: ChangePreferences };

/** The signed-in user's table settings, shared by all tables of the page. */
export function useTablePreferences(): TableSettings {
  const userId = useUserId();
  const kept = useQuery({ ...keptPreferencesQuery(userId), enabled: userId !== "" });
  const preferences = kept.data.shown;
  useEffect(() => writeCopy(userId, preferences), [userId, preferences]);
  const changePreferences = useChangePreferences();
  // A query tells its components a moment later; a checkbox needs its new state at once.
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const change: ChangePreferences = useCallback(
    (update) => {
      changePreferences(update);
      redraw();
    },
    [changePreferences],
  );
  return { preferences, isLoaded: kept.isFetched, change };
}

/** Changes settings without re-rendering on other settings changes. */
export function useChangePreferences(): ChangePreferences {
  const client = useQueryClient();
  const userId = useUserId();
  const { mutate } = useMutation(savePreferencesMutation(userId));
  return useCallback(
    (change) => {
      changeShown(client, userId, change);
      mutate();
    },
    [client, userId, mutate],
  );
}

function useUserId(): string {
  const profile = useQuery({ queryKey: queryKeys.profile(), queryFn: getProfile, staleTime: Number.POSITIVE_INFINITY });
  return profile.data?.id ?? "";
}
