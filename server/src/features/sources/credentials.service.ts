import { SOURCE_TITLES, type CredentialTest, type SourceName } from "@slabdesk/contract/api/sources.ts";
import type { Credentials, Values } from "../../credentials/credentials.ts";
import type { CredentialProblem } from "../../graders/grader.ts";
import type { Breaker } from "../../upstreams/breaker.ts";
import { LOOKUP_ENDPOINTS } from "../../upstreams/endpoint.ts";
import { LaneClosedError, type Lanes } from "../../upstreams/lane.ts";
import { onBehalfOf } from "../../upstreams/on-behalf-of.ts";
import { HttpError } from "../../http/http-error.ts";
import { readEntered } from "./entered-credentials.service.ts";
import { notSetUpMessage } from "./off-reason.rules.ts";

type TriedSources = Record<SourceName, { tryCredentials: () => Promise<CredentialProblem> }>;

export type CredentialParts = {
  lanes: Pick<Lanes, SourceName>;
  breaker: Pick<Breaker, "status" | "acceptCredentials" | "countCall">;
  credentials: Pick<Credentials, "refresh" | "lockedReason">;
  isOn: Record<SourceName, boolean>;
  sources: TriedSources;
  /** The upstreams with these credentials in place of the current ones. */
  sourcesWith: (values: Values) => TriedSources;
};

/** The test of these sources is a sign-in. The others have no such call, so their test is a look-up. */
const SIGNS_IN: readonly SourceName[] = ["cgc", "cardladder"];
/** Whether a test of the source uses no quota. */
export const isTestFree = (name: SourceName): boolean => SIGNS_IN.includes(name);

/** Tests credentials in the upstream's lane. Doesn't report failures to the breaker, because no run needed the call. */
export function createCredentialTests(parts: CredentialParts) {
  const { lanes, breaker, credentials, isOn, sources, sourcesWith } = parts;

  /** Returns an `unknown` result if the source is manually paused or out of quota; otherwise null. */
  async function refusalOf(name: SourceName, isEntered: boolean): Promise<CredentialTest | null> {
    const { state } = await breaker.status(LOOKUP_ENDPOINTS[name][0]);
    // Entered credentials may have a quota of their own.
    const isOutOfQuota = state.kind === "paused" && state.code === "quota_exhausted" && !isEntered;
    const mustWait = state.kind === "paused" && (state.until === null || isOutOfQuota);
    return mustWait ? unknown(`${state.message}. Resume it before testing its credentials`) : null;
  }

  /** Accepted credentials that are in use end a pause or wall for refused ones. */
  async function tried(userId: string, name: SourceName, entered: Values | null): Promise<CredentialTest> {
    const { tryCredentials } = (entered ? sourcesWith(entered) : sources)[name];
    const problem = await onBehalfOf(userId, tryCredentials);
    if (!isTestFree(name) && problem?.code !== "forbidden") await breaker.countCall(LOOKUP_ENDPOINTS[name][0]);
    if (problem === null && !entered) await breaker.acceptCredentials(LOOKUP_ENDPOINTS[name][0]);
    return resultOf(name, problem);
  }

  return {
    /**
     * Tests with one call whether an upstream accepts the entered credentials, or else the current ones. `givenUp`
     * aborts when the client disconnects.
     *
     * @throws HttpError 400 if entered values are incomplete, 409 on a demo, 503 if the server stops during the test
     */
    async test(
      userId: string,
      name: SourceName,
      values: Record<string, string> | null,
      givenUp: AbortSignal,
    ): Promise<CredentialTest> {
      const entered = values && readEntered(name, values, credentials);
      if (!entered) await credentials.refresh();
      if (!entered && !isOn[name]) return unknown(notSetUpMessage(name));
      const refusal = await refusalOf(name, entered !== null);
      if (refusal) return refusal;
      try {
        return await lanes[name].call(
          // The source may have been paused while this test waited for the lane.
          async () => (await refusalOf(name, entered !== null)) ?? (await tried(userId, name, entered)),
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
