import { type SearchAnswer, searchAnswerSchema } from "@slabdesk/contract/api/search.ts";
import { queryOptions } from "@tanstack/react-query";
import { request } from "./http.ts";

/** The newest rows of all sessions that contain a text. Never taken from the cache: what is found changes all the time. */
export const searchQuery = (text: string) =>
  queryOptions({
    queryKey: ["search", text] as const,
    queryFn: ({ signal }): Promise<SearchAnswer> =>
      request(searchAnswerSchema, "scan-results/search", { searchParams: { q: text }, signal }),
    staleTime: 0,
    gcTime: 0,
  });
