import type { FileUse, SimpleCommand } from '../../domain/tool/command-analysis.js';
import { isSecret } from '../files/sensitive-paths.js';
import { type Bases, namesBelow, pathInFolder } from '../rules/path-pattern.js';
import { absolutePaths } from '../shell/folders.js';
import { type OptionTable, type ParsedOptions, type RiskyOptions, hasRiskyOption, parseOptions } from '../shell/commands/options.js';
import { subcommandAt } from '../shell/git/subcommand.js';
import { type Word, baseName } from '../shell/words/word.js';

/** Where a command line runs. */
export interface Place {
  readonly bases: Bases;
  /** Whether a path that was looked up leads out of the workspace. */
  readonly outside: ReadonlyMap<string, boolean>;
  /** Cached facts about paths, as many parts can use the same files. */
  readonly known: Map<string, Known>;
}

/** Facts about a path. */
interface Known {
  readonly outside: boolean;
  readonly secret: boolean;
  /** Relative to its workspace folder, or absolute when it lies in none. */
  readonly name: string;
}

/** Folders for what is thrown away, as everybody may write there. */
export const TEMPORARY: readonly string[] = ['/tmp', '/var/tmp', '/private/tmp', '/private/var/tmp', '/var/folders', '/private/var/folders', '/dev/shm'];
/** No option. */
const NONE = /(?!)/;
const PYTHON = /^(?:python[\d.]*|pypy[\d.]*)$/;

/** Programs that run one out of a package. */
const RUNNERS: ReadonlySet<string> = new Set(['npx', 'pnpx', 'bunx', 'uvx']);
/** Subcommands that run a program out of a package or an environment. */
const RUNNER_VERBS: Readonly<Record<string, RegExp>> = {
  npm: /^(?:exec|x)$/,
  pnpm: /^(?:exec|dlx)$/,
  yarn: /^(?:exec|dlx|run)$/,
  bun: /^x$/,
  uv: /^run$/,
  poetry: /^run$/,
  pipenv: /^run$/,
  pdm: /^run$/,
  bundle: /^exec$/,
  pipx: /^run$/,
};
/** Those that run one in a container, whose name comes first. */
const CONTAINERS: ReadonlySet<string> = new Set(['docker', 'podman', 'nerdctl', 'docker-compose', 'kubectl']);

/** One command of a line, made ready for the rules. */
export class Part {
  /** The name of the program in lower case, without its folder; empty where it is known only at run time. `python -m pip` is `pip`. */
  readonly name: string;
  /** Its arguments; empty for those known only at run time. */
  readonly texts: readonly string[];
  private readonly words: readonly Word[];

  constructor(
    readonly command: SimpleCommand,
    private readonly place: Place,
  ) {
    const program = baseName(command.words[0] ?? '')
      .toLowerCase()
      .replace(/\.exe$/, '');
    const isModule = PYTHON.test(program) && command.words[1] === '-m' && command.words[2] !== undefined;
    this.name = isModule ? (command.words[2] ?? '') : program;
    this.words = command.words.slice(isModule ? 3 : 1).map(wordOf);
    this.texts = this.words.map(({ text = '' }) => text);
  }

  /** Its arguments before `--`, which can be options. */
  get options(): readonly string[] {
    const end = this.texts.indexOf('--');
    return end < 0 ? this.texts : this.texts.slice(0, end);
  }

  /** The arguments that are no options. What follows an option counts, unless the option is known to take it. */
  operands(valued = NONE): readonly string[] {
    return this.texts.filter((text, index) => text !== '' && !text.startsWith('-') && !valued.test(this.texts[index - 1] ?? ''));
  }

  /** Whether it is given one of some options, in any spelling that the program takes. */
  has(options: RiskyOptions): boolean {
    return hasRiskyOption(this.words.slice(0, this.options.length), options);
  }

  /** Its options and operands by a table; `undefined` when it has others. */
  parse(table: OptionTable): ParsedOptions | undefined {
    return parseOptions(this.words, table);
  }

  /** For Git: its subcommand, and the arguments of that. */
  get git(): { readonly verb: string; readonly rest: Part } | undefined {
    if (this.name !== 'git') return undefined;
    const at = subcommandAt(this.words);
    const words = this.command.words.slice(at + 1);
    return at < 0 ? undefined : { verb: words[0] ?? '', rest: new Part({ ...this.command, words }, this.place) };
  }

  /** The program that it runs out of a package or an environment: `npx prettier`, `uv run pytest`. */
  get packaged(): Part | undefined {
    const start = this.packagedAt();
    const words = this.command.words.slice(this.command.words.length - this.texts.length + start);
    return start < 0 || words.length === 0 ? undefined : new Part({ ...this.command, words }, this.place);
  }

  /** Where among its arguments the name of the program is that it runs; -1 when it runs none. */
  private packagedAt(): number {
    const operandFrom = (from: number): number => this.texts.findIndex((text, index) => index >= from && text !== '' && !text.startsWith('-'));
    const first = operandFrom(0);
    if (RUNNERS.has(this.name)) return first;
    const verb = this.texts[first] ?? '';
    if (Object.hasOwn(RUNNER_VERBS, this.name)) return RUNNER_VERBS[this.name]?.test(verb) === true ? operandFrom(first + 1) : -1;
    const exec = this.texts.indexOf('exec');
    return CONTAINERS.has(this.name) && exec >= 0 ? operandFrom(operandFrom(exec + 1) + 1) : -1;
  }

  /** The files that it is known to write. */
  get written(): readonly FileUse[] {
    return (this.command.files ?? []).filter(({ kind, by }) => kind === 'write' && by !== 'word');
  }

  /** The absolute paths that an argument may mean. */
  pathsOf(text: string): readonly string[] {
    return absolutePaths(text, this.command.folders);
  }

  /** Whether a path leads out of the workspace, and not to a folder for what is thrown away. */
  isOutside(path: string): boolean {
    return this.lookUp(path).outside;
  }

  /** Whether a path is that of a workspace folder, or of one that contains it. */
  holdsWorkspace(path: string): boolean {
    return this.place.bases.folders.flat().some((folder) => namesBelow(path, folder) !== undefined);
  }

  /** A path as it is compared with names that matter. */
  nameIn(path: string): string {
    return this.lookUp(path).name;
  }

  /** Whether a file commonly contains passwords or keys. */
  isSecret(path: string): boolean {
    return this.lookUp(path).secret;
  }

  private lookUp(path: string): Known {
    const { bases, outside, known } = this.place;
    const before = known.get(path);
    if (before !== undefined) return before;
    const name = pathInFolder(path, bases);
    const isTemporary = TEMPORARY.some((folder) => (namesBelow(folder, path) ?? []).length > 0);
    const isOutside = outside.get(path) ?? !bases.folders.flat().some((folder) => namesBelow(folder, path) !== undefined);
    const found = { name, secret: isSecret(name), outside: isOutside && !isTemporary };
    known.set(path, found);
    return found;
  }
}

function wordOf(text: string | undefined): Word {
  return { start: 0, end: 0, text, beginning: text ?? '', risk: text === undefined ? 'plain' : 'none', glob: -1 };
}
