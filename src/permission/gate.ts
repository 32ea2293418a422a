import { t } from '../domain/l10n.js';
import { ruleOfUse } from '../domain/tool/model-use.js';
import type { Gate, Judgment, RuleUpdate } from '../domain/tool/permission.js';
import type { Plan } from '../domain/tool/tool.js';
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
    async remember({ sessionId, plan }, rules, scope) {
      const all = rules.map((rule) => rule.trim());
      for (const text of all) checkRule(text);
      const texts = await withoutUses(all, plan, options);
      if (texts.length === 0) return;
      if (scope !== 'session') return options.rules.add(texts, scope);
      sessionRules.update(sessionId, { type: 'addRules', effect: 'allow', rules: texts });
    },
    async update({ sessionId, plan }, updates) {
      const all = updates.map((update) => ({ ...update, rules: update.rules.map((rule) => rule.trim()) }));
      all.forEach(checkUpdate);
      const trimmed: RuleUpdate[] = [];
      for (const update of all) {
        const adds = update.type === 'addRules' && update.effect === 'allow';
        const rest = adds ? await withoutUses(update.rules, plan, options) : update.rules;
        if (rest.length > 0 || !adds) trimmed.push({ ...update, rules: rest });
      }
      for (const { scope, ...update } of trimmed) if (scope !== 'session') await options.rules.update({ ...update, scope });
      for (const { scope, ...update } of trimmed) if (scope === 'session') sessionRules.update(sessionId, update);
    },
  };
}

/** Keeps the approval of a model for the agent of a plan, wherever an answer wants it to be kept. @returns the other rules */
async function withoutUses(rules: readonly string[], { accesses }: Plan, { modelUses }: GateOptions): Promise<readonly string[]> {
  const uses = accesses.flatMap((access) => (access.uses === undefined || !rules.includes(ruleOfUse(access.uses)) ? [] : [access.uses]));
  if (modelUses === undefined) return rules;
  for (const use of uses) await modelUses.approve(use);
  return rules.filter((rule) => !uses.some((use) => ruleOfUse(use) === rule));
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
