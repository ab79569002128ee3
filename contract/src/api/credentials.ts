import { z } from "zod";

/** A credential, named as its setting. `token`: a secret in a header or an address. `password`: any other secret. */
type Field = { name: string; label: string; kind: "token" | "password" | "text" | "url" };

export const CREDENTIAL_FIELDS = {
  psa: [{ name: "PSA_API_TOKEN", label: "API token", kind: "token" }],
  cgc: [
    { name: "CGC_API_USERNAME", label: "User name", kind: "text" },
    { name: "CGC_API_PASSWORD", label: "Password", kind: "password" },
  ],
  tag: [{ name: "TAG_API_KEY", label: "API key", kind: "token" }],
  cardladder: [
    { name: "CARDLADDER_WEB_KEY", label: "Web key of CardLadder's site", kind: "token" },
    { name: "CARDLADDER_EMAIL", label: "Email", kind: "text" },
    { name: "CARDLADDER_PASSWORD", label: "Password", kind: "password" },
  ],
  cardsiq: [
    { name: "CARDSIQ_API_URL", label: "Address", kind: "url" },
    { name: "CARDSIQ_API_KEY", label: "API key", kind: "token" },
  ],
} as const satisfies Record<string, readonly Field[]>;

export type CredentialSetting = (typeof CREDENTIAL_FIELDS)[keyof typeof CREDENTIAL_FIELDS][number]["name"];

/**
 * What an administrator sees of an upstream's credentials. No answer contains a value. `lockedReason`: why the field
 * can't be entered. `entered`: who last entered them in the page. `problem`: why this node can't use what was entered.
 */
export const sourceCredentialsSchema = z.object({
  fields: z.array(
    z.object({
      name: z.string(),
      label: z.string(),
      isSecret: z.boolean(),
      isSet: z.boolean(),
      lockedReason: z.string().nullable(),
    }),
  ),
  entered: z.object({ by: z.string(), at: z.string() }).nullable(),
  problem: z.string().nullable(),
});
export type SourceCredentials = z.infer<typeof sourceCredentialsSchema>;

const values = z.record(z.string().max(50), z.string().max(5000));

/** All credentials of an upstream that are not locked. */
export const enteredCredentialsSchema = z.object({ values });

/** Without values, the current credentials are tested. */
export const credentialTestRequestSchema = z.object({ values: values.optional() }).nullish();
