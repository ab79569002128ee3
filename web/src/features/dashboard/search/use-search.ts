import type { SearchAnswer } from "@slabdesk/contract/api/search.ts";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { errorMessage } from "../../../api/error-messages.ts";
import { searchQuery } from "../../../api/rows.ts";
import { soughtIn } from "./search-messages.ts";

export type SearchState =
  | { kind: "idle" }
  | { kind: "loading" }
  | { kind: "failed"; problem: string; retry: () => void }
  | { kind: "answered"; answer: SearchAnswer };

export type Search = ReturnType<typeof useSearch>;

/** A search text and its results. */
export function useSearch() {
  const [text, setText] = useState("");
  const [asked, setAsked] = useState<string | null>(null);
  const query = useQuery({ ...searchQuery(asked ?? ""), enabled: asked !== null, refetchOnWindowFocus: false });
  const wanted = soughtIn(text);
  return {
    text,
    setText,
    /** The state for the submitted text; idle once the text changes. */
    state: stateOf(),
    /** Searches for the text, again if needed. Ignores blank text. */
    ask: () => {
      if (wanted === "") return;
      if (asked === wanted) void query.refetch();
      else setAsked(wanted);
    },
  };

  function stateOf(): SearchState {
    if (asked === null || asked !== wanted) return { kind: "idle" };
    if (query.isError && !query.isFetching)
      return { kind: "failed", problem: errorMessage(query.error), retry: () => void query.refetch() };
    return query.data ? { kind: "answered", answer: query.data } : { kind: "loading" };
  }
}
