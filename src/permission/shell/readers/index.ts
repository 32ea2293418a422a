import type { Word } from '../word.js';
import { baseName, literal } from '../word.js';
import { awk } from './awk.js';
import { FILE_READERS } from './files.js';
import { find } from './find.js';
import { git } from './git.js';
import type { Reader, ReaderSpec } from './reader.js';
import { readersOf } from './reader.js';
import { SEARCH_READERS } from './search.js';
import { sed } from './sed.js';
import { bracket, date, expr, jq, printf, printing, test, VERSION_READERS } from './special.js';
import { SYSTEM_READERS } from './system.js';
import { TEXT_READERS } from './text.js';

const ONE_OF_ITS_KIND: Readonly<Record<string, Reader>> = {
  ...{ echo: printing, true: printing, false: printing, ':': printing, printf, expr },
  ...{ test, '[': bracket, date, jq, find, git, sed, awk, gawk: awk, mawk: awk },
};

/** Programs that show what is in the files they are given. */
const FILE_TEXTS: ReadonlySet<string> = new Set([...withFiles(TEXT_READERS), ...SEARCH_READERS.map(([name]) => name), ...['sed', 'awk', 'gawk', 'mawk', 'jq']]);

const READERS: ReadonlyMap<string, Reader> = new Map([
  ...readersOf(TEXT_READERS),
  ...readersOf(FILE_READERS),
  ...readersOf(SYSTEM_READERS),
  ...SEARCH_READERS,
  ...Object.entries(ONE_OF_ITS_KIND),
]);
const VERSIONS: ReadonlyMap<string, Reader> = new Map(VERSION_READERS);

/**
 * What reads the words of a program that is known to only read, if its options are of those that do. Only for bare names:
 * what stands at a path is not known. An allow-list: a program that is not here does not only read. Not here on purpose:
 * whatever asks the network, such as ping, dig, nslookup, host and getent, for names that are asked for carry text away.
 */
export function readerFor([program]: readonly Word[]): Reader | undefined {
  const name = literal(program) ?? '';
  const reader = READERS.get(name);
  const version = VERSIONS.get(name);
  if (reader === undefined || version === undefined) return reader ?? version;
  return (words) => version(words) ?? reader(words);
}

/** Whether a program shows what is in the files that it is given, at whatever path it stands. */
export function showsFiles([program]: readonly Word[]): boolean {
  return FILE_TEXTS.has(baseName(literal(program) ?? ''));
}

function withFiles(specs: Readonly<Record<string, ReaderSpec>>): readonly string[] {
  return Object.entries(specs).flatMap(([name, { operands }]) => (operands === 'texts' || operands === 'none' ? [] : [name]));
}
