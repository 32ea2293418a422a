import { type Denial, type JudgedDenial, type RuleScope, RULE_SCOPES } from '../../domain/tool/denial.js';
import type { ToldDenial } from '../../domain/tool/outcome.js';

/** Where a rule was said to be, by its scope. */
const PLACES: Readonly<Record<RuleScope, string>> = {
  session: 'for this chat',
  local: 'in the local settings',
  workspace: 'in the workspace settings',
  user: 'in the user settings',
};
const PLAIN: ReadonlyMap<string, JudgedDenial> = new Map<string, JudgedDenial>([
  ['This workspace is not trusted, so Gnomon only reads in it.', { kind: 'untrusted' }],
  ['Plan mode only reads; nothing may be changed or run.', { kind: 'plan_mode' }],
  ['Nothing allows it.', { kind: 'nothing_allows' }],
]);
const BY_USER = /^The user denied this call; nothing was done\.(?: They said: ([^]*))?$/;
const MODE = /^The permission mode “([^]*)” is not known\.$/;
/** The place of a file is tried last: what is after it may be anything. */
const RULE = /^The deny rule ([^]*?) ((?:for|in) [a-z ]+?) forbids `([^]*)`\.$/;
const RULE_OF_FILE = /^The deny rule ([^]*?) in the file ([^]*?) forbids `([^]*)`\.$/;
const AGENT = /^The agent “([^]*)” (does not have this tool\.|may not have the user asked, and no rule allows this\.)$/;
const HOOK = /^The hook ([^]*?) (blocked it|was to decide about it and gave no answer): ([^]*)$/;

/**
 * The denial that older versions stored as a reason: their sentence for the model, or what the user said. Where the text that the model
 * got says that it was the user, that counts. These sentences never change.
 */
export function oldDenial(reason: string, told: string): Denial | ToldDenial {
  const said = BY_USER.exec(told);
  if (said !== null) return said[1] === undefined ? { kind: 'user' } : { kind: 'user', said: said[1] };
  return PLAIN.get(reason) ?? ofMode(reason) ?? ofRule(reason) ?? ofAgent(reason) ?? ofHook(reason) ?? { kind: 'told', reason };
}

function ofMode(reason: string): JudgedDenial | undefined {
  const mode = MODE.exec(reason)?.[1];
  return mode === undefined ? undefined : { kind: 'unknown_mode', mode };
}

function ofRule(reason: string): JudgedDenial | undefined {
  const [, ruleOfFile, file, forbidden] = RULE_OF_FILE.exec(reason) ?? [];
  // The scope was not told beside a file, and makes no difference then.
  if (ruleOfFile !== undefined && file !== undefined && forbidden !== undefined)
    return { kind: 'rule', rule: ruleOfFile, scope: 'workspace', file, what: forbidden };
  const [, rule, place, what] = RULE.exec(reason) ?? [];
  const scope = RULE_SCOPES.find((each) => PLACES[each] === place);
  return rule === undefined || scope === undefined || what === undefined ? undefined : { kind: 'rule', rule, scope, what };
}

function ofAgent(reason: string): JudgedDenial | undefined {
  const [, agent, cannot = ''] = AGENT.exec(reason) ?? [];
  return agent === undefined ? undefined : { kind: 'agent', agent, cannot: cannot.startsWith('does') ? 'use' : 'ask' };
}

function ofHook(reason: string): JudgedDenial | undefined {
  const [, by, verb, why] = HOOK.exec(reason) ?? [];
  return by === undefined || why === undefined ? undefined : { kind: 'hook', by, reason: why, answered: verb === 'blocked it' };
}
