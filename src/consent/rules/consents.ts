import type { Memory } from '../../domain/host/memory.js';
import { sha256 } from '../../node/files/sha256.js';

/** What a consent is about. */
export interface ConsentSubject {
  readonly id: string;
  /** What else must not have changed: a hash. Absent: only the list counts. */
  readonly content?: string;
}

/** A consent as it is kept. */
interface Consent {
  /** SHA-256 over the source and the list. */
  readonly digest: string;
  /** The list, to tell what is new in another one. */
  readonly rules: readonly string[];
}

/**
 * What the user allowed workspaces to allow. Kept in the global state, where no workspace can write, for the workspace's
 * address and exactly one list of rules: any other list asks again. Skills and commands are such a source, too, with what is in their files.
 */
export class Consents {
  private readonly storage: Memory;

  constructor(storage: Memory) {
    this.storage = storage;
  }

  /** Whether the user agreed to exactly this list. There is nothing to agree to in an empty one. */
  covers(source: ConsentSubject, rules: readonly string[]): boolean {
    return rules.length === 0 || this.read(source)?.digest === digestOf(source, rules);
  }

  /** The last list that the user consented to; empty when there was none. */
  given(source: ConsentSubject): readonly string[] {
    return this.read(source)?.rules ?? [];
  }

  /** Notes that the user agreed to exactly this list. */
  async give(source: ConsentSubject, rules: readonly string[]): Promise<void> {
    await this.storage.update(keyOf(source), { digest: digestOf(source, rules), rules: [...rules] } satisfies Consent);
  }

  /** Takes a consent back. */
  async withdraw(source: ConsentSubject): Promise<void> {
    await this.storage.update(keyOf(source), undefined);
  }

  private read(source: ConsentSubject): Consent | undefined {
    const kept = this.storage.get(keyOf(source));
    return isConsent(kept) ? kept : undefined;
  }
}

function keyOf({ id }: ConsentSubject): string {
  return `gnomon.allowConsent.${sha256(id)}`;
}

/** The order of the list and repeated rules change nothing. */
function digestOf({ id, content }: ConsentSubject, rules: readonly string[]): string {
  return sha256(JSON.stringify([id, [...new Set(rules)].sort(), ...(content === undefined ? [] : [content])]));
}

function isConsent(value: unknown): value is Consent {
  if (typeof value !== 'object' || value === null || !('digest' in value) || !('rules' in value)) return false;
  const { digest, rules } = value;
  return typeof digest === 'string' && Array.isArray(rules) && rules.every((rule) => typeof rule === 'string');
}
