import lists from './harmless-keys.json';
import { withoutUserInfo } from './without-user-info.js';

/** Settings of Git that can hold no password and run nothing, and why. */
interface HarmlessKeys {
  /** `section.key`, or `section.*.key` with any subsection. */
  readonly keys: readonly string[];
  /** What git-config(1) says that they are. */
  readonly because: string;
  /** What a value has to look like: a name of {@link VALUES}, or a pattern; any may stand there unless given. */
  readonly value?: string;
}

const VALUES: Readonly<Record<string, RegExp>> = {
  flag: /^(?:true|false|yes|no|on|off|\d{1,9}|)$/i,
  // A flag, a number with a unit, or one of the words that a setting knows.
  word: /^[\w.,:=+-]{0,64}$/,
  // A name or a path: nothing that starts a program for Git, which needs `!` or a shell's characters.
  path: /^[^!`$;|&<>\n]{0,4096}$/,
};

/**
 * All that a copy of Git's settings has. What is not listed is left out: above all `http.*` (headers, cookies, certificates), `credential.*`, `include*`, and
 * what names a program. Source of every row: git-config(1), unless it says otherwise.
 */
export const HARMLESS_KEYS: readonly HarmlessKeys[] = lists;

/** What the value of a known key has to look like; `undefined` where any may stand there. */
const KNOWN: ReadonlyMap<string, RegExp | undefined> = new Map(
  HARMLESS_KEYS.flatMap(({ keys, value }) =>
    keys.map((key): [string, RegExp | undefined] => [key, value === undefined ? undefined : (VALUES[value] ?? new RegExp(value))]),
  ),
);

/** One setting, as `git config --list` names it. */
export interface GitConfigEntry {
  readonly section: string;
  readonly subsection: string | undefined;
  readonly key: string;
  /** Left out for a key without `=`, which means “true”. */
  readonly value: string | undefined;
}

/** A setting as a copy has it, without user info in addresses; `undefined` for one that the copy does not have. */
export function harmless({ section, subsection, key, value }: GitConfigEntry): GitConfigEntry | undefined {
  const named = subsection === undefined ? [`${section}.${key}`] : [`${section}.${subsection}.${key}`, `${section}.*.${key}`];
  const known = named.find((name) => KNOWN.has(name));
  if (known === undefined || KNOWN.get(known)?.test(value ?? '') === false) return undefined;
  const plain = (text: string | undefined): string | undefined => (text === undefined ? undefined : withoutUserInfo(text));
  return { section, subsection: plain(subsection), key, value: plain(value) };
}
