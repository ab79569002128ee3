import { CREDENTIAL_FIELDS, type CredentialSetting } from "@slabdesk/contract/api/credentials.ts";
import { SOURCE_TITLES, type SourceName } from "@slabdesk/contract/api/sources.ts";
import type { Credentials, Values } from "../../credentials/credentials.ts";
import { HttpError } from "../../http/http-error.ts";
import type { Breaker } from "../../upstreams/breaker.ts";
import { LOOKUP_ENDPOINTS } from "../../upstreams/endpoint.ts";

export type EnteredParts = {
  credentials: Pick<Credentials, "refresh" | "save" | "remove" | "lockedReason" | "undecryptable">;
  breaker: Pick<Breaker, "changeCredentials">;
};

/** Saves and removes the credentials that administrators enter in the page. */
export function createEnteredCredentials({ credentials, breaker }: EnteredParts) {
  const changed = (name: SourceName): Promise<void> => breaker.changeCredentials(LOOKUP_ENDPOINTS[name][0]);

  return {
    /**
     * @throws HttpError 400 if a value is missing or invalid, 409 if the settings provide the credentials or if this
     *   node can't decrypt what others saved
     */
    async save(by: string, name: SourceName, values: Record<string, string>): Promise<void> {
      const entered = readEntered(name, values, credentials);
      await credentials.refresh();
      const unreadable = credentials.undecryptable();
      if (unreadable.length > 0) throw conflict(otherKeyMessage(unreadable));
      await credentials.save(name, entered, by);
      await changed(name);
    },

    /** Returns false if nothing was entered. */
    async remove(name: SourceName): Promise<boolean> {
      if (!(await credentials.remove(name))) return false;
      await changed(name);
      return true;
    },
  };
}

/** Checks entered values: all credentials of the upstream that the settings don't provide. Messages contain no value. */
export function readEntered(
  name: SourceName,
  values: Record<string, string>,
  { lockedReason }: Pick<Credentials, "lockedReason">,
): Values {
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
  for (const field of Object.keys(values)) {
    if (!free.some((one) => one.name === field)) problems["values"] = `Only ${namesOf(free)} can be entered`;
  }
  const found = Object.values(problems);
  if (found.length > 0) throw new HttpError(400, "bad_request", `${found.join(". ")}.`, { fields: problems });
  return entered;
}

const PRINTABLE = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]+$/u;
const checkText = (value: string): string | null => (PRINTABLE.test(value) ? null : "contains control characters");

/** Returns what is wrong with a value; null if nothing is. */
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

const conflict = (message: string): HttpError => new HttpError(409, "conflict", message);

function otherKeyMessage(names: readonly SourceName[]): string {
  const titles = names.map((name) => SOURCE_TITLES[name]).join(", ");
  return (
    `Nothing was saved: this server's key is not the one that other credentials were saved with (${titles}). Start it ` +
    "with that key, or remove those credentials first"
  );
}
