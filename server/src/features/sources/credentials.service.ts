import { SOURCE_TITLES, type CredentialTest, type SourceName } from "@slabdesk/contract/api/sources.ts";
import type { CredentialProblem } from "../../graders/grader.ts";
import type { Breaker } from "../../upstreams/breaker.ts";
import { LOOKUP_ENDPOINTS } from "../../upstreams/endpoint.ts";
import { LaneClosedError, type Lanes } from "../../upstreams/lane.ts";
import { onBehalfOf } from "../../upstreams/on-behalf-of.ts";
import { HttpError } from "../../http/http-error.ts";
import { notSetUpMessage } from "./off-reason.rules.ts";

export type CredentialParts = {
  lanes: Pick<Lanes, SourceName>;
  breaker: Pick<Breaker, "state" | "acceptCredentials">;
  isOn: Record<SourceName, boolean>;
  /** Checks the credentials without requesting a card. Null if the upstream has no such call. */
  sources: Record<SourceName, { tryCredentials: (() => Promise<CredentialProblem>) | null }>;
};

/** Messages for sources without a call that only checks the credentials. */
const UNTESTABLE: Record<SourceName, string> = {
  psa: "PSA's API has no call that only checks the token, and every call uses the day's quota. The next API look-up will show whether the token works.",
  cgc: "",
  tag: "TAG's API has no known call that only checks the key. The next API look-up will show whether the key works.",
  cardladder: "",
  cardsiq:
    "CardsIQ's API has no known call that only checks the key. The next price request will show whether the key works.",
};

/** Tests credentials in the upstream's lane. Doesn't report failures to the breaker, because no card was requested. */
export function createCredentialTests({ lanes, breaker, isOn, sources }: CredentialParts) {
  /** Returns an `unknown` result if the source is manually paused or out of quota; otherwise null. */
  async function refusalOf(name: SourceName): Promise<CredentialTest | null> {
    const { gate } = await breaker.state(LOOKUP_ENDPOINTS[name][0]);
    const mustWait = gate.kind === "paused" && (gate.until === null || gate.code === "quota_exhausted");
    return mustWait ? unknown(`${gate.message}. Resume it before testing its credentials`) : null;
  }

  /** Accepted credentials end a pause or wall for refused ones. */
  async function tried(name: SourceName, tryCredentials: () => Promise<CredentialProblem>): Promise<CredentialProblem> {
    const problem = await tryCredentials();
    if (problem === null) await breaker.acceptCredentials(LOOKUP_ENDPOINTS[name][0]);
    return problem;
  }

  return {
    canTest: (name: SourceName): boolean => sources[name].tryCredentials !== null,

    /**
     * Tests whether an upstream accepts our credentials, on behalf of `userId`. `givenUp` aborts when the client
     * disconnects.
     *
     * @throws HttpError 503 if the server stops during the test
     */
    async test(userId: string, name: SourceName, givenUp: AbortSignal): Promise<CredentialTest> {
      if (!isOn[name]) return unknown(notSetUpMessage(name));
      const { tryCredentials } = sources[name];
      if (!tryCredentials) return unknown(UNTESTABLE[name]);
      const refusal = await refusalOf(name);
      if (refusal) return refusal;
      try {
        return await lanes[name].call(
          // The source may have been paused while this test waited for the lane.
          async () =>
            (await refusalOf(name)) ?? resultOf(name, await tried(name, () => onBehalfOf(userId, tryCredentials))),
          givenUp,
        );
      } catch (error) {
        if (!(error instanceof LaneClosedError)) throw error;
        const message = "The server is restarting. Please try again in a moment";
        throw new HttpError(503, "overloaded", message, { headers: { "retry-after": "5" }, cause: error });
      }
    },
  };
}

function resultOf(name: SourceName, problem: CredentialProblem): CredentialTest {
  if (problem === null) return { result: "accepted", message: `${SOURCE_TITLES[name]} accepted our credentials` };
  return problem.code === "forbidden" ? { result: "refused", message: problem.message } : unknown(problem.message);
}

const unknown = (message: string): CredentialTest => ({ result: "unknown", message });
