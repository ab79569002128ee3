import type { Variant } from "../made-up/card-facts.ts";
import type { Fault } from "./faults.ts";

/**
 * The parts of an upstream that a magic cert can break. `images` is PSA's call for the image addresses. The last two
 * cover all price calls.
 */
export type Part = "api" | "images" | "page" | "files" | "cardladder" | "cardsiq";

export type Magic = {
  faults: Partial<Record<Part, Fault>>;
  /** The fault affects only the first call to a part. */
  once?: true;
  /** The fault affects all calls to a URL except the first. */
  later?: true;
  variant?: Variant;
};

const everywhere = (fault: Fault): Magic => ({ faults: { api: fault, images: fault, page: fault, files: fault } });
const atBothPrices = (fault: Fault): Magic => ({ faults: { cardladder: fault, cardsiq: fault } });

/**
 * Magic certs by their last two digits, for every company: PSA 999999xx, CGC 99999999xx, TAG X99999xx. README.md
 * describes this table, and a test compares the two.
 */
export const MAGIC: Readonly<Record<string, Magic>> = {
  "90": { ...everywhere("not_found"), variant: "no_prices" },
  "91": everywhere("hang"),
  "92": everywhere("server_error"),
  "93": everywhere("quota"),
  "94": everywhere("bot_wall"),
  "95": { faults: { api: "refused", images: "refused" } },
  "96": { faults: { api: "other_cert", page: "other_cert" } },
  "97": everywhere("huge"),
  "98": everywhere("redirect"),
  "99": everywhere("torn"),
  "80": { faults: { api: "server_error", images: "server_error" } },
  "81": { faults: { api: "quota", images: "quota" } },
  "82": { faults: { page: "bot_wall" } },
  "83": { faults: { api: "html", images: "html" } },
  "84": everywhere("reset"),
  "85": { faults: { images: "server_error", files: "server_error" } },
  "86": { faults: { images: "bare_string", files: "not_found" } },
  "87": { faults: { files: "not_found" }, variant: "no_images" },
  "88": { faults: { api: "no_data", page: "no_data", files: "not_found" }, variant: "no_prices" },
  "89": everywhere("quota_no_retry_after"),
  "70": { faults: { api: "encrypted" } },
  "71": { faults: { api: "empty_record" } },
  "72": { faults: { api: "server_error", page: "server_error", files: "server_error" }, once: true },
  "73": { faults: { api: "hang", page: "hang", files: "hang" }, once: true },
  "74": { faults: {}, variant: "hostile_text" },
  "75": { faults: {}, variant: "front_only" },
  "76": { faults: { api: "browser_refused", images: "browser_refused" } },
  "77": { faults: { api: "invalid_number" } },
  "78": { faults: { api: "hang", images: "hang" } },
  "79": { faults: { api: "quota_brief", page: "quota_brief" }, once: true },
  "50": { faults: {}, variant: "same_images" },
  "51": { faults: { files: "not_found" }, later: true },
  "52": { faults: { files: "html_as_image" } },
  "53": { faults: { files: "svg_as_image" } },
  "58": { faults: {}, variant: "autograph" },
  "59": { faults: {}, variant: "other_population" },
  "60": { faults: {}, variant: "no_prices" },
  "61": { faults: {}, variant: "no_sales" },
  "62": { faults: {}, variant: "no_estimate" },
  "63": { faults: { cardladder: "quota" } },
  "64": atBothPrices("hang"),
  "65": atBothPrices("server_error"),
  "66": { faults: {}, variant: "half_grade" },
  "67": { faults: { cardsiq: "lookup_error" }, once: true },
  "68": { faults: { cardsiq: "lookup_error" } },
  "69": { faults: {}, variant: "apart" },
};

const PREFIX = { PSA: "999999", CGC: "99999999", TAG: "X99999" } as const;

/** The magic cert of a company and a code: `magicCert("TAG", "90")` is "X9999990". */
export function magicCert(company: keyof typeof PREFIX, code: string): string {
  return `${PREFIX[company]}${code}`;
}

const MAGIC_FORM = /^(?:999999|99999999|X99999)([5-9]\d)$/;

/** The magic of a certificate number. Null for an ordinary number. */
export function findMagic(certNumber: string): Magic | null {
  const code = MAGIC_FORM.exec(certNumber)?.[1];
  return (code !== undefined && MAGIC[code]) || null;
}
