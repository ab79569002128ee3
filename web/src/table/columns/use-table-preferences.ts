import { useForceUpdate } from "@mantine/hooks";
import {
  mutationOptions,
  type QueryClient,
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { useCallback, useEffect } from "react";
import { getProfile, getTableView, putTableView } from "../../api/account.ts";
import { queryKeys } from "../../api/query-keys.ts";
import { logQuietly } from "../../api/quiet-log.ts";
import { readItem, writeItem } from "../../ui/stored-items.ts";
import {
  type ChangePreferences,
  DEFAULT_PREFERENCES,
  parsePreferences,
  PREFERENCE_KEYS,
  type TablePreferences,
} from "./table-preferences.ts";

/** `isLoaded`: the first load has ended. */
export type TableSettings = { preferences: TablePreferences; isLoaded: boolean; change: ChangePreferences };

/** The signed-in user's table settings, shared by all tables of the page. */
export function useTablePreferences(): TableSettings {
  const userId = useUserId();
  const kept = useQuery({ ...keptPreferencesQuery(userId), enabled: userId !== "" });
  const preferences = kept.data.shown;
  useEffect(() => {
    // The defaults need no copy.
    const text = JSON.stringify(preferences);
    writeItem("localStorage", copyKey(userId), text === JSON.stringify(DEFAULT_PREFERENCES) ? null : text);
  }, [userId, preferences]);
  const changePreferences = useChangePreferences();
  // A query tells its components a moment later; a checkbox needs its new state at once.
  const redraw = useForceUpdate();
  const change: ChangePreferences = useCallback(
    (update) => {
      changePreferences(update);
      redraw();
    },
    [changePreferences, redraw],
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

/** A user's table settings: as last seen on the server, and as shown, with changes that aren't saved yet. */
type Kept = { saved: TablePreferences; shown: TablePreferences };

/** Starts with this browser's copy. Unsaved changes go on top of the server's settings, which other pages change too. */
export const keptPreferencesQuery = (userId: string) =>
  queryOptions({
    queryKey: ["table-preferences", userId] as const,
    queryFn: async ({ client }): Promise<Kept> => {
      const text = await getTableView();
      const kept = keptIn(client, userId);
      const saved = text === null ? kept.saved : parsePreferences(text);
      return { saved, shown: { ...saved, ...unsavedOf(kept) } };
    },
    initialData: () => copyOf(userId),
    initialDataUpdatedAt: 0,
    refetchOnWindowFocus: "always",
  });

/** Sends unsaved changes. Calls run one at a time, so a call may find that the one before has sent everything. */
export const savePreferencesMutation = (userId: string) =>
  mutationOptions({
    scope: { id: `table-preferences ${userId}` },
    mutationFn: async (_: void, { client }) => {
      const query = keptPreferencesQuery(userId);
      if (Object.keys(unsavedOf(keptIn(client, userId))).length === 0) return;
      const { shown } = await client.query({ ...query, staleTime: 0 });
      await putTableView(JSON.stringify(shown));
      client.setQueryData(query.queryKey, (kept) => kept && { ...kept, saved: shown });
    },
    onError: (error) => logQuietly("Could not save the table settings", error),
  });

export function changeShown(client: QueryClient, userId: string, change: Parameters<ChangePreferences>[0]): void {
  const { saved, shown } = keptIn(client, userId);
  client.setQueryData(keptPreferencesQuery(userId).queryKey, { saved, shown: change(shown) });
}

export function keptIn(client: QueryClient, userId: string): Kept {
  return client.getQueryData(keptPreferencesQuery(userId).queryKey) ?? copyOf(userId);
}

/** The settings that differ from the server's, by key. */
function unsavedOf({ saved, shown }: Kept): Partial<TablePreferences> {
  const isUnsaved = (key: keyof TablePreferences): boolean => JSON.stringify(saved[key]) !== JSON.stringify(shown[key]);
  return Object.fromEntries(PREFERENCE_KEYS.filter(isUnsaved).map((key) => [key, shown[key]]));
}

function copyOf(userId: string): Kept {
  const copy = parsePreferences(readItem("localStorage", copyKey(userId)));
  return { saved: copy, shown: copy };
}

const copyKey = (userId: string): string => `slabdesk-table:${userId}`;
