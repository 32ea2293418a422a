import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { CommandAnalyzer, CommandAnalysis } from '../../../src/domain/tool/command-analysis.js';
import { readerNames } from '../../../src/permission/shell/readers/index.js';
import { wrapperNames } from '../../../src/permission/shell/wrappers/index.js';
import { type Subject, lineOf } from './lines.js';
import type { Random } from './random.js';
import { type Deeds, BUBBLEWRAP, TrialPlace } from './trial-place.js';

const run = promisify(execFile);
/** Programs that read what they like of a repository: what they show of it is asked about by other means. */
const READS_BY_ITSELF: ReadonlySet<string> = new Set(['git']);
/** Parts of git of which the options are asked for. */
const GIT_PARTS = [
  'status',
  'log',
  'diff',
  'show',
  'branch',
  'ls-files',
  'grep',
  'blame',
  'cat-file',
  'rev-parse',
  'describe',
  'shortlog',
  'tag',
  'remote',
  'stash',
  'config',
  'ls-tree',
  'for-each-ref',
  'worktree',
  'show-ref',
];

/** A line that was judged to only read, and what it did beside that. */
export interface Hole {
  readonly line: string;
  readonly deeds: Deeds;
}

/** What came of a search for holes. */
export interface FuzzReport {
  readonly programs: readonly string[];
  readonly missing: readonly string[];
  /** Lines that were made up. */
  readonly made: number;
  /** Those of them that were judged to only read, and were run. */
  readonly ran: number;
  readonly holes: readonly Hole[];
}

/** What a search works with. */
export interface FuzzOptions {
  readonly analyzer: CommandAnalyzer;
  readonly random: Random;
  /** A folder of its own. */
  readonly base: string;
  /** How long it lasts, in milliseconds. */
  readonly forMs: number;
  /** Limits it to these programs. */
  readonly only?: readonly string[];
}

/**
 * Holds what the analysis says of options against what the programs of this machine do: makes up lines, runs those that are judged to
 * only read, and looks for files that changed, or were read without having been named. Needs bubblewrap.
 */
export async function fuzzOptions({ analyzer, random, base, forMs, only }: FuzzOptions): Promise<FuzzReport> {
  const names = [...readerNames(), ...wrapperNames()].filter((name) => only?.includes(name) ?? true);
  const found = await Promise.all(names.map(async (name) => ({ name, subject: await subjectOf(name) })));
  const subjects = found.flatMap(({ subject }) => subject ?? []);
  const lanes = [0, 1].map((lane) => new TrialPlace(`${base}/${lane}`));
  const end = performance.now() + forMs;
  const seen = new Set<string>();
  const holes: Hole[] = [];
  let [made, ran] = [0, 0];
  const next = (place: TrialPlace): string | undefined => {
    while (performance.now() < end) {
      const line = lineOf(random.of(subjects), random);
      made += 1;
      if (!seen.has(line) && onlyReads(analyzer.analyze(line, { cwd: place.folder, home: place.home }))) {
        seen.add(line);
        return line;
      }
    }
    return undefined;
  };
  await Promise.all(
    lanes.map(async (place) => {
      for (let line = next(place); line !== undefined; line = next(place)) {
        const said = line;
        const deeds = await place.run(said);
        ran += 1;
        if (deeds.changed.length > 0 || deeds.read.some((name) => !isNamed(name, said, analyzer, place))) holes.push({ line, deeds });
      }
    }),
  );
  return {
    programs: subjects.map(({ program }) => program),
    missing: found.flatMap(({ name, subject }) => (subject === undefined ? [name] : [])),
    made,
    ran,
    holes,
  };
}

function onlyReads({ commands, files, unreadable }: CommandAnalysis): boolean {
  return unreadable === undefined && commands.every(({ readsOnly, doubts }) => readsOnly && doubts.length === 0) && files.every(({ kind }) => kind === 'read');
}

/** Whether the analysis told of a file, by its name, a folder that it is in, or a pattern. */
function isNamed(name: string, line: string, analyzer: CommandAnalyzer, { folder, home }: TrialPlace): boolean {
  if (READS_BY_ITSELF.has(/^\S+/.exec(line)?.[0] ?? '')) return true;
  const path = `${folder}/${name}`;
  return analyzer.analyze(line, { cwd: folder, home }).files.some((use) => use.path === path || path.startsWith(`${use.path}/`));
}

/** A program with the options that it tells of itself; `undefined` where it is not installed. */
async function subjectOf(program: string): Promise<Subject | undefined> {
  const kind = await output('bash', ['--norc', '-c', 'type -t "$0" || :', program]);
  if (kind.trim() === '') return undefined;
  const asked = program === 'git' ? GIT_PARTS.map((part) => [part, '-h']) : [['--help']];
  const help = kind.trim() === 'file' ? (await Promise.all(asked.map((args) => output(program, args)))).join('\n') : '';
  const pattern = program === 'find' ? /(?<![\w-])-([a-z][a-z-]+)/g : /(?<![\w-])--(?:\[no-\])?([a-zA-Z][\w-]+)/g;
  return {
    program,
    runs: wrapperNames().includes(program) && program !== 'find',
    long: [...new Set([...help.matchAll(pattern)].map(([, name = '']) => name))],
  };
}

async function output(program: string, args: readonly string[]): Promise<string> {
  const options = { timeout: 5_000, cwd: '/', env: { PATH: '/usr/local/bin:/usr/bin:/bin', PAGER: 'cat', TERM: 'dumb' } };
  return run(BUBBLEWRAP, ['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--unshare-all', '--die-with-parent', program, ...args], options).then(
    ({ stdout, stderr }) => stdout + stderr,
    // Some end with a failure after their help.
    (error: unknown) => (error instanceof Error && 'stdout' in error && 'stderr' in error ? `${String(error.stdout)}${String(error.stderr)}` : ''),
  );
}
