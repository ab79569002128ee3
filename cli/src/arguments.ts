import { extname } from "node:path";
import { parseArgs } from "node:util";
import { DEFAULT_MODE, MODES } from "@slabdesk/contract/api/cards.ts";
import { EXPORT_FORMATS, type ExportFormat } from "@slabdesk/contract/api/sessions.ts";
import { CommandError, EXIT, systemCodeOf } from "./command-error.ts";

export const DEFAULT_SERVER = "http://127.0.0.1:4600";

/** The text of `slabdesk --help`. docs/cli.md has the details. */
export const HELP = `Looks up a sheet of cert numbers on a Slabdesk server and writes the results.

  slabdesk lookup <sheet.csv> [-o <file>]     "-" reads the sheet from stdin
  slabdesk lookup --session <id> [-o <file>]  continues an existing run

Running the same command again continues the run and looks up nothing twice.

  -o, --output <file>   the file to write; stdout by default
  --format <format>     ${EXPORT_FORMATS.slice(0, 5).join(", ")},
                        ${EXPORT_FORMATS.slice(5).join(", ")}
                        (by default, the file extension decides, else csv)
  --mode <mode>         ${MODES.join(", ")}
  --pricing             also fetch prices
  --fresh               look up every card again, even those looked up
                        recently
  --accept-companies    take the company from the number's form if its cell is
                        empty or contradicts the number
  --name <name>         the session's name
  --again               start a new run, even if this sheet was looked up before
  --server <address>    by default SLABDESK_URL, else ${DEFAULT_SERVER}
  --token <token>       SLABDESK_TOKEN is safer: other users of this machine can
                        read command lines
  -h, --help            show this help
  --version             show the version

Exit codes: 0 every row found, 1 some rows failed, 2 wrong usage or a rejected file,
3 not signed in, 4 server unavailable, 130 interrupted.
`;

export type RunOptions = ReturnType<typeof runOptionsOf>;

/** The input: a sheet (`-` is stdin) or the session of an earlier command. */
export type Source = { kind: "sheet"; path: string; run: RunOptions; again: boolean } | { kind: "session"; id: string };

export type LookupOptions = {
  server: URL;
  token: string;
  output: string | null;
  format: ExportFormat;
  source: Source;
  /** True if the token was given on the command line, where other users can read it. */
  tokenOnCommandLine: boolean;
};

export type Command = { kind: "help" } | { kind: "version" } | { kind: "lookup"; options: LookupOptions };

export type Environment = { SLABDESK_URL?: string | undefined; SLABDESK_TOKEN?: string | undefined };

const OPTIONS = {
  output: { type: "string", short: "o" },
  format: { type: "string" },
  server: { type: "string" },
  token: { type: "string" },
  mode: { type: "string" },
  pricing: { type: "boolean" },
  fresh: { type: "boolean" },
  "accept-companies": { type: "boolean" },
  name: { type: "string" },
  again: { type: "boolean" },
  session: { type: "string" },
  help: { type: "boolean", short: "h" },
  version: { type: "boolean" },
} as const;

const SHEET_OPTIONS = ["mode", "pricing", "fresh", "accept-companies", "name", "again"] as const;

/** The format for a file extension. Other extensions mean CSV. */
const FORMATS: Partial<Record<string, ExportFormat>> = { ".xlsx": "xlsx", ".json": "json", ".zip": "images.zip" };

/** Missing values come from the environment. @throws CommandError if the usage is wrong or the token is missing */
export function parseCommand(argv: readonly string[], environment: Environment): Command {
  const { values, positionals } = parse(argv);
  if (values.help) return { kind: "help" };
  if (values.version) return { kind: "version" };
  const [command, ...sheets] = positionals;
  if (command !== "lookup") {
    const fault = command === undefined ? "Missing command" : `Unknown command "${command}"`;
    throw usage(`${fault}. The only command is lookup`);
  }
  const output = values.output === undefined || values.output === "-" ? null : values.output;
  if (output === "") throw usage("-o needs a file name");
  const ending = extname(output ?? "").toLowerCase();
  const format = oneOf("--format", EXPORT_FORMATS, values.format) ?? FORMATS[ending] ?? "csv";
  const source = sourceOf(values, sheets);
  const server = serverOf(values.server ?? (environment.SLABDESK_URL || DEFAULT_SERVER));
  const token = tokenOf(values.token ?? environment.SLABDESK_TOKEN);
  const tokenOnCommandLine = values.token !== undefined;
  return { kind: "lookup", options: { server, token, output, format, source, tokenOnCommandLine } };
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], options: OPTIONS, allowPositionals: true, strict: true });
  } catch (error) {
    if (error instanceof Error && systemCodeOf(error)?.startsWith("ERR_PARSE_ARGS_")) throw usage(error.message, error);
    throw error;
  }
}

function usage(message: string, cause?: unknown): CommandError {
  return new CommandError(EXIT.refused, `${message}\nFor help, run: slabdesk --help`, { cause });
}

type OptionValues = ReturnType<typeof parse>["values"];

function sourceOf(values: OptionValues, sheets: readonly string[]): Source {
  const [path, second] = sheets;
  if (values.session !== undefined) {
    const sheetOption = SHEET_OPTIONS.find((name) => values[name] !== undefined);
    if (path !== undefined || sheetOption) throw usage("--session continues a run. Remove the sheet and its options");
    if (values.session === "") throw usage("--session needs a session id");
    return { kind: "session", id: values.session };
  }
  if (path === undefined || path === "")
    throw usage("Missing sheet. Example: slabdesk lookup certs.csv (use - for stdin)");
  if (second !== undefined) throw usage(`Give only one sheet. Remove "${second}"`);
  return { kind: "sheet", path, run: runOptionsOf(values), again: values.again ?? false };
}

function runOptionsOf(values: OptionValues) {
  return {
    mode: oneOf("--mode", MODES, values.mode) ?? DEFAULT_MODE,
    includePricing: values.pricing ?? false,
    reuseKnown: !values.fresh,
    acceptCompanies: values["accept-companies"] ?? false,
    sessionName: values.name?.trim() || null,
  };
}

function oneOf<T extends string>(option: string, allowed: readonly T[], value: string | undefined): T | null {
  if (value === undefined) return null;
  const found = allowed.find((one) => one === value);
  if (found === undefined) throw usage(`${option} must be one of: ${allowed.join(", ")}`);
  return found;
}

function serverOf(text: string): URL {
  const url = URL.parse(text);
  if (url === null || !["http:", "https:"].includes(url.protocol)) {
    throw usage(`"${text}" is not a server address. Example: ${DEFAULT_SERVER}`);
  }
  if (url.username || url.password)
    throw usage("The server address can't contain a user name or password. Use a token");
  url.search = "";
  url.hash = "";
  if (!url.pathname.endsWith("/")) url.pathname += "/";
  return url;
}

function tokenOf(text: string | undefined): string {
  const token = text?.trim() ?? "";
  const how = "To get a token, see docs/cli.md";
  if (token === "") throw new CommandError(EXIT.notSignedIn, `No token. Set SLABDESK_TOKEN. ${how}`);
  // The message never shows the token, because an invalid token may contain most of a valid one.
  if (!/^[\x21-\x7e]+$/.test(token)) {
    throw new CommandError(EXIT.notSignedIn, `The token contains spaces or other invalid characters. ${how}`);
  }
  return token;
}
