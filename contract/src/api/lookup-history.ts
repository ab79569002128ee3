import { z } from "zod";
import { priceSourceSchema } from "./prices.ts";

/** A card's value at one lookup and now, in dollars, from CardLadder if it has an estimate, else CardsIQ. */
export const cardValuesSchema = z.object({
  source: priceSourceSchema.nullable(),
  valueThen: z.number().nullable(),
  valueNow: z.number().nullable(),
});
export type CardValues = z.infer<typeof cardValuesSchema>;

/** An earlier lookup that found the card. `owner` is set if it is another user's and the viewer is an admin. */
export const ownLookUpSchema = cardValuesSchema.extend({
  resultId: z.string(),
  sessionId: z.string(),
  sessionName: z.string(),
  line: z.number().int(),
  at: z.string(),
  owner: z.string().optional(),
});
export type OwnLookUp = z.infer<typeof ownLookUpSchema>;

/** A colleague's earlier lookup. Users see only the colleague's name and the day; `at` is noon UTC of that day. */
export const colleagueLookUpSchema = z.object({ by: z.string(), at: z.string() });
export type ColleagueLookUp = z.infer<typeof colleagueLookUpSchema>;

/** `isTwiceOpen`: another open session contains the cert. A row's history leaves out the row's own session. */
export const cardHistorySchema = z.object({
  own: ownLookUpSchema.nullable(),
  colleague: colleagueLookUpSchema.nullable(),
  isTwiceOpen: z.boolean(),
});
export type CardHistory = z.infer<typeof cardHistorySchema>;

export const sessionLookupHistorySchema = z.object({
  rows: z.array(cardHistorySchema.extend({ id: z.string() })),
  nextCursor: z.string().nullable(),
});

export const sessionLookupHistoryQuerySchema = z.object({
  cursor: z.coerce.number().int().min(0).default(0),
  limit: z.coerce.number().int().min(1).max(5000).default(2000),
});

/** The lookup history of a sheet's cards: counts, in total and by kind, and the first cards. */
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
