import { t } from '../domain/l10n.js';
import type { Gate, Judgment, RuleUpdate } from '../domain/tool/permission.js';
import type { GateOptions } from './judge.js';
import { isRule, parseRule } from './rules/rule.js';
import { ruleProblems } from './rules/rule-set.js';
import { nameOf } from './rules/rule-labels.js';
import { SessionRules } from './rules/session-rules.js';

/** Makes the gate that all calls of all sessions pass. */
export function createGate(options: GateOptions): Gate {
  const { sessionRules = new SessionRules() } = options;
  return {
    async judge(request, signal): Promise<Judgment> {
      // A session starts without it: it comes with its first call.
      const [{ judge }] = await Promise.all([import('./judge.js'), options.rules.ready?.()]);
      return judge(request, { ...options, sessionRules }, signal);
    },
    async remember({ sessionId }, rules, scope) {
      const texts = rules.map((rule) => rule.trim());
      for (const text of texts) checkRule(text);
      if (scope !== 'session') return options.rules.add(texts, scope);
      sessionRules.update(sessionId, { type: 'addRules', effect: 'allow', rules: texts });
    },
    async update({ sessionId }, updates) {
      const trimmed = updates.map((update) => ({ ...update, rules: update.rules.map((rule) => rule.trim()) }));
      trimmed.forEach(checkUpdate);
      for (const { scope, ...update } of trimmed) if (scope !== 'session') await options.rules.update({ ...update, scope });
      for (const { scope, ...update } of trimmed) if (scope === 'session') sessionRules.update(sessionId, update);
    },
  };
}

/** @throws Error for a rule that would be added and cannot be read, or means nothing. What is removed may be anything. */
function checkUpdate({ type, effect, rules, scope }: RuleUpdate): void {
  if (type === 'removeRules') return;
  rules.forEach(checkRule);
  const [problem] = ruleProblems(rules.map((text) => ({ effect, text, scope })));
  if (problem !== undefined) throw new Error(problem);
}

/** @throws Error for a text that is no rule, saying what is wrong with it. */
function checkRule(text: string): void {
  const rule = parseRule(text);
  if (!isRule(rule)) throw new Error(t('{0} is not a valid rule. {1}', nameOf(text), rule.problem));
}
