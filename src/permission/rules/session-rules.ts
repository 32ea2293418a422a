import type { PermissionRule } from '../../domain/tool/permission.js';

/** The rules of one session only; kept until the process ends. */
export class SessionRules {
  private readonly rules = new Map<string, readonly PermissionRule[]>();

  /** The rules of a session, in the order in which they were added. */
  of(sessionId: string): readonly PermissionRule[] {
    return this.rules.get(sessionId) ?? [];
  }

  /** Adds allow rules; those that are there already stay as they are. */
  allow(sessionId: string, texts: readonly string[]): void {
    const known = this.of(sessionId);
    const fresh = [...new Set(texts)].filter((text) => known.every((rule) => rule.text !== text));
    this.rules.set(sessionId, [...known, ...fresh.map((text): PermissionRule => ({ effect: 'allow', text, scope: 'session' }))]);
  }

  /** Takes a rule back. Calls are asked about again from the next one on. */
  remove(sessionId: string, text: string): void {
    this.rules.set(
      sessionId,
      this.of(sessionId).filter((rule) => rule.text !== text),
    );
  }
}
