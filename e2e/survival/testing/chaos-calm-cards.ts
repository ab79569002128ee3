import type { Card, CardSource } from "@slabdesk/contract/api/cards.ts";
import type { Company } from "@slabdesk/contract/certs/company.ts";
import { parseConfig } from "../../../server/src/config.ts";
import { createCgcGrader } from "../../../server/src/graders/cgc/grader.ts";
import type { Grader } from "../../../server/src/graders/grader.ts";
import { createPsaGrader } from "../../../server/src/graders/psa/grader.ts";
import { createTagGrader } from "../../../server/src/graders/tag/grader.ts";
import { createEndpoints } from "../../../server/src/upstreams/http-endpoints.ts";

/** A card and where it was read. */
export type CardAsked = { company: Company; certNumber: string; source: CardSource };

const AT_A_TIME = 8;

/**
 * The cards as the graders return them on a calm day, by "company certNumber source": requested one by one, without
 * lanes and database.
 *
 * @throws if one of them is not found
 */
export async function readCalmCards(
  settings: Record<string, string>,
  asked: readonly CardAsked[],
): Promise<Map<string, Card>> {
  const config = parseConfig(settings);
  const { endpoints, close } = createEndpoints(config);
  const parts = { endpoints, settings: config, now: () => new Date() };
  const graders: Record<Company, Grader> = {
    PSA: createPsaGrader(parts),
    CGC: createCgcGrader(parts),
    TAG: createTagGrader(parts),
  };
  const cards = new Map<string, Card>();
  const left = [...new Map(asked.map((card) => [keyOf(card), card])).values()];
  const readOn = async (): Promise<void> => {
    for (let next = left.pop(); next; next = left.pop()) {
      const { company, certNumber, source } = next;
      const grader = graders[company];
      const outcome = await (source === "api" ? grader.viaApi(certNumber) : grader.viaPage(certNumber));
      if (outcome.code !== "found") throw new Error(`On a calm day ${keyOf(next)} came to ${outcome.code}`);
      cards.set(keyOf(next), outcome.card);
    }
  };
  try {
    await Promise.all(Array.from({ length: AT_A_TIME }, readOn));
  } finally {
    await close();
  }
  return cards;
}

export function keyOf({
  company,
  certNumber,
  source,
}: {
  company: string;
  certNumber: string;
  source: string;
}): string {
  return `${company} ${certNumber} ${source}`;
}
