import type { Random } from './random.js';

/** Words that stand for files of the place in which lines run, for new ones, and for what options take. */
const OPERANDS = ['a.txt', 'b.txt', 'sub/c.txt', 'key.txt', 'sub', '.', 'new.txt', '-', '@list', 'a.txt', 'b.txt'];
const VALUES = ['3', '1', '1,2', 'x', 'a', ':', 'a.txt', 'key.txt', 'new.txt', 'list', 'sh', '0', '+1', 'json', '%p', './run.sh', '{}'];
/** What runs behind a program that runs others: one of these, which read, print or write. */
const INNER = [
  'cat',
  'cat a.txt',
  'echo x',
  'touch new.txt',
  'sh run.sh',
  './run.sh',
  'echo find . -maxdepth 0 -exec touch new.txt ;',
  'wc -c',
  'basename a.txt',
  'tee new.txt',
];
const SCRIPTS: Readonly<Record<string, readonly string[]>> = {
  sed: [
    'p',
    's/a/b/',
    '1d',
    'w new.txt',
    's/a/b/w new.txt',
    '1,2p',
    '$!d',
    'r key.txt',
    'e touch new.txt',
    '/a/,/b/p',
    'y/a/b/',
    'F',
    '=',
    'R key.txt',
    'W new.txt',
    's/x/y/e',
  ],
  awk: [
    '{print}',
    'NR>1',
    '{print > "new.txt"}',
    'BEGIN{getline < "key.txt"; print}',
    '{system("touch new.txt")}',
    '{print | "tee new.txt"}',
    '/a/',
    '{print $1}',
    'END{print NR}',
    'BEGIN{while((getline l < "key.txt")>0) print l}',
    '1',
    '{printf "%s\\n", $1}',
  ],
  jq: ['.', '.a', 'keys', 'input', 'env', '$ENV', 'inputs', 'input_filename', '$__prog_args'],
  find: [
    '. -name a.txt',
    '. -type f',
    '. -exec touch new.txt ;',
    '. -delete',
    '. -fprint new.txt',
    '. -newer key.txt',
    '. -maxdepth 1 -print',
    '. -fls new.txt',
    '-files0-from list',
    '. -printf %p',
    '. -execdir ./run.sh ;',
    '. -ok touch new.txt ;',
    '. -samefile a.txt',
    '. -exec cat {} +',
  ],
  git: [
    'status',
    'log',
    'diff',
    'show',
    'branch',
    'ls-files',
    'grep a',
    'blame a.txt',
    'cat-file',
    'rev-parse',
    'describe',
    'shortlog',
    'reflog',
    'tag',
    'remote',
    'stash list',
    'config',
    'diff --no-index',
    'rev-list HEAD',
    'ls-tree HEAD',
    'for-each-ref',
    'worktree list',
    'show-ref',
    'name-rev HEAD',
    'archive HEAD',
    'format-patch',
    'bundle',
    'notes',
    'check-ignore a.txt',
    'count-objects',
    'symbolic-ref HEAD',
  ],
};
const LETTERS = Array.from('abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123');
const PATTERN_FIRST: ReadonlySet<string> = new Set(['grep', 'egrep', 'fgrep', 'rg', 'ag', 'look', 'zgrep']);

/** A program and what it is known to be given. */
export interface Subject {
  readonly program: string;
  /** Whether it runs another one. */
  readonly runs: boolean;
  /** Its long options, without dashes, as it tells them. */
  readonly long: readonly string[];
}

/** A line that runs a program with options, values and files in any order, as a person who looks for a hole would write it. */
export function lineOf({ program, runs, long }: Subject, random: Random): string {
  const options = Array.from({ length: random.below(4) }, () => optionOf(program, long, random));
  const scripts = SCRIPTS[/awk$/.test(program) ? 'awk' : program];
  const script = scripts === undefined ? [] : [random.of(scripts)];
  const front = PATTERN_FIRST.has(program) ? ['a'] : script.map((text) => (program === 'find' || program === 'git' ? words(text) : quoted(text)));
  const operands = Array.from({ length: random.below(runs ? 2 : 4) }, () => random.of(OPERANDS));
  if (runs) return [program, ...options, ...(random.chance(0.2) ? operands : []), words(random.of(INNER))].join(' ');
  // Options of git stand behind its command as often as before it.
  const parts = random.chance(program === 'find' || program === 'git' ? 0.15 : 0.7) ? [...options, ...front, ...operands] : [...front, ...options, ...operands];
  return [program, ...(random.chance(0.2) ? shuffled(parts, random) : parts)].join(' ');
}

function optionOf(program: string, long: readonly string[], random: Random): string {
  const value = random.of(random.chance(0.5) ? VALUES : OPERANDS);
  if (long.length > 0 && random.chance(0.55)) {
    const name = random.of(long);
    // GNU programs take any beginning of a name that is the only one of its kind.
    const said = random.chance(0.2) && name.length > 3 ? name.slice(0, 3 + random.below(name.length - 3)) : name;
    const dashes = program === 'find' || random.chance(0.05) ? '-' : '--';
    return `${dashes}${said}${random.of(['', '', '=', ' '])}`.replace(/[= ]$/, (end) => end + value);
  }
  const letter = (): string => random.of(LETTERS);
  const cluster = Array.from({ length: random.chance(0.6) ? 1 : 1 + random.below(3) }, letter).join('');
  return `-${cluster}${random.of(['', '', value, ` ${value}`])}`;
}

/** A command as words, with what the shell would take for its own kept from it. */
function words(text: string): string {
  return text
    .split(' ')
    .map((word) => (/^[\w./%-]+$/.test(word) ? word : quoted(word)))
    .join(' ');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

function shuffled<T>(items: readonly T[], random: Random): readonly T[] {
  const rest = [...items];
  return Array.from({ length: rest.length }, () => rest.splice(random.below(rest.length), 1)).flat();
}
