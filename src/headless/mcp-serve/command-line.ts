import { present } from '../../domain/present.js';
import { type Flag, FLAGS, flagLines } from '../flag-table.js';
import { optionsOf, type RunOptions } from '../flags.js';
import { Given, Refused } from '../given.js';

/** What stands behind `gnomon mcp`. */
export type McpLine =
  | {
      readonly kind: 'serve';
      readonly options: RunOptions;
      /** The folder to work in, as it was written; absent: the current one. */
      readonly cwd?: string;
    }
  | { readonly kind: 'help' }
  /** It cannot be followed; `why` is a sentence for the user. */
  | { readonly kind: 'refused'; readonly why: string };

/** Flags of a run that mean something without a model, and mean the same. */
const OF_RUNS: ReadonlySet<string> = new Set([
  'permission-mode',
  'allowedTools',
  'disallowedTools',
  'tools',
  'add-dir',
  'no-session-persistence',
  'session-storage',
  'settings',
  'setting-sources',
  'trust-project',
  'dangerously-skip-permissions',
  'help',
]);

const SERVE_FLAGS: readonly Flag[] = [
  { name: 'cwd', value: 'PATH', help: 'The folder to work in (default: the one that it is started in)' },
  ...FLAGS.filter(({ name }) => OF_RUNS.has(name)),
];

/** Reads what stands behind `gnomon mcp`. */
export function readMcpLine(args: readonly string[]): McpLine {
  const [command, ...flags] = args;
  if (command === '--help' || command === '-h') return { kind: 'help' };
  if (command !== 'serve') {
    const why = command === undefined ? 'gnomon mcp needs a command.' : `There is no command “${command}” of gnomon mcp.`;
    return { kind: 'refused', why: `${why} There is serve.` };
  }
  try {
    const given = Given.in(flags, {
      flags: SERVE_FLAGS,
      refusal: ' for gnomon mcp serve, so nothing is served: it could be one that restricts what may be done',
    });
    if (given.has('help')) return { kind: 'help' };
    if (given.words.length > 0) throw new Refused(`gnomon mcp serve takes no “${given.words.join(' ')}”.`);
    const cwd = given.one('cwd');
    if (cwd === '') throw new Refused('--cwd needs the path of a folder.');
    return { kind: 'serve', options: optionsOf(given), ...present({ cwd }) };
  } catch (error) {
    if (error instanceof Refused) return { kind: 'refused', why: error.message };
    throw error;
  }
}

/** The help about `gnomon mcp`. */
export function mcpHelp(program: string): string {
  return [
    `Usage: ${program} mcp serve [OPTION …]`,
    '',
    'A server of the Model Context Protocol, over standard input and output: another program uses the',
    'tools of Gnomon, to read, search, and change files, run commands, and fetch web pages. Each call is',
    'decided about as one of a model. What needs a question is asked through the program that calls, if',
    'it can ask its user, and is denied otherwise.',
    '',
    ...flagLines(SERVE_FLAGS),
    '',
    'Exit codes: 0 its input has ended, 1 it failed, 2 the command line is wrong, 130 interrupted,',
    '143 terminated.',
    '',
  ].join('\n');
}
