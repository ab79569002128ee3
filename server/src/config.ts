import { isIP } from "node:net";
import { isAbsolute, resolve } from "node:path";
import { z } from "zod";
import { EMAIL_PATTERN } from "@slabdesk/contract/api/people.ts";
import { SOURCE_NAMES, type SourceName } from "@slabdesk/contract/api/sources.ts";

/** The parsed environment. The rest of the server sees settings only in this form. */
export type Config = z.output<typeof settings> & { upstreams: "demo" | "live" };

const text = z.string().trim();
const password = z.string().min(6, "must have at least 6 characters").optional();
const optionalText = text.transform((value) => (value === "" ? undefined : value)).optional();
const wholeNumber = (lowest: number, highest: number, fallback: number) =>
  text
    .refine(
      (value) => /^\d+$/.test(value) && Number(value) >= lowest && Number(value) <= highest,
      `must be a whole number from ${lowest} to ${highest}`,
    )
    .transform(Number)
    .default(fallback);
const baseUrl = text
  .refine((value) => URL.canParse(value) && /^https?:$/.test(new URL(value).protocol), "must be an http or https URL")
  .transform((value) => value.replace(/\/+$/, ""));

const listOf = (value: string) =>
  value
    .split(",")
    .map((part) => part.trim())
    .filter(Boolean);

/** "10.0.0.1" or "10.0.0.0/8". */
function isAddressOrNetwork(text: string): boolean {
  const [address = "", bits, ...more] = text.split("/");
  const version = isIP(address);
  if (version === 0 || more.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}

/** A key of 32 bytes in base64 or hexadecimal; null if it has another length. */
export function readKeyText(text: string): Buffer | null {
  if (/^[\da-f]{64}$/i.test(text)) return Buffer.from(text, "hex");
  return /^[\w+/-]{43}=?$/.test(text) ? Buffer.from(text, "base64") : null;
}

const secretsKey = text.transform((value, context) => {
  const key = readKeyText(value);
  if (key) return key;
  context.addIssue("must be 32 bytes in base64 or hexadecimal, as `openssl rand -base64 32` prints them");
  return z.NEVER;
});

const ONE_AT_A_TIME: Record<SourceName, number> = { psa: 1, cgc: 1, tag: 1, cardladder: 1, cardsiq: 1 };

/** "1" for every lane, or "psa=4,cgc=2" for some. Other lanes keep 1. */
const laneConcurrency = text
  .regex(/^(?:\d+|[a-z]+=\d+(?:,\s*[a-z]+=\d+)*)$/, 'takes a number or lanes with numbers, like "psa=4,cgc=2"')
  .transform((value, context): Record<SourceName, number> => {
    const lanes = { ...ONE_AT_A_TIME };
    for (const part of /^\d+$/.test(value) ? SOURCE_NAMES.map((lane) => `${lane}=${value}`) : value.split(",")) {
      const [name, count] = part.trim().split("=");
      const lane = SOURCE_NAMES.find((known) => known === name);
      const width = Number(count);
      if (!lane || width < 1 || width > 100) {
        context.addIssue(`must give lanes (${SOURCE_NAMES.join(", ")}) with 1 to 100 cards at a time`);
        return z.NEVER;
      }
      lanes[lane] = width;
    }
    return lanes;
  });

const DELAYS_MESSAGE = 'takes up to 10 whole numbers of seconds, like "30,60,120"';
/** "30,60,120": the delay before each retry, in seconds. */
const retryDelays = text
  .regex(/^\d+(?:\s*,\s*\d+){0,9}$/, DELAYS_MESSAGE)
  .transform((value) => listOf(value).map(Number))
  .refine((delays) => delays.every((delay) => delay <= 86_400), DELAYS_MESSAGE);

const oneOf = <const T extends readonly [string, ...string[]]>(...values: T) =>
  z.enum(values, { error: `must be one of ${values.join(", ")}` });
/** A host name, an IPv4 address or an IPv6 address in brackets, with or without a port. */
const HOST = /^(?:[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\])(?::\d{1,5})?$/;

const settings = z.object({
  NODE_ENV: text.default("production"),
  PORT: wholeNumber(0, 65_535, 4600),
  HOST: text.default("127.0.0.1"),
  PUBLIC_URL: baseUrl.optional(),
  TRUSTED_PROXIES: text
    .transform(listOf)
    .refine(
      (proxies) => proxies.every(isAddressOrNetwork),
      'takes addresses and networks, like "10.0.0.1, 172.16.0.0/12"',
    )
    .default([]),
  DATA_DIR: optionalText
    .refine((value) => value === undefined || !value.includes("\0"), "must be a folder")
    .transform((value) => (value === undefined || isAbsolute(value) ? value : resolve(value))),
  DATABASE_URL: text
    .regex(/^postgres(?:ql)?:\/\//, "must be a URL like postgres://user:password@host/database")
    .optional(),
  SECRETS_KEY: secretsKey.optional(),
  AUTH_SECRET: text.min(32, "must have at least 32 characters, as `openssl rand -base64 32` prints them").optional(),
  SESSION_IDLE_HOURS: wholeNumber(1, 720, 12),
  SESSION_MAX_DAYS: wholeNumber(1, 365, 30),
  ROLE: oneOf("all", "web", "worker").default("all"),
  ADMIN_EMAIL: z.string().regex(EMAIL_PATTERN, "must be an email address").default("admin@slabdesk.local"),
  ADMIN_PASSWORD: password,
  DEFAULT_USER_PASSWORD: password,
  BACKEND_PASSWORD: password,
  ADMIN_TWO_STEP: oneOf("optional", "required").default("optional"),
  UPSTREAMS: oneOf("demo", "live").optional(),
  PSA_API_URL: baseUrl.default("https://api.psacard.com/publicapi"),
  PSA_API_TOKEN: optionalText,
  PSA_DAILY_QUOTA: wholeNumber(1, 10_000_000, 2500),
  PSA_WEB_URL: baseUrl.default("https://www.psacard.com"),
  CGC_API_URL: baseUrl.default("https://dealer-api.collectiblesgroup.com"),
  CGC_API_USERNAME: optionalText,
  CGC_API_PASSWORD: optionalText,
  CGC_WEB_URL: baseUrl.default("https://www.cgccards.com"),
  TAG_API_URL: baseUrl.default("https://api.taggrading.com"),
  TAG_API_KEY: optionalText,
  TAG_WEB_URL: baseUrl.default("https://my.taggrading.com"),
  TAG_IMAGE_URL: baseUrl.default("https://d39lwrz0lm7c9r.cloudfront.net"),
  CARDLADDER_AUTH_URL: baseUrl.default("https://identitytoolkit.googleapis.com"),
  CARDLADDER_TOKEN_URL: baseUrl.default("https://securetoken.googleapis.com"),
  CARDLADDER_API_URL: baseUrl.default("https://us-central1-cardladder-71d53.cloudfunctions.net"),
  CARDLADDER_WEB_KEY: optionalText,
  CARDLADDER_EMAIL: optionalText,
  CARDLADDER_PASSWORD: optionalText,
  CARDSIQ_API_URL: baseUrl.optional(),
  CARDSIQ_API_KEY: optionalText,
  CARDSIQ_BATCH_SIZE: wholeNumber(1, 100, 10),
  IMAGE_HOSTS: text
    .transform((value) => listOf(value.toLowerCase()))
    .refine(
      (hosts) => hosts.every((host) => HOST.test(host)),
      "must be hosts like images.example.com or 127.0.0.1:4601",
    )
    .optional(),
  IMAGE_CACHE_MB: wholeNumber(1, 100_000_000, 5000),
  SHEETS_MB_PER_PERSON: wholeNumber(1, 100_000_000, 10_000),
  PHOTOS_MB_PER_PERSON: wholeNumber(1, 100_000_000, 20_000),
  CARD_DELAY_MS: wholeNumber(0, 600_000, 5000),
  PRICING_DELAY_MS: wholeNumber(0, 600_000, 2500),
  LANE_CONCURRENCY: laneConcurrency.default(ONE_AT_A_TIME),
  REQUEST_TIMEOUT_MS: wholeNumber(100, 600_000, 30_000),
  RETRY_DELAYS_S: retryDelays.default([30, 60, 120]),
  OUTAGE_PATIENCE_MIN: wholeNumber(0, 10_080, 30),
  KNOWN_CERT_DAYS: wholeNumber(0, 3650, 30),
  SCRAPING: oneOf("on", "off").default("on"),
  LOG_LEVEL: oneOf("trace", "debug", "info", "warn", "error", "fatal", "silent").default("info"),
});

/** If any of these is set, the upstreams are live. Prefixes alone don't count: build machines set TAG_NAME. */
const UPSTREAM_SETTING = /^(?:PSA|CGC|TAG|CARDLADDER|CARDSIQ)_/;

/** An invalid setting. The message gives its name and the values it takes. */
export class ConfigError extends Error {
  override name = "ConfigError";
}

/** Parses the environment. Empty values count as not set. @throws ConfigError naming every invalid setting */
export function parseConfig(environment: Record<string, string | undefined>): Config {
  const given = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value.trim() !== ""),
  );
  const parsed = settings.safeParse(given);
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);
    throw new ConfigError(`Invalid settings:\n  ${lines.join("\n  ")}`);
  }
  const values = parsed.data;
  const live = Object.keys(given).some((name) => UPSTREAM_SETTING.test(name) && name in settings.shape);
  return { ...values, upstreams: values.UPSTREAMS ?? (live ? "live" : "demo") };
}
