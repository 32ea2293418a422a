import { DOUBT } from '../doubts.js';
import { type OptionTable, type ParsedOptions, parseOptions } from '../commands/options.js';
import { find, showsFound } from '../readers/find.js';
import { type Word, literal } from '../words/word.js';
import { type Wrapped, type Wrapper, guesses } from './wrapped.js';

/** Programs that run another one in ways that are not looked into. */
const RUNNERS = [
  ...['chroot', 'unshare', 'nsenter', 'setarch', 'linux32', 'linux64', 'taskset', 'chrt', 'numactl', 'prlimit', 'catchsegv'],
  ...['strace', 'ltrace', 'valgrind', 'gdb', 'lldb', 'perf', 'flock', 'parallel', 'systemd-run', 'systemd-inhibit', 'fakeroot'],
  ...['faketime', 'caffeinate', 'xvfb-run', 'dbus-run-session', 'unbuffer', 'rlwrap', 'entr', 'torsocks', 'proxychains', 'proxychains4'],
  ...['busybox', 'toybox', 'coproc', 'noglob', 'nocorrect', 'repeat', 'pkexec', 'gosu', 'runcon', 'softlimit'],
];

const runner: Wrapper = (words) => (words.length === 1 ? undefined : { self: [DOUBT.runner], doubts: [DOUBT.runner], inner: guesses(words), scripts: [] });

const PRIVILEGED: Readonly<Record<string, OptionTable>> = {
  sudo: { letters: 'AbEeHiKklnPsSvV', valued: 'CDghpRrTtUu', long: 'user= group= non-interactive stdin login shell preserve-env? background chdir=' },
  doas: { letters: 'Lns', valued: 'Cu' },
};

/** Programs that run another one with other rights. They are never looked through. */
function privileged(table: OptionTable): Wrapper {
  return (words) => {
    const operands = parseOptions(words.slice(1), { ...table, stop: true })?.operands;
    const first = operands?.findIndex(({ text = '' }) => !/^\w+=/.test(text)) ?? -1;
    const inner = operands === undefined ? guesses(words) : first < 0 ? [] : [operands.slice(first)];
    return { self: [DOUBT.privileges], doubts: [DOUBT.privileges], inner, scripts: [] };
  };
}

/** Programs that do no harm, whatever file names or texts they are given. */
const HARMLESS_WITH_INPUT: ReadonlySet<string> = new Set(['echo', 'wc', 'basename', 'dirname', 'true']);

const XARGS: OptionTable = {
  letters: '0rtx',
  valued: 'InLPdsE',
  // Two have their optional value in the same word: the next word is the program.
  long: 'null no-run-if-empty max-args= max-procs= max-lines? max-chars= replace? delimiter= verbose exit',
  stop: true,
};

/** `xargs`: its command gets unknown arguments from the input. */
const xargs: Wrapper = (words) => {
  const parsed = parseOptions(words.slice(1), XARGS);
  if (parsed === undefined) return { self: [DOUBT.runner], doubts: [DOUBT.input], inner: guesses(words), scripts: [] };
  if (parsed.operands.length === 0) return undefined;
  const program = literal(parsed.operands[0]) ?? '';
  const harmless = HARMLESS_WITH_INPUT.has(program);
  const unknown = isNamedByInput(program, parsed);
  return {
    ...(unknown ? { self: [DOUBT.dynamicName], unknown } : {}),
    doubts: harmless ? [] : [DOUBT.input],
    inner: [parsed.operands],
    scripts: [],
    ...showsInput(parsed),
  };
};

/** Whether the program only shows its input files: the names follow all other arguments. */
function showsInput({ operands: [program, ...args], options }: ParsedOptions): Pick<Wrapped, 'shows'> {
  const plain = options.every(({ name }) => ['0', 'null', 'r', 'no-run-if-empty', 'n', 'max-args', 'P', 'max-procs'].includes(name));
  if (!plain || program === undefined || !showsFound(program, args)) return {};
  return { shows: { split: !options.some(({ name }) => name === '0' || name === 'null') } };
}

/** Whether the input is put into the name of the program, which can then be any. */
function isNamedByInput(program: string, { options }: ParsedOptions): boolean {
  const marks = options.flatMap(({ name, value }) => (name === 'I' || name === 'replace' ? [typeof value === 'object' ? value.text : value] : []));
  return ['{}', ...marks].some((mark) => mark !== undefined && mark !== '' && program.includes(mark));
}

/** Programs with an option behind which a command stands. */
const FINDERS: Readonly<Record<string, RegExp>> = {
  find: /^-(?:exec|execdir|ok|okdir)$/,
  fd: /^(?:-[xX]|--exec|--exec-batch)$/,
  fdfind: /^(?:-[xX]|--exec|--exec-batch)$/,
};

function finder(option: RegExp): Wrapper {
  return (words) => {
    const inner = words.flatMap(({ text }, index) => (option.test(text ?? '') ? [upToEnd(words.slice(index + 1))] : []));
    const commands = inner.filter(({ length }) => length > 0);
    if (commands.length > 0 && literal(words[0]) === 'find' && find(words.slice(1)) !== undefined)
      return { self: [], doubts: [], inner: commands, scripts: [] };
    return commands.length === 0 ? undefined : { self: [DOUBT.option], doubts: [DOUBT.input], inner: commands, scripts: [] };
  };
}

function upToEnd(words: readonly Word[]): readonly Word[] {
  const end = words.findIndex(({ text }) => text === ';' || text === '+');
  return end < 0 ? words : words.slice(0, end);
}

/** Wrappers that run programs with more power, or on what is not known, by name. */
export const RUNNER_WRAPPERS: ReadonlyMap<string, Wrapper> = new Map([
  ...RUNNERS.map((name) => [name, runner] as const),
  ...Object.entries(PRIVILEGED).map(([name, table]) => [name, privileged(table)] as const),
  ...Object.entries(FINDERS).map(([name, option]) => [name, finder(option)] as const),
  ['xargs', xargs],
]);
