import { z } from "zod";
import { cutText } from "@slabdesk/contract/certs/text.ts";
import { unavailable } from "../../graders/upstream-answers.ts";
import type { PriceOutcome, PricedCard } from "../price-source.ts";
import { isSameCert, readCents, readConfidence, readSales } from "../field-values.ts";

/** One entry of a reply: a certificate and its data. */
export type BatchResult = z.output<typeof resultSchema>;

/** An object whose fields may all be missing; null if the value is not an object. */
const part = <T extends z.ZodRawShape>(shape: T) => z.object(shape).nullish().catch(null);

const resultSchema = z.object({
  cert: z.union([z.string(), z.number()]).transform((cert) => String(cert).trim().toUpperCase()),
  grader: z.string().transform((grader) => grader.trim().toUpperCase()),
  data: z.unknown().optional(),
});

const dataSchema = z.object({
  valuation: part({
    estimatedValue: z.unknown().optional(),
    lastSalePrice: z.unknown().optional(),
    confidence: z.unknown().optional(),
  }),
  market: part({ recentSales: z.array(z.unknown()).nullish().catch(null) }),
  cardsiq: part({ requiresReview: z.unknown().optional() }),
  errors: z.record(z.string(), z.unknown()).nullish().catch(null),
  /** Replaces all other fields if one of CardsIQ's own upstreams failed. */
  error: z.unknown().optional(),
});

const replySchema = z.object({ results: z.array(z.unknown()) });

/** The readable entries of a reply; null if it is not a valid reply. */
export function readResults(value: unknown): BatchResult[] | null {
  const reply = replySchema.safeParse(value);
  if (!reply.success) return null;
  return reply.data.results.flatMap((entry) => {
    const result = resultSchema.safeParse(entry);
    return result.success ? [result.data] : [];
  });
}

/** The outcome for one card. Entries are matched by number and company, not by position. */
export function outcomeOf(card: PricedCard, results: readonly BatchResult[], now: Date): PriceOutcome | "rate_limited" {
  const { company, certNumber } = card;
  const own = results.filter(({ grader }) => grader === company);
  const result =
    own.find(({ cert }) => cert === certNumber.toUpperCase()) ?? own.find(({ cert }) => isSameCert(card, cert));
  if (!result) return unavailable(`CardsIQ's answer does not include ${company} ${certNumber}`, null);
  const noPrice: PriceOutcome = { code: "not_found", message: `CardsIQ has no price for ${company} ${certNumber}` };
  if (result.data === null) return noPrice;
  const parsed = dataSchema.safeParse(result.data);
  if (!parsed.success) {
    return unavailable(`CardsIQ's answer for ${company} ${certNumber} is not valid`, parsed.error);
  }
  const { valuation, market, cardsiq, errors, error } = parsed.data;
  if (errors?.lookup) return "rate_limited";
  const estimateCents = readCents(valuation?.estimatedValue);
  const lastSaleCents = readCents(valuation?.lastSalePrice);
  if (estimateCents === null && lastSaleCents === null) {
    const failed = Object.keys(errors ?? {}).filter((name) => errors?.[name]);
    if (failed.length === 0 && !error) return noPrice;
    const cause = new Error(`Errors in ${cutText(failed.join(", ") || "the whole answer", 200)}`);
    return unavailable(`CardsIQ could not price ${company} ${certNumber}`, cause);
  }
  return {
    code: "found",
    estimateCents,
    lastSaleCents,
    lastSaleAt: null,
    confidence: readConfidence(valuation?.confidence),
    requiresReview: cardsiq?.requiresReview === true,
    month: null,
    sales: readSales(market?.recentSales ?? [], now),
    isCut: false,
  };
}
