import type { Questions } from '../domain/tool/interaction.js';
import type { Gate } from '../domain/tool/permission.js';

/** A gate where nobody can be asked: what would be asked about is denied, with the reasons for asking. */
export function withoutPrompts(gate: Gate): Gate {
  return {
    judge: async (request, signal) => {
      const judgment = await gate.judge(request, signal);
      return judgment.type === 'ask' ? { type: 'deny', denial: { kind: 'unattended', why: judgment.reasons.join(' ') } } : judgment;
    },
    remember: (request, rules, scope) => gate.remember(request, rules, scope),
    update: (request, updates) => gate.update(request, updates),
  };
}

/** Questions of models where nobody can be asked. */
export const NOBODY: Questions = { ask: () => Promise.resolve({ type: 'dismissed' }) };
