import { hash } from "node:crypto";
import { z } from "zod";
import type { Config } from "../../config.ts";
import type { SourceNotes } from "../../upstreams/source-notes.ts";
import { problemOf, type LookUp } from "../grader.ts";

const notesSchema = z.object({ recognizedToken: z.string() });

/**
 * PSA answers a token that it doesn't recognize as if the quota were used up. The message says so, unless PSA has
 * recognized the token before. The notes keep a hash of that token.
 */
export function withTokenDoubt(lookUp: LookUp, settings: Pick<Config, "PSA_API_TOKEN">, notes: SourceNotes): LookUp {
  let recognized = "";

  async function wasRecognized(tokenHash: string): Promise<boolean> {
    if (recognized !== tokenHash) recognized = notesSchema.safeParse(await notes.read()).data?.recognizedToken ?? "";
    return recognized === tokenHash;
  }

  return async (certNumber, calls) => {
    // An administrator may enter another token while the lookup is under way.
    const tokenHash = hash("sha256", settings.PSA_API_TOKEN ?? "", "base64url");
    const outcome = await lookUp(certNumber, calls);
    if (outcome.code === "quota_exhausted" && !(await wasRecognized(tokenHash)))
      return { ...outcome, message: `${outcome.message}, or PSA doesn't recognize the token` };
    const isStop = outcome.code === "forbidden" && outcome.needsAdministrator === true;
    if ((isStop || problemOf(outcome) === null) && !(await wasRecognized(tokenHash))) {
      await notes.add({ recognizedToken: tokenHash });
      recognized = tokenHash;
    }
    return outcome;
  };
}
