import { parseOptions } from '../commands/options.js';
import { type Word, literal } from '../words/word.js';
import { isSecretVariable } from '../words/expansions.js';
import type { Reader, ReaderSpec } from './reader.js';

/** `echo` prints any arguments. */
export const printing: Reader = () => [];

/**
 * A format whose conversions only print: `%n` would set a variable, whose name can run commands. No text fits in two
 * ways, or a short one could keep it trying for hours: a zero is a flag, and a width begins with another digit.
 */
const FORMAT = /^(?:[^%]|%%|%[-+ #0]*(?:[1-9]\d*)?(?:\.\d+)?[diouxXeEfFgGcsbq])*$/;

/** `printf`, but not `-v`, which sets a variable. */
export const printf: Reader = (words) => {
  const format = literal(words[literal(words[0]) === '--' ? 1 : 0]);
  return format === undefined || format.startsWith('-') || !FORMAT.test(format) ? undefined : [];
};

const FILE_TEST = /^-[bcdefghkLOGNprSsuwx]$/;
const TEST_OPERATOR = /^(?:-(?:[nzt]|eq|ne|lt|le|gt|ge|nt|ot|ef)|=|==|!=|!|<|>)$/;

/** `test` and `[`. Not `-v` and `-R`, whose names of variables are computed, nor operators known only at run time. */
export const test: Reader = (words) => {
  const texts = words.map(literal);
  if (texts.some((text) => text === undefined || (/^-[^\d]/.test(text) && !FILE_TEST.test(text) && !TEST_OPERATOR.test(text) && !/^-[ao]$/.test(text)))) {
    return undefined;
  }
  return texts.flatMap((text, index) => {
    const operand = FILE_TEST.test(text ?? '') ? [words[index + 1]] : /^-(?:nt|ot|ef)$/.test(text ?? '') ? [words[index - 1], words[index + 1]] : [];
    return operand.filter((word): word is Word => word !== undefined);
  });
};

/** `[` must end with its counterpart. */
export const bracket: Reader = (words) => (literal(words.at(-1)) === ']' ? test(words.slice(0, -1)) : undefined);

/** `date` prints; an operand that is no format would set the clock. */
export const date: Reader = (words) => {
  const parsed = parseOptions(words, { letters: 'uR', valued: 'd', maybe: 'I', long: 'utc universal date= iso-8601? rfc-3339= rfc-email' });
  return parsed?.operands.every((word) => literal(word)?.startsWith('+') === true) === true ? [] : undefined;
};

/** Parts of a jq filter that reach beyond its input: the environment, and other files. */
const JQ_REACHES = /\benv\b|\$ENV\b|\b(?:import|include|modulemeta|get_search_list)\b/;

/** `jq` without the options that read other files. */
export const jq: Reader = (words) => {
  const long = 'raw-output compact-output slurp null-input sort-keys tab join-output ascii-output color-output monochrome-output exit-status raw-input indent=';
  const parsed = parseOptions(withoutArguments(words), { letters: 'acCejMnrRsS', long });
  const [filter, ...files] = parsed?.operands ?? [];
  const text = literal(filter);
  return text === undefined || JQ_REACHES.test(text) ? undefined : files;
};

/** Without `--arg name value` and `--argjson name value`, which only set variables of the filter. */
function withoutArguments(words: readonly Word[]): readonly Word[] {
  const at = words.findIndex((word) => /^--arg(?:json)?$/.test(literal(word) ?? ''));
  if (at < 0 || words.slice(at, at + 3).some((word) => word.text === undefined)) return words;
  return withoutArguments([...words.slice(0, at), ...words.slice(at + 3)]);
}

/** `printenv` of variables that by their name contain no password or key. */
export const printenv: Reader = (words) =>
  words.length > 0 && words.every((word) => /^[A-Z_]+$/.test(literal(word) ?? '') && !isSecretVariable(literal(word) ?? '')) ? [] : undefined;

/** `man` shows a page of the manual by its name. */
export const man: Reader = (words) =>
  words.length > 0 && words.length < 3 && words.every((word) => /^\w[\w.+-]*$/.test(literal(word) ?? '')) ? [] : undefined;

/** `expr` only computes and prints. */
export const expr: Reader = (words) => (words.every((word) => literal(word) !== undefined) ? [] : undefined);

/**
 * Programs that print their version without looking at the folder they run in. Not `cargo`, `rustc`, `yarn` and `pnpm`: files of the folder can choose another
 * program in their place, or have it fetched.
 */
const VERSION_PROGRAMS = [
  'node',
  'npm',
  'python',
  'python3',
  'pip',
  'pip3',
  'git',
  'gcc',
  'g++',
  'clang',
  'make',
  'cmake',
  'ruby',
  'perl',
  'php',
  'bash',
  'rg',
  'jq',
  'docker',
  'tar',
  'java',
  'tsc',
  'go',
];
/** Those of them for which a lone `-v` means that. */
const SHORT_VERSION: ReadonlySet<string> = new Set(['node', 'npm', 'perl', 'php']);

function version(name: string): Reader {
  const options = name === 'go' ? ['version'] : SHORT_VERSION.has(name) ? ['--version', '-v'] : ['--version'];
  return (words) => (words.length === 1 && options.includes(literal(words[0]) ?? '') ? [] : undefined);
}

/** The readers of versions, by name. */
export const VERSION_READERS: readonly (readonly [string, Reader])[] = VERSION_PROGRAMS.map((name) => [name, version(name)]);

/** Names of variables that no program heeds. */
export const HARMLESS_NAME = /^(?:_|[a-z][a-z0-9]{0,15})$/;

/** `read` puts lines of its input into variables. */
export const read: Reader = (words) => {
  const parsed = parseOptions(words, { letters: 'r' });
  return parsed?.operands.every((word) => HARMLESS_NAME.test(literal(word) ?? '')) === true && parsed.operands.length > 0 ? [] : undefined;
};

/** `npm` where it lists the packages of a folder, or its scripts: it runs none of them then. */
export const npm: Reader = (words) => {
  const [command, ...rest] = words;
  const name = literal(command);
  if (name === 'run' && rest.length === 0) return ['package.json'];
  if (name !== 'ls' && name !== 'list') return undefined;
  const parsed = parseOptions(rest, { letters: 'alg', long: 'depth= all json long parseable global' });
  return parsed === undefined ? undefined : ['package.json'];
};

/** Any arguments at all: the program prints them, or does nothing. */
const NOTHING: ReaderSpec = { operands: 'none' };

/** Programs that print facts about the system, and parts of the shell that do nothing to it. None of them reaches the network. */
export const SYSTEM_READERS: Readonly<Record<string, ReaderSpec>> = {
  which: { operands: 'texts', letters: 'as' },
  type: { operands: 'texts', letters: 'aftpP' },
  command: { operands: 'texts', letters: 'pvV' },
  uname: { operands: 'none', letters: 'asnrvmpio', long: 'all kernel-name kernel-release machine operating-system' },
  whoami: NOTHING,
  id: { operands: 'texts', letters: 'gGnruz', long: 'group groups name real user zero' },
  groups: { operands: 'texts' },
  tty: { operands: 'none', letters: 's' },
  arch: NOTHING,
  // An operand of hostname sets the name.
  hostname: NOTHING,
  nproc: { operands: 'none', long: 'all ignore=' },
  uptime: { operands: 'none', letters: 'ps', long: 'pretty since' },
  seq: { operands: 'texts', letters: 'w', valued: 'fs', long: 'equal-width format= separator=' },
  sleep: { operands: 'texts' },
  wait: { operands: 'none' },
  help: { operands: 'texts', letters: 'dms' },
  exit: { operands: 'texts', most: 1 },
  return: { operands: 'texts', most: 1 },
  break: { operands: 'texts', most: 1 },
  continue: { operands: 'texts', most: 1 },
  cal: { operands: 'texts', letters: '13jmsy' },
  locale: { operands: 'none', letters: 'a' },
};
