import { type Context, createContext, runInContext } from 'node:vm';
import { parseMatcher } from '../domain/hook/matcher-syntax.js';

/** Milliseconds that a pattern may take on the names of a call. A pattern of a repository can be made so that it takes for ever. */
const MATCH_MS = 200;
/** Times that a pattern may be too slow until it is not tried again: once can be the doing of a busy machine. */
const MAX_SLOW = 2;
/** Characters of a name that patterns are tried on: servers choose how long the whole names of their tools are. */
const MAX_NAME = 512;
/** Answers that are remembered: a session has few matchers and few tools. */
const MAX_REMEMBERED = 2_000;

/** Whether a matcher is for what happened; `undefined` where that cannot be found out, with the reason. */
export type MatchResult = boolean | { readonly undecided: 'too_long' | 'invalid' | 'too_slow' };

/** Compares what matchers say with the names of what happened. Remembers answers, as the same tools are called again and again. */
export class Matchers {
  private readonly remembered = new Map<string, boolean>();
  private readonly slow = new Map<string, number>();
  private context: Context | undefined;

  /** @param names all by which what happened is known: in this program and in those that hooks were written for */
  matches(matcher: string | undefined, names: readonly string[]): MatchResult {
    const parsed = parseMatcher(matcher);
    switch (parsed.type) {
      case 'all':
        return true;
      case 'names':
        return names.some((name) => parsed.names.includes(name));
      case 'pattern':
        return this.byPattern(parsed.source, names);
      case 'unusable':
        return { undecided: parsed.why };
    }
  }

  private byPattern(source: string, names: readonly string[]): MatchResult {
    if (names.some((name) => name.length > MAX_NAME)) return { undecided: 'too_long' };
    if ((this.slow.get(source) ?? 0) >= MAX_SLOW) return { undecided: 'too_slow' };
    const key = JSON.stringify([source, names]);
    const known = this.remembered.get(key);
    if (known !== undefined) return known;
    const found = this.run(source, names);
    if (found === undefined) {
      this.slow.set(source, (this.slow.get(source) ?? 0) + 1);
      return { undecided: 'too_slow' };
    }
    if (this.remembered.size >= MAX_REMEMBERED) this.remembered.clear();
    this.remembered.set(key, found);
    return found;
  }

  /** Code that runs in a context can be stopped, also within a regular expression. `undefined` when it was. */
  private run(source: string, names: readonly string[]): boolean | undefined {
    this.context ??= createContext({ source: '', names: '' });
    this.context['source'] = source;
    this.context['names'] = JSON.stringify(names);
    try {
      return (
        runInContext('{ const pattern = new RegExp(source); JSON.parse(names).some((name) => pattern.test(name)); }', this.context, { timeout: MATCH_MS }) ===
        true
      );
    } catch {
      // It took too long; that it is a pattern is known.
      return undefined;
    }
  }
}
