import type { PermissionRule, RuleEffect, RuleUpdate } from '../../domain/tool/permission.js';

/** The rules of one session only; kept until the process ends. */
export class SessionRules {
  private readonly rules = new Map<string, readonly PermissionRule[]>();
  /** The sessions that others work for, by the ids of those: their rules are theirs. */
  private readonly owners = new Map<string, string>();

  /** Has the rules of a session be those of another one that it works for, also what is added to either. Returns how to end that. */
  share(sessionId: string, owner: string): () => void {
    this.owners.set(sessionId, owner);
    return () => void this.owners.delete(sessionId);
  }

  /** The rules of a session, in the order in which they were added. */
  of(sessionId: string): readonly PermissionRule[] {
    return this.rules.get(this.ownerOf(sessionId)) ?? [];
  }

  /** Changes the rules of one effect. Those that are there already stay in their places. */
  update(sessionId: string, { type, effect, rules }: Omit<RuleUpdate, 'scope'>): void {
    const named = new Set(rules);
    const known = this.of(sessionId);
    const kept = known.filter((rule) => rule.effect !== effect || type === 'addRules' || named.has(rule.text) === (type === 'replaceRules'));
    const isThere = (text: string): boolean => kept.some((rule) => rule.effect === effect && rule.text === text);
    const fresh = type === 'removeRules' ? [] : [...named].filter((text) => !isThere(text));
    this.rules.set(this.ownerOf(sessionId), [...kept, ...fresh.map((text): PermissionRule => ({ effect, text, scope: 'session' }))]);
  }

  private ownerOf(sessionId: string): string {
    const owner = this.owners.get(sessionId);
    return owner === undefined ? sessionId : this.ownerOf(owner);
  }

  /** Takes a rule back. It applies no more from the next call on. */
  remove(sessionId: string, text: string, effect: RuleEffect = 'allow'): void {
    this.update(sessionId, { type: 'removeRules', effect, rules: [text] });
  }
}
