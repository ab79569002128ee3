import { CREDENTIAL_FIELDS, type CredentialSetting } from "@slabdesk/contract/api/credentials.ts";
import { SOURCE_TITLES, type CredentialTest, type SourceName } from "@slabdesk/contract/api/sources.ts";
import type { Context } from "../../context.ts";
import type { Values } from "../../credentials/credentials.ts";
import type { CredentialProblem } from "../../graders/grader.ts";
import { conflict, HttpError } from "../../http/http-error.ts";
import { LOOKUP_ENDPOINTS } from "../../upstreams/endpoint.ts";
import { onBehalfOf } from "../../upstreams/on-behalf-of.ts";
import { unlessRestarting } from "../certs/certs.service.ts";
import { isOn, notSetUpMessage, sourcesByName } from "./sources.present.ts";

/** The test of these sources is a sign-in. The others have no such call, so their test is a lookup. */
const SIGNS_IN: readonly SourceName[] = ["cgc", "cardladder"];
export const isTestFree = (name: SourceName): boolean => SIGNS_IN.includes(name);

/**
 * Tests with one call in the upstream's lane whether it accepts the entered credentials, or else the current ones.
 * Doesn't report failures to the breaker, because no run needed the call. `givenUp` aborts when the client disconnects.
 * @throws HttpError 400 if entered values are incomplete, 409 on a demo, 503 if the server stops during the test
 */
export async function testCredentials(
  context: Context,
  userId: string,
  name: SourceName,
  values: Record<string, string> | null,
  givenUp: AbortSignal,
): Promise<CredentialTest> {
  const entered = values && readEntered(context, name, values);
  if (!entered) await context.credentials.refresh();
  if (!entered && !isOn(context, name)) return unknown(notSetUpMessage(name));
  const refusal = await refusalOf(context, name, entered !== null);
  if (refusal) return refusal;
  // The source may have been paused while this test waited for the lane.
  const test = async (): Promise<CredentialTest> =>
    (await refusalOf(context, name, entered !== null)) ?? (await tried(context, userId, name, entered));
  return unlessRestarting(context.upstreams.lanes[name].call(test, givenUp));
}

/** Returns an `unknown` result if the source is manually paused or out of quota; otherwise null. */
async function refusalOf({ upstreams }: Context, name: SourceName, isEntered: boolean): Promise<CredentialTest | null> {
  const { state } = await upstreams.breaker.status(LOOKUP_ENDPOINTS[name][0]);
  // Entered credentials may have a quota of their own.
  const isOutOfQuota = state.kind === "paused" && state.code === "quota_exhausted" && !isEntered;
  const mustWait = state.kind === "paused" && (state.until === null || isOutOfQuota);
  return mustWait ? unknown(`${state.message}. Resume it before testing its credentials`) : null;
}

/** Accepted credentials that are in use end a pause or wall for refused ones. */
async function tried({ upstreams }: Context, userId: string, name: SourceName, entered: Values | null) {
  const { breaker } = upstreams;
  const { tryCredentials } = sourcesByName(entered ? upstreams.clientsWith(entered) : upstreams)[name];
  const problem = await onBehalfOf(userId, tryCredentials);
  if (!isTestFree(name) && problem?.code !== "forbidden") await breaker.countCall(LOOKUP_ENDPOINTS[name][0]);
  if (problem === null && !entered) await breaker.acceptCredentials(LOOKUP_ENDPOINTS[name][0]);
  return resultOf(name, problem);
}

function resultOf(name: SourceName, problem: CredentialProblem): CredentialTest {
  if (problem === null) return { result: "accepted", message: `${SOURCE_TITLES[name]} accepted our credentials` };
  return problem.code === "forbidden" ? { result: "refused", message: problem.message } : unknown(problem.message);
}

const unknown = (message: string): CredentialTest => ({ result: "unknown", message });

/**
 * Saves entered credentials. @throws HttpError 400 if a value is missing or invalid, 409 if the settings provide the
 * credentials or if this node can't decrypt what others saved
 */
export async function saveCredentials(context: Context, by: string, name: SourceName, values: Record<string, string>) {
  const { credentials, upstreams } = context;
  const entered = readEntered(context, name, values);
  await credentials.refresh();
  const unreadable = credentials.undecryptable();
  if (unreadable.length > 0) throw conflict(otherKeyMessage(unreadable));
  await credentials.save(name, entered, by);
  await upstreams.breaker.changeCredentials(LOOKUP_ENDPOINTS[name][0]);
}

/** Returns false if nothing was entered. */
export async function removeCredentials({ credentials, upstreams }: Context, name: SourceName): Promise<boolean> {
  if (!(await credentials.remove(name))) return false;
  await upstreams.breaker.changeCredentials(LOOKUP_ENDPOINTS[name][0]);
  return true;
}

/** Checks entered values: all credentials of the upstream that the settings don't provide. Messages contain no value. */
function readEntered({ credentials }: Context, name: SourceName, values: Record<string, string>): Values {
  const { lockedReason } = credentials;
  const fields = CREDENTIAL_FIELDS[name];
  const free = fields.filter((field) => lockedReason(field.name) === null);
  const [first] = fields;
  if (free.length === 0) throw conflict(lockedReason(first.name) ?? "");
  const problems: Record<string, string> = {};
  const entered: Values = {};
  for (const { name: field, label, kind } of free) {
    const value = values[field]?.trim() ?? "";
    const problem = value === "" ? "is missing" : CHECKS[kind](value);
    if (problem === null) entered[field] = kind === "url" ? value.replace(/\/+$/, "") : value;
    else problems[field] = `${label} ${problem}`;
  }
  for (const field of Object.keys(values))
    if (!free.some((one) => one.name === field)) problems["values"] = `Only ${namesOf(free)} can be entered`;
  const found = Object.values(problems);
  if (found.length > 0) throw new HttpError(400, "bad_request", `${found.join(". ")}.`, { fields: problems });
  return entered;
}

const PRINTABLE = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]+$/u;
const checkText = (value: string): string | null => (PRINTABLE.test(value) ? null : "contains control characters");

const CHECKS = {
  token: (value: string) => (/^[\x20-\x7e]+$/.test(value) ? null : "contains characters that no token has"),
  password: checkText,
  text: checkText,
  url: (value: string) => {
    const url = URL.parse(value);
    if (!url || !/^https?:$/.test(url.protocol)) return "must be an http or https address";
    return url.username === "" && url.password === "" ? null : "must not contain a user name or password";
  },
};

const namesOf = (fields: readonly { name: CredentialSetting }[]): string => fields.map(({ name }) => name).join(", ");

function otherKeyMessage(names: readonly SourceName[]): string {
  const titles = names.map((name) => SOURCE_TITLES[name]).join(", ");
  return (
    `Nothing was saved: this server's key is not the one that other credentials were saved with (${titles}). Start it ` +
    "with that key, or remove those credentials first"
  );
}
