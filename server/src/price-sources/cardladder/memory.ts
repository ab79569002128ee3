import { z } from "zod";
import { COMPANIES, type Company } from "@slabdesk/contract/certs/company.ts";
import type { SourceNotes } from "../../upstreams/source-notes.ts";
import type { PricedCard, Refusal } from "../price-source.ts";

/* Which argument set CardLadder's functions take, and which companies' cards it accepts or refuses, each for a day. */

/** The two known ways of calling its functions, named after the grade's field (README.md). */
export const ARGUMENT_SETS = ["condition", "grade"] as const;
export type ArgumentSet = (typeof ARGUMENT_SETS)[number];
export type Remembered = { answeredSet: ArgumentSet | null; refusals: Refusal[] };
export type CardLadderMemory = ReturnType<typeof createMemory>;

const KEPT_MS = 86_400_000;
/** Unchanged notes are rewritten at most this often. */
const REWRITTEN_AFTER_MS = 3_600_000;
/** Refused cards after which their company counts as refused. One or two may only have damaged numbers. */
const CARDS_REFUSED = 3;

const time = z.coerce.date();
const refusedCards = z
  .object({ certs: z.array(z.string()), at: time })
  .optional()
  .catch(undefined);
const acceptedAt = time.optional().catch(undefined);
const notesSchema = z.object({
  answered: z
    .object({ set: z.enum(ARGUMENT_SETS), at: time })
    .optional()
    .catch(undefined),
  refusedPSA: refusedCards,
  refusedCGC: refusedCards,
  refusedTAG: refusedCards,
  acceptedPSA: acceptedAt,
  acceptedCGC: acceptedAt,
  acceptedTAG: acceptedAt,
});
type Notes = z.output<typeof notesSchema>;

export function createMemory(notes: SourceNotes, now: () => Date) {
  async function readNotes(): Promise<Notes> {
    return notesSchema.safeParse(await notes.read()).data ?? {};
  }
  const isWithin = (ms: number, at: Date | undefined): boolean =>
    at !== undefined && now().getTime() - at.getTime() < ms;
  const isAccepted = (noted: Notes, company: Company): boolean => isWithin(KEPT_MS, noted[`accepted${company}`]);
  /** The company's refused cards, each less than a day after the one before. None while the company is accepted. */
  function refusedIn(noted: Notes, company: Company): { certs: readonly string[]; until: Date } | null {
    const refused = noted[`refused${company}`];
    if (!refused || !isWithin(KEPT_MS, refused.at) || isAccepted(noted, company)) return null;
    return { certs: refused.certs, until: new Date(refused.at.getTime() + KEPT_MS) };
  }

  return {
    async recall(): Promise<Remembered> {
      const noted = await readNotes();
      const refusals = COMPANIES.flatMap((company): Refusal[] => {
        const refused = refusedIn(noted, company);
        return refused && refused.certs.length >= CARDS_REFUSED ? [{ company, until: refused.until }] : [];
      });
      const { answered } = noted;
      return { answeredSet: answered && isWithin(KEPT_MS, answered.at) ? answered.set : null, refusals };
    },

    async noteAnswer(set: ArgumentSet): Promise<void> {
      const { answered } = await readNotes();
      if (answered?.set === set && isWithin(REWRITTEN_AFTER_MS, answered.at)) return;
      await notes.add({ answered: { set, at: now() } });
    },

    async noteAcceptance(company: Company): Promise<void> {
      const noted = await readNotes();
      if (isWithin(REWRITTEN_AFTER_MS, noted[`accepted${company}`])) return;
      await notes.add({ [`accepted${company}`]: now() });
    },

    /** Returns whether the company counts as refused now. It doesn't while it is accepted. */
    async noteRefusal({ company, certNumber }: PricedCard): Promise<boolean> {
      const noted = await readNotes();
      if (isAccepted(noted, company)) return false;
      const certs = [...new Set([...(refusedIn(noted, company)?.certs ?? []), certNumber])];
      await notes.add({ [`refused${company}`]: { certs, at: now() } });
      return certs.length >= CARDS_REFUSED;
    },
  };
}
