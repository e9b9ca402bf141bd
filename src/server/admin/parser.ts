/** The `commander` program: a command per area, with a subcommand per verb. */
import { Command, CommanderError, type ErrorOptions } from 'commander';
import { COMMANDS, CommandLineError, type Invocation } from './commands.ts';

/** A command that throws `CommandLineError` instead of ending the process. */
class ThrowingCommand extends Command {
  override createCommand(name?: string): Command {
    return new ThrowingCommand(name);
  }

  override error(message: string, _: ErrorOptions = {}): never {
    throw new CommandLineError(message.replace(/^error: /, ''));
  }
}

function parserOf(onCommand: (invocation: Invocation) => void): Command {
  const leafCommands: Command[] = [];
  const program = new ThrowingCommand('npm run admin --')
    .usage('COMMAND [options]')
    .description(
      'PERSON is a username, an address or an id. “npm run --silent admin -- …” keeps npm’s own lines out of an answer.',
    )
    .addHelpText(
      'after',
      `
It works on the database of DATABASE_URL or DATA_DIR, with the server running or not.
Exit status: 0 done, 1 could not be done, 2 not understood.`,
    )
    .exitOverride()
    .configureHelp({
      visibleCommands: (of) => (of.parent ? of.commands : leafCommands) as Command[],
      subcommandTerm: (leaf) => `${leaf.parent?.name()} ${leaf.name()} ${leaf.usage()}`,
    });
  for (const command of COMMANDS) {
    const [area = '', verb = '', ...args] = command.usage.split(' ');
    const parent =
      program.commands.find((each) => each.name() === area) ?? program.command(area).helpCommand(false);
    const leaf = parent.command([verb, ...args].join(' ')).description(command.help);
    if (command.destructive) leaf.option('--yes', 'confirm: this cannot be undone');
    for (const [flags, description] of command.options ?? []) leaf.option(flags, description);
    leaf.option('--json', 'answer in JSON, for scripts');
    leaf.usage(
      [...args, command.destructive ? '--yes' : '', command.options ? '[options]' : '']
        .filter(Boolean)
        .join(' '),
    );
    leaf.action(() => onCommand({ command, args: leaf.args, options: leaf.opts() }));
    leafCommands.push(leaf);
  }
  return program;
}

/** @returns undefined if help was requested and printed. @throws {CommandLineError} */
export function parseCommandLine(args: readonly string[]): Invocation | undefined {
  let invocation: Invocation | undefined;
  const parser = parserOf((taken) => {
    invocation = taken;
  });
  try {
    parser.parse(args.length === 0 ? ['--help'] : args, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode !== 0)
      throw new CommandLineError(`"${args.join(' ')}" is not a command; --help lists them`);
  }
  if (invocation?.command.destructive && !invocation.options.yes)
    throw new CommandLineError(`this cannot be undone; add --yes: ${invocation.command.usage}`);
  return invocation;
}
