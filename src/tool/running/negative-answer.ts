import type { CommandAnalyzer, SimpleCommand } from '../../domain/tool/command-analysis.js';

/** Programs that end with 1 to say “nothing found”, “different” or “false”, and with another code when something went wrong (POSIX; the manuals of GNU grep, diffutils, ripgrep and procps). */
const ANSWERING: ReadonlySet<string> = new Set(['grep', 'egrep', 'fgrep', 'zgrep', 'rg', 'ag', 'diff', 'cmp', 'test', '[', 'pgrep']);

/** An ended command. */
export interface EndedCommand {
  readonly command: string;
  /** Absolute path of the folder it ran in. */
  readonly cwd: string;
  readonly exitCode: number | undefined;
}

/**
 * Whether the exit code of a command line is an answer rather than a failure: 1, from a program that says no so, which is
 * the only command of the line or the last of its only pipeline. What cannot be told is a failure.
 */
export function isNegativeAnswer({ command, cwd, exitCode }: EndedCommand, analyzer: CommandAnalyzer): boolean {
  if (exitCode !== 1) return false;
  const { commands, unreadable } = analyzer.analyze(command, { cwd, home: cwd });
  const last = commands.at(-1);
  if (last === undefined || unreadable !== undefined || last.background === true || !isAnswering(last)) return false;
  const piped = pipedInto(last);
  return commands.every((other) => other === last || piped.has(other));
}

function isAnswering({ words }: SimpleCommand): boolean {
  const [program = '', ...rest] = words;
  const name = program.slice(program.lastIndexOf('/') + 1);
  if (name !== 'git') return ANSWERING.has(name);
  const [verb] = rest;
  return verb === 'grep' || (verb === 'diff' && rest.some((word) => word === '--quiet' || word === '--exit-code' || word === '--no-index'));
}

/** The commands before one in its pipeline. */
function pipedInto(command: SimpleCommand): ReadonlySet<SimpleCommand> {
  const found = new Set<SimpleCommand>();
  const open = [...(command.input ?? [])];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (found.has(next)) continue;
    found.add(next);
    open.push(...(next.input ?? []));
  }
  return found;
}
