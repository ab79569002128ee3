import type { Card, CardSource, Mode } from "@slabdesk/contract/api/cards.ts";
import type { Company } from "@slabdesk/contract/certs/company.ts";
import type { Database } from "../../database/connection.ts";
import type { Grader, Outcome } from "../../graders/grader.ts";
import type { Lanes } from "../../lanes/lane.ts";
import { findKnownCert, forgetCardsOfOthers, saveKnownCert } from "./certs.repo.ts";

/** What a look-up needs to run; `scraping` off means that pages are never read. */
export type CertsParts = {
  db: Database;
  lanes: Pick<Lanes, "psa" | "cgc" | "tag">;
  graders: Record<Company, Grader>;
  scraping: "on" | "off";
  upstreams: "demo" | "live";
  knownCertDays: number;
};

export type CertsService = {
  /** Makes sure that cards of a demonstration are never taken for real ones, nor the other way round. */
  start(): Promise<void>;
  /** Waits for the company's lane, then asks it. `work` runs inside the lane's turn, so nothing else of the lane does. */
  inLane<T>(company: Company, work: () => Promise<T>): Promise<T>;
  /** Asks the company in the given mode, at once: only inside a lane's turn. An expected failure is an outcome, never an exception. */
  ask(company: Company, certNumber: string, mode: Mode): Promise<Outcome>;
  /** One card for the single-card routes: a known one if allowed, else through the lane; what is found is kept. */
  lookUp(company: Company, certNumber: string, mode: Mode, forceRefresh: boolean): Promise<Outcome>;
  /** Sources whose known cards serve a mode: one who asks for the API alone is not given what a page said. */
  knownSources(mode: Mode): readonly CardSource[];
  /** Keeps a found card for later look-ups, unless a part of it could not be read. */
  remember(db: Database, outcome: Outcome): Promise<void>;
};

const LANE_OF = { PSA: "psa", CGC: "cgc", TAG: "tag" } as const;

export function createCertsService(parts: CertsParts): CertsService {
  const { db, graders, lanes } = parts;
  const service: CertsService = {
    start: () => forgetCardsOfOthers(db, parts.upstreams),
    inLane: (company, work) => lanes[LANE_OF[company]].pass(work),
    ask: (company, certNumber, mode) => askInMode(graders[company], certNumber, mode, parts.scraping),
    async lookUp(company, certNumber, mode, forceRefresh) {
      if (!forceRefresh) {
        const known = await findKnownCert(db, company, certNumber, parts.knownCertDays);
        if (known && KNOWN_SOURCES[mode].includes(known.source)) return found(known.card, known.source);
      }
      const outcome = await service.inLane(company, () => service.ask(company, certNumber, mode));
      await service.remember(db, outcome);
      return outcome;
    },
    knownSources: (mode) => KNOWN_SOURCES[mode],
    async remember(target, outcome) {
      if (outcome.code === "found" && outcome.complete) await saveKnownCert(target, outcome.card, outcome.source);
    },
  };
  return service;
}

const KNOWN_SOURCES: Record<Mode, CardSource[]> = {
  api: ["api"],
  scraping: ["api", "page"],
  "api-with-fallback": ["api", "page"],
};

function found(card: Card, source: CardSource): Outcome {
  return { code: "found", card, source, notes: "", complete: true };
}

async function askInMode(grader: Grader, certNumber: string, mode: Mode, scraping: "on" | "off"): Promise<Outcome> {
  switch (mode) {
    case "api":
      return grader.viaApi(certNumber);
    case "scraping":
      return scraping === "on" ? grader.viaPage(certNumber) : SCRAPING_OFF;
    case "api-with-fallback": {
      const answer = await grader.viaApi(certNumber);
      if (scraping === "off" || isFinal(answer)) return answer;
      return preferred(answer, await grader.viaPage(certNumber));
    }
  }
}

const SCRAPING_OFF: Outcome = {
  code: "not_configured",
  message: "Web scraping is switched off by the administrator. Choose API only, or ask for it to be switched on",
};

/** An answer about the card itself, after which the page has nothing to add. */
function isFinal(outcome: Outcome): boolean {
  return outcome.code === "found" || outcome.code === "not_found" || outcome.code === "invalid_number";
}

/** When neither way gave a card, the one that may pass by itself is told: it decides whether the row can be retried. */
function preferred(api: Outcome, page: Outcome): Outcome {
  if (isFinal(page) || api.code === "not_configured" || api.code === "forbidden") return page;
  return api;
}
