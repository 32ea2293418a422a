import { baseName, literal, type Word } from '../words/word.js';
import { awk } from './awk.js';
import { FILE_READERS } from './files.js';
import { find } from './find.js';
import { git } from './git.js';
import { type Reader, readersOf, type ReaderSpec } from './reader.js';
import { SEARCH_READERS, TEXT_READERS } from './text.js';
import { sed } from './sed.js';
import { bracket, date, expr, jq, man, npm, printenv, printf, printing, read, SYSTEM_READERS, test, VERSION_READERS } from './special.js';

const ONE_OF_ITS_KIND: Readonly<Record<string, Reader>> = {
  ...{ echo: printing, true: printing, false: printing, ':': printing, printf, expr },
  ...{ test, '[': bracket, date, jq, find, git, sed, awk, gawk: awk, mawk: awk, read, npm, printenv, man },
};

/** Programs that show what is in the files they are given. */
const FILE_TEXTS: ReadonlySet<string> = new Set([...withFiles(TEXT_READERS), ...SEARCH_READERS.map(([name]) => name), ...['sed', 'awk', 'gawk', 'mawk', 'jq']]);

const SEARCHERS: ReadonlySet<string> = new Set([...SEARCH_READERS.map(([name]) => name), 'zgrep']);
/** Those whose first operand is a script, in a language of its own. */
const TAKES_SCRIPT: ReadonlySet<string> = new Set(['sed', 'awk', 'gawk', 'mawk', 'jq']);
/** Those of them that can also write, by an option, an operand or their script. */
const WRITING: ReadonlySet<string> = new Set(['sort', 'uniq', 'xxd', 'sed', 'awk', 'gawk', 'mawk']);
/** Programs that show files in ways which are not looked into. */
const PAGERS: ReadonlySet<string> = new Set(['most', 'bat', 'batcat', 'zcat', 'zless', 'bzcat', 'xzcat', 'zgrep', 'base32', 'b2sum', 'look', 'pr', 'tsort']);

const READERS: ReadonlyMap<string, Reader> = new Map([
  ...readersOf(TEXT_READERS),
  ...readersOf(FILE_READERS),
  ...readersOf(SYSTEM_READERS),
  ...SEARCH_READERS,
  ...Object.entries(ONE_OF_ITS_KIND),
]);
const VERSIONS: ReadonlyMap<string, Reader> = new Map(VERSION_READERS);

/**
 * The argument parser of a program that is known to only read with certain options. Only for bare names: which program is at
 * a path is not known. An allow-list: a program that is not here does not only read. Left out on purpose: whatever queries
 * the network, such as ping, dig, nslookup, host and getent, because the queried names can leak text.
 */
export function readerFor([program]: readonly Word[]): Reader | undefined {
  const name = literal(program) ?? '';
  const reader = READERS.get(name);
  const version = VERSIONS.get(name);
  if (reader === undefined || version === undefined) return reader ?? version;
  return (words) => version(words) ?? reader(words);
}

/**
 * All programs that are known to only read with some of their options.
 * @internal for comparing what is known with the programs
 */
export function readerNames(): readonly string[] {
  return [...READERS.keys(), ...VERSIONS.keys()];
}

/** Programs that are known to read, beyond telling their version. */
export function readingPrograms(): readonly string[] {
  return [...READERS.keys()];
}

/** Whether a program shows what is in the files that it is given, at whatever path it stands. */
export function showsFiles([program]: readonly Word[]): boolean {
  return FILE_TEXTS.has(baseName(literal(program) ?? ''));
}

/**
 * The arguments that a program which shows files may treat as files, where its options are not all known: every argument
 * that is not an option. Empty for programs whose arguments are mostly something else.
 */
export function operandsShown([program, ...words]: readonly Word[]): readonly Word[] {
  const name = baseName(literal(program) ?? '');
  if (!PAGERS.has(name) && (!FILE_TEXTS.has(name) || TAKES_SCRIPT.has(name))) return [];
  const operands = words.filter(({ text, beginning }) => !(text ?? beginning).startsWith('-'));
  return SEARCHERS.has(name) ? operands.slice(1) : operands;
}

/** Whether a program does nothing but show what is in the files that it is given, whatever its options. */
export function showsOnly(name: string): boolean {
  return PAGERS.has(name) || (FILE_TEXTS.has(name) && !WRITING.has(name));
}

function withFiles(specs: Readonly<Record<string, ReaderSpec>>): readonly string[] {
  return Object.entries(specs).flatMap(([name, { operands }]) => (operands === 'texts' || operands === 'none' ? [] : [name]));
}
