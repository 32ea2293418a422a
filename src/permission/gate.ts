import type { Gate, GateRequest, Judgement, PermissionRule, RuleBook } from '../domain/permission.js';
import type { Call, Surroundings } from './call.js';
import { lookUp } from './call.js';
import { decide } from './decide.js';
import { findNeeds } from './needs.js';
import { proposalFor } from './proposal.js';
import { isRule, parseRule } from './rule.js';
import { RuleSet } from './rule-set.js';
import { quoted } from './rule-words.js';
import { findHits } from './strict-rules.js';

/** What a gate works with. */
export interface GateOptions extends Surroundings {
  /** Whether file names that differ only in case are the same file here. Protected names never depend on case. */
  readonly caseInsensitive: boolean;
  readonly rules: RuleBook;
  /** Whether the person trusts the workspace now. */
  readonly trusted: () => boolean;
}

/** Makes the gate that all calls of all sessions pass. The rules of a session it keeps itself, until the process ends. */
export function createGate(options: GateOptions): Gate {
  const sessions = new Map<string, readonly PermissionRule[]>();
  return {
    async judge(request, signal): Promise<Judgement> {
      const call = await lookUp(request.plan, options, signal);
      signal.throwIfAborted();
      const own = sessions.get(request.sessionId) ?? [];
      return decideOn(call, request, new RuleSet([...options.rules.rules(), ...own], options.caseInsensitive), options.trusted());
    },
    async remember({ sessionId }, rules, scope) {
      const texts = rules.map((rule) => rule.trim());
      for (const text of texts) checkRule(text);
      if (scope !== 'session') return options.rules.add(texts, scope);
      const added = texts.map((text): PermissionRule => ({ effect: 'allow', text, scope }));
      sessions.set(sessionId, [...(sessions.get(sessionId) ?? []), ...added]);
    },
  };
}

function decideOn(call: Call, { mode }: GateRequest, rules: RuleSet, trusted: boolean): Judgement {
  const needs = findNeeds(call, rules);
  return decide({
    mode,
    trusted,
    call,
    needs,
    denies: findHits(call, rules, 'deny'),
    asks: findHits(call, rules, 'ask'),
    unreadable: rules.unreadable,
    proposal: proposalFor(call, needs, rules),
  });
}

/** @throws Error for a text that is no rule, saying what is wrong with it. */
function checkRule(text: string): void {
  const rule = parseRule(text);
  if (!isRule(rule)) throw new Error(`${quoted(text)} cannot be read as a rule. ${rule.problem}`);
}
