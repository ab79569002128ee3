import cliPackage from "../package.json" with { type: "json" };
import { HELP, parseCommand, type Environment } from "./arguments.ts";
import { CommandError, EXIT, type ExitCode } from "./command-error.ts";
import { lookup, type LookupPorts } from "./lookup.ts";

export async function run(args: readonly string[], environment: Environment, ports: LookupPorts): Promise<ExitCode> {
  try {
    const command = parseCommand(args, environment);
    if (command.kind === "lookup") return await lookup(command.options, ports);
    ports.stdout.write(command.kind === "help" ? HELP : `slabdesk ${cliPackage.version}\n`);
    return EXIT.found;
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    ports.screen.say(...error.message.split("\n"));
    return error.exitCode;
  }
}
