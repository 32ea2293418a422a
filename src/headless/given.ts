import { parseArgs } from 'node:util';
import { ANY_VALUE, type Flag, type NeutralFlag } from './flag-table.js';

/** A command line that cannot be followed; `message` is a sentence for the user. */
export class Refused extends Error {}

/** The flags that a command line can have. */
export interface KnownFlags {
  readonly flags: readonly Flag[];
  /** Those that have no effect. */
  readonly neutral?: readonly NeutralFlag[];
  /** What follows from one that is not known, behind `is not known`. */
  readonly refusal?: string;
}

/** The flags that were given. */
export class Given {
  private constructor(
    private readonly values: ReadonlyMap<string, readonly string[]>,
    readonly words: readonly string[],
    readonly warnings: readonly string[],
  ) {}

  /** @throws Refused for a flag that is not known, or has no value */
  static in(args: readonly string[], { flags, neutral = [], refusal = '' }: KnownFlags): Given {
    const names = new Map([...flags, ...neutral].flatMap((flag) => [flag.name, ...(flag.also ?? [])].map((name) => [name, flag] as const)));
    const options = Object.fromEntries(
      [...names].map(([name, { short, value }]) => [
        name,
        {
          type: value === undefined || ANY_VALUE.includes(name) ? ('boolean' as const) : ('string' as const),
          ...(short !== undefined && name === names.get(name)?.name ? { short } : {}),
        },
      ]),
    );
    const { tokens } = parseArgs({ args: [...args], options, strict: false, allowPositionals: true, tokens: true });
    const values = new Map<string, readonly string[]>();
    const words: string[] = [];
    const warnings: string[] = [];
    // The flag whose list of words goes on.
    let going: Flag | undefined;
    for (const token of tokens) {
      if (token.kind === 'positional' && going?.continues?.(token.value) === true) {
        values.set(going.name, [...(values.get(going.name) ?? []), token.value]);
        continue;
      }
      going = undefined;
      if (token.kind === 'positional') words.push(token.value);
      if (token.kind !== 'option') continue;
      const flag = names.get(token.name);
      if (flag === undefined) throw new Refused(unknownFlag(token.rawName, [...names.keys()], refusal));
      const value = token.value ?? '';
      if (flag.value !== undefined && token.value === undefined && !ANY_VALUE.includes(flag.name)) throw new Refused(`${token.rawName} needs a value.`);
      if (flag.value === undefined && token.value !== undefined) throw new Refused(`${token.rawName} takes no value.`);
      const unused = neutral.find((each) => each === flag);
      if (unused !== undefined) warnings.push(`${token.rawName} has no effect in Gnomon: ${unused.why}.`);
      const known = values.get(flag.name);
      if (known !== undefined && flag.value !== undefined && flag.many !== true && known.at(-1) !== value)
        throw new Refused(`${token.rawName} is there twice.`);
      values.set(flag.name, [...(known ?? []), value]);
      going = token.inlineValue === true ? undefined : flag;
    }
    return new Given(values, words, warnings);
  }

  has(name: string): boolean {
    return this.values.has(name);
  }

  all(name: string): readonly string[] {
    return this.values.get(name) ?? [];
  }

  one(name: string): string | undefined {
    return this.all(name).at(-1);
  }

  /** @throws Refused for any other than one of these */
  choice<T extends string>(name: string, choices: readonly T[]): T | undefined {
    const value = this.one(name);
    const found = choices.find((each) => each === value);
    if (value !== undefined && found === undefined) throw new Refused(`--${name} cannot be “${value}”. It can be ${choices.join(', ')}.`);
    return found;
  }

  /** @throws Refused for what is no number, or not within these limits */
  number(name: string, { least, most, whole }: { readonly least: number; readonly most: number; readonly whole: boolean }): number | undefined {
    const text = this.one(name);
    if (text === undefined) return undefined;
    const value = text.trim() === '' ? Number.NaN : Number(text);
    if (!Number.isFinite(value) || value < least || value > most || (whole && !Number.isInteger(value)))
      throw new Refused(`--${name} must be ${whole ? 'a whole number' : 'a number'} from ${least} to ${most}, and not “${text}”.`);
    return value;
  }
}

/** Says what could have been meant. */
function unknownFlag(raw: string, known: readonly string[], refusal: string): string {
  const plain = (name: string): string => name.toLowerCase().replaceAll('-', '');
  const near = known.find((name) => plain(name) === plain(raw)) ?? known.find((name) => plain(name).startsWith(plain(raw)) && plain(raw).length > 2);
  return `The option ${raw} is not known${refusal}.${near === undefined ? ' --help lists all options.' : ` Did you mean --${near}?`}`;
}
