import { INTERPRETERS, type Interpreter } from './programs.js';
import type { Word } from './word.js';

/** What the arguments of an interpreter say about what it runs. */
export interface Scripts {
  /** What it runs, or may: files, and folders of those that run folders. */
  readonly scripts: readonly Word[];
  /** What its options load: files, folders, or names of modules. */
  readonly loaded: readonly Word[];
  /** Code in its arguments, or what may be. */
  readonly code: readonly Word[];
  /** Words whose meaning is not known. */
  readonly unclear: readonly Word[];
  /** Whether it runs what it reads on its standard input. */
  readonly readsInput: boolean;
  /** Whether the first operand is a command of its own, such as `run`, which decides what comes behind it. */
  readonly isOther: boolean;
}

/** The interpreter of a name; `undefined` for another program. */
export function interpreterOf(program: string): Interpreter | undefined {
  return INTERPRETERS.find(({ names }) => names.test(program));
}

/** Reads the arguments of an interpreter up to its script. Behind an option that is not known, both it and its value may be the script. */
export function scriptsOf({ code, plain, subcommands, isShell }: Interpreter, args: readonly Word[]): Scripts {
  const found = { scripts: [] as Word[], loaded: [] as Word[], unclear: [] as Word[], code: [] as Word[] };
  let mayBeValue = false;
  for (const [index, word] of args.entries()) {
    const { value, known } = word;
    const next = args[index + 1];
    if (known && value === '-') return { ...found, readsInput: true, isOther: false };
    if (known && value === '--') {
      if (next !== undefined) found.scripts.push(next);
      return { ...found, readsInput: next === undefined, isOther: false };
    }
    if (known && code.test(value)) return { ...found, code: codeBehind(args.slice(index + 1), isShell === true), readsInput: false, isOther: false };
    if (known && value === '-m' && next !== undefined) return { ...found, loaded: [...found.loaded, next], readsInput: false, isOther: false };
    // Shells take options away with a `+`.
    if (!/^-|^\+[A-Za-z]/.test(value)) {
      if (known && subcommands?.has(value) === true) return { ...found, readsInput: false, isOther: true };
      found.scripts.push(word);
      if (!mayBeValue) return { ...found, readsInput: false, isOther: false };
      mayBeValue = false;
    } else if (!known || !plain.test(value)) {
      found.unclear.push(word);
      const attached = /^-[^=]*=(.+)$/s.exec(value)?.[1] ?? /^-[A-Za-z](.+)$/s.exec(value)?.[1];
      if (attached !== undefined) found.loaded.push({ ...word, value: attached });
      mayBeValue = !value.includes('=');
    }
  }
  return { ...found, readsInput: found.scripts.length === 0, isOther: false };
}

/** Shells read options behind `-c`, too, and take the first operand for the line; where there are options, one of them may have a value that looks like it. */
function codeBehind(args: readonly Word[], isShell: boolean): readonly Word[] {
  const at = isShell ? args.findIndex(({ value, known }) => !known || !/^[-+]/.test(value)) : 0;
  const operands = at === -1 ? [] : args.slice(at);
  return operands.slice(0, at > 0 ? 2 : 1);
}
