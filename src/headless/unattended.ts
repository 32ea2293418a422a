import type { Questions } from '../domain/tool/interaction.js';
import type { Gate, GateRequest } from '../domain/tool/permission.js';

/**
 * A gate where nobody can be asked: what would be asked about is denied, with the reasons for asking.
 * @param isAsked whether somebody can be asked about a call after all. Default: nobody can
 */
export function withoutPrompts(gate: Gate, isAsked: (request: GateRequest) => boolean = () => false): Gate {
  return {
    judge: async (request, signal) => {
      const judgment = await gate.judge(request, signal);
      return judgment.type === 'ask' && !isAsked(request) ? { type: 'deny', denial: { kind: 'unattended', why: judgment.reasons.join(' ') } } : judgment;
    },
    remember: (request, rules, scope) => gate.remember(request, rules, scope),
    update: (request, updates) => gate.update(request, updates),
  };
}

/** Questions of models where nobody can be asked. */
export const NOBODY: Questions = { ask: () => Promise.resolve({ type: 'dismissed' }) };
