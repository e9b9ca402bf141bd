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

function parserOf(take: (invocation: Invocation) => void): Command {
  const leaves: Command[] = [];
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
      visibleCommands: (of) => (of.parent ? of.commands : leaves) as Command[],
      subcommandTerm: (leaf) => `${leaf.parent?.name()} ${leaf.name()} ${leaf.usage()}`,
    });
  for (const command of COMMANDS) {
    const [area = '', verb = '', ...words] = command.usage.split(' ');
    const parent =
      program.commands.find((each) => each.name() === area) ?? program.command(area).helpCommand(false);
    const leaf = parent.command([verb, ...words].join(' ')).description(command.help);
    if (command.destructive) leaf.option('--yes', 'it is meant: this cannot be undone');
    for (const [flags, means] of command.options ?? []) leaf.option(flags, means);
    leaf.option('--json', 'answer in JSON, for scripts');
    leaf.usage(
      [...words, command.destructive ? '--yes' : '', command.options ? '[options]' : '']
        .filter(Boolean)
        .join(' '),
    );
    leaf.action(() => take({ command, words: leaf.args, options: leaf.opts() }));
    leaves.push(leaf);
  }
  return program;
}

/** @returns undefined if help was requested and printed. @throws {CommandLineError} */
export function parseCommandLine(typed: readonly string[]): Invocation | undefined {
  let invocation: Invocation | undefined;
  const parser = parserOf((taken) => {
    invocation = taken;
  });
  try {
    parser.parse(typed.length === 0 ? ['--help'] : typed, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode !== 0)
      throw new CommandLineError(`"${typed.join(' ')}" is not a command; --help lists them`);
  }
  if (invocation?.command.destructive && !invocation.options.yes)
    throw new CommandLineError(`this cannot be undone; add --yes: ${invocation.command.usage}`);
  return invocation;
}
