import type { UpstreamAnswer } from "../../upstreams/endpoint.ts";
import type { ClientParts, LookUp, Outcome, Reading } from "../grader.ts";
import type { HeldToken } from "../held-token.ts";
import * as answers from "../upstream-answers.ts";
import { CGC_API, wrongScope, type CgcSetting } from "./login.ts";
import { factsOf, imagesOf, lookupSchema, numberOf, readPopulation } from "./lookup-body.ts";
import { mapCgcCard } from "./map.ts";

/** The lookups of both versions. Some certificates are only in the older one. */
const V3 = { path: "v3", query: "?include=pop,images" };
const V2 = { path: "v2", query: "" };

/** Looks up a certificate in the dealer API. A number that v3 does not have is looked up in v2. */
export function createCgcApi(parts: ClientParts<CgcSetting> & { login: HeldToken }): LookUp {
  const { endpoint, settings, now, login } = parts;
  async function lookUp({ path, query }: typeof V3, certNumber: string): Promise<Reading<answers.Answered>> {
    const url = `${settings.CGC_API_URL}/cards/certifications/${path}/lookup/${encodeURIComponent(certNumber)}${query}`;
    const call = async (token: string): Promise<UpstreamAnswer> =>
      answers.withoutSecret(await endpoint({ url, headers: { authorization: `Bearer ${token}` } }), token);
    const reading = await login.call(call, (answer) => answer.kind === "answered" && answer.status === 401);
    if (!reading.ok) return reading;
    if (reading.value.kind === "answered") return { ok: true, value: reading.value };
    return { ok: false, outcome: answers.noAnswer(CGC_API, reading.value) };
  }

  return async (certNumber) => {
    if (!settings.CGC_API_USERNAME || !settings.CGC_API_PASSWORD)
      return answers.notConfigured("CGC", "CGC_API_USERNAME and CGC_API_PASSWORD");
    const newer = await lookUp(V3, certNumber);
    if (!newer.ok) return newer.outcome;
    if (newer.value.status !== 404 || answers.isBotWall(newer.value)) return readLookup(newer.value, certNumber, now());
    const older = await lookUp(V2, certNumber);
    if (!older.ok) return older.outcome;
    // A web page only says that this version does not exist.
    const isMissing = older.value.status === 404 && answers.isWebPage(older.value);
    return readLookup(isMissing ? newer.value : older.value, certNumber, now());
  };
}

function readLookup(answer: answers.Answered, certNumber: string, now: Date): Outcome {
  const refusal = answers.rateRefusal(CGC_API, answer, now) ?? wrongScope(answer);
  if (refusal) return refusal;
  if (answer.status !== 200) return answers.apiRefusal(CGC_API, certNumber, answer);
  const reading = answers.readJson(CGC_API, answer, lookupSchema);
  if (!reading.ok) return reading.outcome;
  const answered = numberOf(reading.value);
  const facts = factsOf(reading.value);
  if (answered === null || facts === null) return answers.notUnderstood(CGC_API, answer, null);
  if (answered !== certNumber) return answers.otherCert("CGC", certNumber, answered);
  const population = readPopulation(reading.value, facts.grade, now);
  const card = { ...mapCgcCard(certNumber, facts, imagesOf(reading.value)), ...population };
  return { code: "found", source: "api", card, notes: "", complete: true };
}
