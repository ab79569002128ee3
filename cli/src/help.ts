import { MODES } from "@slabdesk/contract/api/cards.ts";
import { EXPORT_FORMATS } from "@slabdesk/contract/api/sessions.ts";
import { DEFAULT_SERVER } from "./arguments.ts";

/** What `slabdesk --help` says; docs/cli.md has the same at length. */
export const HELP = `Looks up a sheet of certificate numbers on a Slabdesk server and writes what was found.

  slabdesk lookup <sheet.csv> [-o <file>]     "-" reads the sheet from stdin
  slabdesk lookup --session <id> [-o <file>]  goes on with a run that is there

Given again, the same command goes on with the same run; nothing is looked up twice.

  -o, --output <file>   where the result is written; stdout without it
  --format <format>     ${EXPORT_FORMATS.slice(0, 5).join(", ")},
                        ${EXPORT_FORMATS.slice(5).join(", ")}
                        (csv, or what the file's ending says)
  --mode <mode>         ${MODES.join(", ")}
  --pricing             market figures too
  --fresh               ask for every card anew, known ones too
  --accept-companies    take the company from the number's form where its cell is
                        empty or contradicts the number
  --name <name>         the session's name
  --again               a new run, even if this sheet was looked up before
  --server <address>    or SLABDESK_URL; else ${DEFAULT_SERVER}
  --token <token>       better SLABDESK_TOKEN: other people on this machine can
                        read command lines
  -h, --help            this
  --version             the version

Exit codes: 0 every row found, 1 some rows failed, 2 wrong usage or a refused file,
3 not signed in, 4 server not reached, 130 interrupted.
`;
