import { type SearchAnswer, searchAnswerSchema } from "@slabdesk/contract/api/search.ts";
import { queryOptions } from "@tanstack/react-query";
import { request } from "./http.ts";

/** Finds the newest rows of all sessions that contain a text. Never cached, because results change constantly. */
export const searchQuery = (text: string) =>
  queryOptions({
    queryKey: ["search", text] as const,
    queryFn: ({ signal }): Promise<SearchAnswer> =>
      request(searchAnswerSchema, "scan-results/search", { searchParams: { q: text }, signal }),
    staleTime: 0,
    gcTime: 0,
  });
