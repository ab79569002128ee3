import type { SearchAnswer } from "@slabdesk/contract/api/search.ts";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { errorMessage } from "../../../api/error-messages.ts";
import { searchQuery } from "../../../api/rows.ts";
import { noteSpot, usePlace } from "../../../place/place-store.ts";
import { soughtIn } from "./search-messages.ts";

export type SearchState =
  | { kind: "idle" }
  | { kind: "loading" }
  | { kind: "failed"; problem: string; retry: () => void }
  | { kind: "answered"; answer: SearchAnswer };

export type Search = ReturnType<typeof useSearch>;

/** A search text and its results. The place keeps the text that was searched for. */
export function useSearch() {
  const asked = usePlace().spots.dashboard.search ?? null;
  const [text, setText] = useState(asked ?? "");
  const [known, setKnown] = useState(asked);
  const query = useQuery({ ...searchQuery(asked ?? ""), enabled: asked !== null, refetchOnWindowFocus: false });
  const wanted = soughtIn(text);
  if (known !== asked) {
    setKnown(asked);
    if (asked !== null && asked !== wanted) setText(asked);
  }
  return {
    text,
    setText: (next: string): void => {
      setText(next);
      if (next.trim() === "" && asked !== null) noteSpot("dashboard", { search: undefined });
    },
    /** The state for the submitted text; idle once the text changes. */
    state: stateOf(),
    /** Searches for the text, again if needed. Ignores blank text. */
    ask: () => {
      if (wanted === "") return;
      if (asked === wanted) void query.refetch();
      else noteSpot("dashboard", { search: wanted });
    },
  };

  function stateOf(): SearchState {
    if (asked === null || asked !== wanted) return { kind: "idle" };
    if (query.isError && !query.isFetching)
      return { kind: "failed", problem: errorMessage(query.error), retry: () => void query.refetch() };
    return query.data ? { kind: "answered", answer: query.data } : { kind: "loading" };
  }
}
