import { z } from "zod";
import { COMPANIES, type Company } from "@slabdesk/contract/certs/company.ts";
import type { SourceNotes } from "../../upstreams/source-notes.ts";
import type { Refusal } from "../price-source.ts";

/* Which argument set CardLadder's functions take, and which companies' cards it refuses, each for a day: it changes. */

/** The two known ways of calling its functions, named after the grade's field (README.md). */
export const ARGUMENT_SETS = ["condition", "grade"] as const;
export type ArgumentSet = (typeof ARGUMENT_SETS)[number];
export type Remembered = { answeredSet: ArgumentSet | null; refusals: Refusal[] };
export type CardLadderMemory = ReturnType<typeof createMemory>;

const KEPT_MS = 86_400_000;
/** A set that keeps answering is written again at most this often. */
const REWRITTEN_AFTER_MS = 3_600_000;

const time = z.coerce.date();
const notesSchema = z.object({
  answered: z
    .object({ set: z.enum(ARGUMENT_SETS), at: time })
    .optional()
    .catch(undefined),
  refusedPSA: time.optional().catch(undefined),
  refusedCGC: time.optional().catch(undefined),
  refusedTAG: time.optional().catch(undefined),
});

export function createMemory(notes: SourceNotes, now: () => Date) {
  async function readNotes(): Promise<z.output<typeof notesSchema>> {
    return notesSchema.safeParse(await notes.read()).data ?? {};
  }
  const ageOf = (at: Date): number => now().getTime() - at.getTime();

  return {
    async recall(): Promise<Remembered> {
      const { answered, ...refused } = await readNotes();
      const refusals = COMPANIES.flatMap((company): Refusal[] => {
        const at = refused[`refused${company}`];
        return at && ageOf(at) < KEPT_MS ? [{ company, until: new Date(at.getTime() + KEPT_MS) }] : [];
      });
      return { answeredSet: answered && ageOf(answered.at) < KEPT_MS ? answered.set : null, refusals };
    },

    async noteAnswer(set: ArgumentSet): Promise<void> {
      const { answered } = await readNotes();
      if (answered?.set === set && ageOf(answered.at) < REWRITTEN_AFTER_MS) return;
      await notes.add({ answered: { set, at: now() } });
    },

    noteRefusal: (company: Company): Promise<void> => notes.add({ [`refused${company}`]: now() }),
  };
}
