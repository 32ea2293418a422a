import type { Word } from '../words/word.js';

/** The options of a program that only read. All others are unknown. */
export interface OptionTable {
  /** Letters without a value; they may be combined after one dash. */
  readonly letters?: string;
  /** Letters with a value, in the same word or the next. */
  readonly valued?: string;
  /** Letters that may have a value behind them in the same word. */
  readonly maybe?: string;
  /** Long names, apart by spaces: `name`, `name=` with a value in the same word or the next, `name?` with or without. */
  readonly long?: string;
  /**
   * Whether one word is one option, of which the program heeds only the first letter or a longer name: letters do not
   * stand together, and only a number may stand behind one.
   */
  readonly alone?: boolean;
  /** Whether `-5` is an option. */
  readonly numeric?: boolean;
  /** Whether the first operand ends the options, as for programs that run others. */
  readonly stop?: boolean;
}

/** Parsed arguments of a program. */
export interface ParsedOptions {
  readonly options: readonly { readonly name: string; readonly value: Word | string | undefined }[];
  readonly operands: readonly Word[];
  /** Number of operands before `--`; all when there is none. */
  readonly beforeDashes: number;
}

/** Tells options and operands apart. `undefined` when an option is not in the table or cannot be known. */
export function parseOptions(words: readonly Word[], table: OptionTable): ParsedOptions | undefined {
  const parser = new OptionParser(words, table);
  return parser.parse() ? parser : undefined;
}

class OptionParser implements ParsedOptions {
  readonly options: { name: string; value: Word | string | undefined }[] = [];
  readonly operands: Word[] = [];
  beforeDashes = 0;
  private at = 0;
  private readonly long: ReadonlySet<string>;

  constructor(
    private readonly words: readonly Word[],
    private readonly table: OptionTable,
  ) {
    this.long = new Set((table.long ?? '').split(' '));
  }

  parse(): boolean {
    for (let word = this.next(); word !== undefined; word = this.next()) {
      const written = word.text ?? word.beginning;
      if (written === '--') {
        this.beforeDashes = this.operands.length;
        this.operands.push(...this.words.slice(this.at));
        return true;
      }
      if (written.startsWith('-') && written !== '-') {
        if (word.text === undefined || canBecomeOption(word) || !this.readOption(word.text)) return false;
      } else if (!this.readOperand(word)) break;
    }
    this.beforeDashes = this.operands.length;
    return true;
  }

  private next(): Word | undefined {
    return this.words[this.at++];
  }

  private readOperand(word: Word): boolean {
    this.operands.push(word);
    if (this.table.stop !== true) return true;
    this.operands.push(...this.words.slice(this.at));
    return false;
  }

  private readOption(text: string): boolean {
    if (this.table.numeric === true && /^-\d+$/.test(text)) return true;
    return text.startsWith('--') ? this.readLong(text.slice(2)) : this.readLetters(text.slice(1));
  }

  private readLong(text: string): boolean {
    const equals = text.indexOf('=');
    const name = equals < 0 ? text : text.slice(0, equals);
    const value = equals < 0 ? undefined : text.slice(equals + 1);
    if (this.long.has(`${name}=`)) return this.add(name, value ?? this.next(), true);
    if (this.long.has(`${name}?`)) return this.add(name, value);
    return this.long.has(name) && value === undefined && this.add(name, undefined);
  }

  private readLetters(letters: string): boolean {
    const { letters: plain = '', valued = '', maybe = '', alone = false } = this.table;
    if (alone && !/^.(?:0x[\da-f]+|\d*)$/i.test(letters)) return false;
    for (let index = 0; index < letters.length; index++) {
      const letter = letters.charAt(index);
      const rest = letters.slice(index + 1);
      if (maybe.includes(letter)) return this.add(letter, rest);
      if (valued.includes(letter)) return this.add(letter, rest === '' ? this.next() : rest, true);
      if (!plain.includes(letter) || (alone && rest !== '')) return false;
      this.add(letter, undefined);
    }
    return true;
  }

  private add(name: string, value: Word | string | undefined, needed = false): boolean {
    this.options.push({ name, value });
    return !needed || value !== undefined;
  }
}

/** Whether a file pattern can expand to an option: not after `--name=`, where the option is fixed. */
export function canBecomeOption({ text = '', glob }: Word): boolean {
  return glob === 0 || (glob > 0 && text.startsWith('-') && !/^--[\w-]+=/.test(text.slice(0, glob)));
}

/** Options of a program that can run or write something. */
export interface RiskyOptions {
  readonly letters?: string;
  /** Letters with a value: what follows them in a word is no option. */
  readonly valued?: string;
  readonly long?: readonly string[];
}

/** Whether a program is given a risky option. Also a long name that is cut short counts, as many programs take it. */
export function hasRiskyOption(words: readonly Word[], { letters = '', valued = '', long = [] }: RiskyOptions): boolean {
  return words.some(({ text, beginning }) => {
    const written = text ?? beginning;
    if (!written.startsWith('--')) return written.startsWith('-') && hasRiskyLetter(written.slice(1), letters, valued);
    const name = written.slice(2).split('=')[0] ?? '';
    return name !== '' && long.some((risky) => risky.startsWith(name));
  });
}

function hasRiskyLetter(cluster: string, letters: string, valued: string): boolean {
  for (const letter of cluster) {
    if (letters.includes(letter)) return true;
    if (valued.includes(letter)) return false;
  }
  return false;
}
