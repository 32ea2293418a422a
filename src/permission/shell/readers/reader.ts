import { type OptionTable, type ParsedOptions, parseOptions } from '../commands/options.js';
import type { ReadTarget } from '../commands/read-targets.js';
import { type Word, literal } from '../words/word.js';

/**
 * Parses the arguments of a program. Returns the files that it would read, or `undefined` when it is not known that it
 * only reads and prints with exactly these options.
 */
export type Reader = (words: readonly Word[]) => readonly ReadTarget[] | undefined;

/** A program that only reads with the options of its table. */
export interface ReaderSpec extends OptionTable {
  /**
   * Kind of its operands: files to read; texts; a text (or the value of an option) and then files; files or, without
   * any, the folder it runs in; none at all.
   */
  readonly operands: 'files' | 'texts' | 'pattern' | 'folders' | 'none';
  /** The most operands. Beyond, a program may take one for a file to write. */
  readonly most?: number;
  /** Whether `@file` expands to the arguments in a file, as for the GNU binutils (libiberty, `expandargv`). */
  readonly lists?: boolean;
  /** Options with which it reads all below its folders, behind links as well. */
  readonly follow?: readonly string[];
  /** Options whose value takes the place of the first operand. */
  readonly patternOptions?: readonly string[];
}

/** Makes the reader of a program. */
export function readerOf(spec: ReaderSpec): Reader {
  return (words) => {
    const parsed = parseOptions(words, spec);
    if (parsed === undefined) return undefined;
    const { operands } = parsed;
    if (spec.lists === true && words.some((word) => !/^[^@]/.test(word.text ?? word.beginning) || word.glob === 0)) return undefined;
    const most = spec.operands === 'none' ? 0 : spec.most;
    // A pattern can expand to any number of files.
    if (most !== undefined && (operands.length > most || operands.some((word) => literal(word) === undefined))) return undefined;
    const targets = targetsOf(spec, parsed);
    const follows = parsed.options.some(({ name }) => spec.follow?.includes(name));
    return follows ? [...targets, ...(targets.length === 0 ? ['.'] : targets).map((below) => ({ below }))] : targets;
  };
}

function targetsOf(spec: ReaderSpec, { operands, options }: ParsedOptions): readonly (Word | string)[] {
  switch (spec.operands) {
    case 'files':
      return operands;
    case 'folders':
      return operands.length === 0 ? ['.'] : operands;
    case 'pattern':
      return options.some(({ name }) => spec.patternOptions?.includes(name)) ? operands : operands.slice(1);
    case 'texts':
    case 'none':
      return [];
  }
}

/** Makes readers of a table, by name. */
export function readersOf(specs: Readonly<Record<string, ReaderSpec>>): readonly (readonly [string, Reader])[] {
  return Object.entries(specs).map(([name, spec]) => [name, readerOf(spec)] as const);
}
