import * as z from 'zod/mini';
import type { ApprovalKind, ApprovalStore } from '../../domain/host/approvals.js';
import { sha256 } from '../../node/files/sha256.js';

/** Subject of a consent. */
export interface ConsentSubject {
  readonly id: string;
  /** Hash of other content that must not change. Absent: only the list counts. */
  readonly content?: string;
}

const consent = z.object({
  /** SHA-256 of what the list is of: the key of versions before the ledger ended with it. */
  source: z.string(),
  /** SHA-256 over the source and the list. */
  digest: z.string(),
  /** The approved list, to find new rules in a later one. */
  rules: z.array(z.string()),
});
type Consent = z.infer<typeof consent>;

const EARLIER = 'gnomon.allowConsent.';

/** Lists of allow rules: of workspaces, and of skills and commands. */
export const RULE_CONSENTS: ApprovalKind<Consent> = {
  name: 'rules',
  most: 1_000,
  perWorkspace: false,
  read: (value) => consent.safeParse(value).data,
  subjectOf: ({ source }) => source,
  earlier: (memory) =>
    memory.keys().flatMap((key) => {
      const kept = memory.get(key);
      return key.startsWith(EARLIER) && typeof kept === 'object' ? [{ ...kept, source: key.slice(EARLIER.length) }] : [];
    }),
};

/**
 * Approved allow rules of workspaces, each for the workspace’s address and exactly one list of rules: any other list asks again. Skills and commands
 * are such a source, too, with what is in their files.
 */
export class Consents {
  constructor(private readonly store: ApprovalStore<Consent>) {}

  /** Whether the user agreed to exactly this list. There is nothing to agree to in an empty one. */
  covers(source: ConsentSubject, rules: readonly string[]): boolean {
    return rules.length === 0 || this.find(source)?.digest === digestOf(source, rules);
  }

  /** The last list that the user consented to; empty when there was none. */
  given(source: ConsentSubject): readonly string[] {
    return this.find(source)?.rules ?? [];
  }

  /** Notes that the user agreed to exactly this list. */
  give(source: ConsentSubject, rules: readonly string[]): Promise<void> {
    return this.store.change((all) => [consentTo(source, rules), ...all]);
  }

  /** Has the consent to a list go along with a change of it that is the user’s own; nothing happens where they have not agreed to it, or not any more. */
  follow(source: ConsentSubject, from: readonly string[], to: readonly string[]): Promise<void> {
    const digest = digestOf(source, from);
    const hasAgreed = (all: readonly Consent[]): boolean =>
      from.length === 0 || all.some((each) => each.source === sha256(source.id) && each.digest === digest);
    return this.store.change((all) => (hasAgreed(all) ? [consentTo(source, to), ...all] : all));
  }

  /** Takes a consent back. */
  withdraw({ id }: ConsentSubject): Promise<void> {
    return this.store.change((all) => all.filter(({ source }) => source !== sha256(id)));
  }

  private find({ id }: ConsentSubject): Consent | undefined {
    const wanted = sha256(id);
    return this.store.list().find(({ source }) => source === wanted);
  }
}

function consentTo(source: ConsentSubject, rules: readonly string[]): Consent {
  return { source: sha256(source.id), digest: digestOf(source, rules), rules: [...rules] };
}

/** The order of the list and repeated rules change nothing. */
function digestOf({ id, content }: ConsentSubject, rules: readonly string[]): string {
  return sha256(JSON.stringify([id, [...new Set(rules)].sort(), ...(content === undefined ? [] : [content])]));
}
