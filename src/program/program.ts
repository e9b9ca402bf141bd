/** Defines the commands with `commander`. The code of a command is imported when it runs. */
import { Command, type ErrorOptions } from 'commander';
import { nearest, UsageError, wholeNumber } from './command-line.ts';
import { LANGUAGES, MCP, PDF, PROGRAM, READ, WATCH } from './help.ts';

const MAX_JOBS = 256;
/** Help is at most this wide, and narrower on a narrow terminal. */
const MAX_COLUMNS = 110;

/** `setStatus` receives the exit status of a command. */
export function createProgram(setStatus: (status: number) => void, version: string): Command {
  const program = new StrictCommand('glyphlift')
    .description(PROGRAM.about)
    .usage('COMMAND [options]')
    .helpOption('-h, --help', 'show this help')
    .version(version, '-v, --version', 'print the version')
    .helpCommand('help [COMMAND]', 'show the help of a command')
    .addHelpText('after', PROGRAM.more)
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({ getOutHelpWidth: helpWidth, getErrHelpWidth: helpWidth })
    .configureHelp({ visibleArguments: () => [] });
  addRead(program, setStatus);
  addWatch(program, setStatus);
  addLanguages(program, setStatus);
  addMcp(program, setStatus, version);
  return program;
}

/** A command that throws usage errors instead of exiting. */
class StrictCommand extends Command {
  override createCommand(name?: string): Command {
    return new StrictCommand(name);
  }

  /** @throws {UsageError} */
  override error(message: string, { code = '' }: ErrorOptions = {}): never {
    throw new UsageError(this.#sentence(code, /'([^']*)'/.exec(message)?.[1] ?? '', message));
  }

  #sentence(code: string, typed: string, message: string): string {
    switch (code) {
      case 'commander.unknownOption':
        return this.#unknownOption(typed);
      case 'commander.unknownCommand':
        return this.#unknownCommand(this.args[0] ?? typed);
      case 'commander.optionMissingArgument':
        return `${/--[\w-]+/.exec(typed)?.[0] ?? typed} needs a value.`;
      case 'commander.missingArgument':
        return `${typed} is missing.`;
      case 'commander.excessArguments':
        return `This does not say what to do: ${this.args.join(' ')}`;
      default:
        return message.replace(/^error: /, '');
    }
  }

  #unknownOption(typed: string): string {
    const [name = ''] = typed.replace(/^--?/, '').split('=');
    const known = ['help', ...this.options.flatMap(({ long }) => long?.slice(2) ?? [])];
    if (known.includes(name)) return `--${name} takes no value.`;
    const close = nearest(name, known);
    return `There is no option ${typed}.${close ? ` Did you mean --${close}?` : ''}`;
  }

  #unknownCommand(typed: string): string {
    const names = this.commands.map((command) => command.name());
    const close = nearest(typed, names);
    const known = close ? `Did you mean ${this.name()} ${close}?` : `There are ${names.join(', ')}.`;
    return `There is no command ${typed}. ${known}`;
  }
}

function addRead(program: Command, setStatus: (status: number) => void): void {
  withPdfOptions(
    program
      .command('read')
      .summary(READ.summary)
      .description(READ.about)
      .usage('[options] FILE|FOLDER|-…')
      .argument('[files...]')
      .option('-f, --format <FORMATS>', READ.options.format, repeated)
      .option('-o, --out <FOLDER>', READ.options.out)
      .option('-l, --languages <CODES>', READ.options.languages, repeated)
      .option('-j, --jobs <N>', READ.options.jobs, jobs)
      .option('-p, --pages <PAGES>', READ.options.pages)
      .option('--min-confidence <N>', READ.options.minConfidence, (typed) =>
        wholeNumber('min-confidence', typed, 0, 100),
      )
      .option('--force', READ.options.force),
  )
    .addHelpText('after', READ.more)
    .action(async (files, options) =>
      setStatus(await (await import('./read.ts')).readCommand(files, options)),
    );
}

function addWatch(program: Command, setStatus: (status: number) => void): void {
  withPdfOptions(
    program
      .command('watch')
      .summary(WATCH.summary)
      .description(WATCH.about)
      .usage('[options] IN OUT')
      .argument('[folders...]')
      .option('-f, --format <FORMATS>', WATCH.options.format, repeated)
      .option('-l, --languages <CODES>', WATCH.options.languages, repeated)
      .option('-j, --jobs <N>', READ.options.jobs, jobs)
      .option('--once', WATCH.options.once)
      .option('--settle <SECONDS>', WATCH.options.settle, (typed) => wholeNumber('settle', typed, 0, 3_600)),
  )
    .addHelpText('after', WATCH.more)
    .action(async (folders, options) =>
      setStatus(await (await import('./watch.ts')).watchCommand(folders, options)),
    );
}

function addLanguages(program: Command, setStatus: (status: number) => void): void {
  const load = () => import('./languages.ts');
  const languages = program
    .command('languages')
    .summary(LANGUAGES.summary)
    .description(LANGUAGES.about)
    .usage('[COMMAND] [options]')
    .helpCommand(false)
    .addHelpText('after', LANGUAGES.more);
  languages
    .command('list', { isDefault: true })
    .description('installed languages')
    .option('--known', 'all known codes, and which are pinned')
    .action(async (options) => setStatus(await (await load()).listLanguages(options)));
  languages
    .command('add')
    .description('download, verify and install, such as: add deu fra chi_sim')
    .argument('<CODE...>')
    .action(async (codes) => setStatus(await (await load()).addLanguages(codes)));
  languages
    .command('remove')
    .description('remove added languages')
    .argument('<CODE...>')
    .action(async (codes) => setStatus(await (await load()).removeLanguages(codes)));
}

function addMcp(program: Command, setStatus: (status: number) => void, version: string): void {
  program
    .command('mcp')
    .summary(MCP.summary)
    .description(MCP.about)
    .usage('[options] [FOLDER…]')
    .argument('[folders...]')
    .option('-l, --languages <CODES>', READ.options.languages, repeated)
    .option('-j, --jobs <N>', READ.options.jobs, jobs)
    .addHelpText('after', MCP.more)
    .action(async (folders, options) =>
      setStatus(await (await import('./mcp.ts')).mcpCommand(folders, options, version)),
    );
}

const helpWidth = () => Math.min(process.stdout.columns ?? MAX_COLUMNS, MAX_COLUMNS);
const repeated = (typed: string, before: string[] = []) => [...before, typed];
const jobs = (typed: string) => wholeNumber('jobs', typed, 1, MAX_JOBS);
/** A command with the options of searchable PDFs. */
const withPdfOptions = (command: Command): Command =>
  command
    .option('--pages-with-text <WHAT>', PDF.pagesWithText, (typed) => {
      if (['skip', 'redo', 'force'].includes(typed)) return typed;
      throw new UsageError(`--pages-with-text takes skip, redo or force, and not “${typed}”.`);
    })
    .option('--rotate-pages', PDF.rotatePages)
    .option('--deskew', PDF.deskew)
    .option('--pdfa', PDF.pdfa);
