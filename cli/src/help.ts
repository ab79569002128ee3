import { MODES } from "@slabdesk/contract/api/cards.ts";
import { EXPORT_FORMATS } from "@slabdesk/contract/api/sessions.ts";
import { DEFAULT_SERVER } from "./arguments.ts";

/** The text of `slabdesk --help`. docs/cli.md has the details. */
export const HELP = `Looks up a sheet of cert numbers on a Slabdesk server and writes the results.

  slabdesk lookup <sheet.csv> [-o <file>]     "-" reads the sheet from stdin
  slabdesk lookup --session <id> [-o <file>]  continues an existing run

The same command again continues the same run and looks up nothing twice.

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
