import { z } from "zod";
import { priceSourceSchema } from "./prices.ts";

/**
 * What a card was worth at one look-up and what it is now, in dollars, by the same source: its estimate, CardLadder's
 * where there is one. `valueNow` is the newest that source said, to anybody. Null where nobody asked, or it had none.
 */
export const cardValuesSchema = z.object({
  source: priceSourceSchema.nullable(),
  valueThen: z.number().nullable(),
  valueNow: z.number().nullable(),
});
export type CardValues = z.infer<typeof cardValuesSchema>;

/** An earlier look-up of a card that found it, in full. `owner` is whose it is, where the viewer is an admin and it is not theirs. */
export const ownLookUpSchema = cardValuesSchema.extend({
  resultId: z.string(),
  sessionId: z.string(),
  sessionName: z.string(),
  line: z.number().int(),
  at: z.string(),
  owner: z.string().optional(),
});
export type OwnLookUp = z.infer<typeof ownLookUpSchema>;

/** An earlier look-up by somebody else: their name and the day, as its noon in UTC, and nothing more (SPEC section 6). */
export const colleagueLookUpSchema = z.object({ by: z.string(), at: z.string() });
export type ColleagueLookUp = z.infer<typeof colleagueLookUpSchema>;

/**
 * What is remembered of one card: the newest look-up in full, the newest of a colleague. Asked for a row, those of its
 * session are left out. `isTwiceOpen`: the same certificate stands in another session that has not ended.
 */
export const cardHistorySchema = z.object({
  own: ownLookUpSchema.nullable(),
  colleague: colleagueLookUpSchema.nullable(),
  isTwiceOpen: z.boolean(),
});
export type CardHistory = z.infer<typeof cardHistorySchema>;

/** Of a session's rows, those that something is remembered of. */
export const sessionLookupHistorySchema = z.object({
  rows: z.array(cardHistorySchema.extend({ id: z.string() })),
  nextCursor: z.string().nullable(),
});

export const sessionLookupHistoryQuerySchema = z.object({
  cursor: z.coerce.number().int().min(0).default(0),
  limit: z.coerce.number().int().min(1).max(5000).default(2000),
});

/** What is remembered of a sheet's cards: how many there are in all and of each kind, and the first of them. */
export const planLookupHistorySchema = z.object({
  total: z.number().int(),
  own: z.number().int(),
  colleagues: z.number().int(),
  twiceOpen: z.number().int(),
  cards: z.array(
    cardHistorySchema.extend({ line: z.number().int(), gradingCompany: z.string(), certNumber: z.string() }),
  ),
});
export type PlanLookupHistory = z.infer<typeof planLookupHistorySchema>;
