import type { Questions } from '../domain/tool/interaction.js';
import type { Gate, GateRequest } from '../domain/tool/permission.js';
import { count, cutLine } from '../text/show.js';

/** Reasons that a denial gives, and characters of each: a call has as many as it names files. */
const MAX_REASONS = 5;
const MAX_REASON = 300;

/**
 * A gate where nobody can be asked: what would be asked about is denied, with the reasons for asking.
 * @param isAsked whether somebody can be asked about a call after all. Default: nobody can
 */
export function withoutPrompts(gate: Gate, isAsked: (request: GateRequest) => boolean = () => false): Gate {
  return {
    judge: async (request, signal) => {
      const judgment = await gate.judge(request, signal);
      return judgment.type === 'ask' && !isAsked(request) ? { type: 'deny', denial: { kind: 'unattended', why: inShort(judgment.reasons) } } : judgment;
    },
    remember: (request, rules, scope) => gate.remember(request, rules, scope),
    update: (request, updates) => gate.update(request, updates),
  };
}

/** Questions of models where nobody can be asked. */
export const NOBODY: Questions = { ask: () => Promise.resolve({ type: 'dismissed' }) };

/** Reasons in one line, the first of them, with the number of the rest. */
function inShort(reasons: readonly string[]): string {
  const rest = reasons.length - MAX_REASONS;
  const first = reasons.slice(0, MAX_REASONS).map((reason) => cutLine(reason, MAX_REASON));
  return [...first, ...(rest > 0 ? [`There ${rest === 1 ? 'is' : 'are'} ${count(rest, 'more reason')}.`] : [])].join(' ');
}
