import { t } from '../domain/l10n.js';
import { withoutBypass } from '../domain/tool/narrow-mode.js';
import type { Gate, GateRequest, Judgment, RuleBook, RuleUpdate } from '../domain/tool/permission.js';
import type { TurnGrant } from '../domain/tool/turn-grant.js';
import { type Call, type Need, lookUp } from './call.js';
import { type Facts, decide } from './decide.js';
import { lookAtChanges } from './files/loaded-change.js';
import { lookBelow } from './files/look-below.js';
import { findNeeds } from './needs.js';
import { isRule, parseRule } from './rules/rule.js';
import { RuleSet, ruleProblems } from './rules/rule-set.js';
import { nameOf } from './rules/rule-words.js';
import { SessionRules } from './rules/session-rules.js';
import { findHits } from './rules/strict-rules.js';
import { turnRules } from './rules/turn-rules.js';
import type { Surroundings } from './surroundings.js';
import { exactRule } from './rules/command-rule.js';

/** Sources of permission decisions: rules, approvals, Workspace Trust, and the settings for bypass mode. */
export interface GateOptions extends Surroundings {
  /** Whether file names that differ only in case are the same file here. Protected names never depend on case. */
  readonly caseInsensitive: boolean;
  readonly rules: RuleBook;
  /** The rules of sessions. Left out: the gate keeps them to itself. */
  readonly sessionRules?: SessionRules;
  /** Whether the user has approved what a skill or command names, exactly as it is. Left out: nothing of that is. */
  readonly approved?: (grant: TurnGrant) => Promise<boolean>;
  /** Whether the user trusts the workspace now. */
  readonly trusted: () => boolean;
  /** Whether the mode that bypasses permissions is taken away now; asked when the rules are known. Left out: it is not. */
  readonly bypassDisabled?: () => boolean;
}

/** Makes the gate that all calls of all sessions pass. */
export function createGate(options: GateOptions): Gate {
  const { sessionRules = new SessionRules() } = options;
  return {
    async judge(request, signal): Promise<Judgment> {
      await options.rules.ready?.();
      const ofTurn = await Promise.all((request.grants ?? []).map(async (grant) => ((await options.approved?.(grant)) === true ? turnRules(grant) : [])));
      // Those of the turn come last: where another rule allows the same, it is that one that does.
      const rules = new RuleSet([...options.rules.rules(), ...sessionRules.of(request.sessionId), ...ofTurn.flat()], options.caseInsensitive);
      const found = await lookUp(request, rules, options, signal);
      const call = await lookAtChanges(await lookBelow(found, rules, options.walk, signal), options, signal);
      signal.throwIfAborted();
      const mode = options.bypassDisabled?.() === true ? withoutBypass(request.mode) : request.mode;
      return decideOn(call, { ...request, mode }, rules, options.trusted());
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

function decideOn(call: Call, { mode, hook }: GateRequest, rules: RuleSet, trusted: boolean): Judgment {
  const needs = findNeeds(call, rules);
  return decide({
    mode,
    trusted,
    call,
    needs,
    denies: findHits(call, rules, 'deny'),
    asks: findHits(call, rules, 'ask'),
    unreadable: rules.unreadable,
    ...offersFor(call, needs, rules),
    hook,
  });
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

/** Rules that one prompt proposes at most; where more would be needed, the line as a whole is proposed. */
const MAX_PROPOSED = 10;

/** Rules that “Always allow” offers: for this call, and for the folders that it reads in. */
function offersFor(call: Call, needs: readonly Need[], rules: RuleSet): Pick<Facts, 'proposal' | 'wider'> {
  const proposal = proposalFor(call, needs, rules);
  if (proposal === undefined) return { proposal };
  const broader = new Map(needs.flatMap(({ proposal: rule, wider }) => (rule === undefined || wider === undefined ? [] : [[rule, wider] as const])));
  const wider = [...new Set(proposal.map((rule) => broader.get(rule) ?? rule))];
  const works = wider.some((rule) => !proposal.includes(rule)) && findNeeds(call, rules.allowing(wider)).every(({ by }) => by !== undefined);
  return { proposal, ...(works ? { wider } : {}) };
}

/**
 * The rules that would let a call pass: one for each thing that needs approval, or one for exactly this command line.
 * Only what is found to work is proposed; `undefined` when no rules could do.
 */
function proposalFor(call: Call, needs: readonly Need[], rules: RuleSet): readonly string[] | undefined {
  const missing = needs.filter(({ by }) => by === undefined);
  if (missing.length === 0) return undefined;
  const single = [...new Set(missing.flatMap(({ proposal }) => (proposal === undefined ? [] : [proposal])))];
  const line = call.command === undefined ? undefined : exactRule(call.command.line);
  const others = missing.flatMap(({ kind, proposal }) => (kind === 'ordinary' || proposal === undefined ? [] : [proposal]));
  const whole = line === undefined ? [] : [[...new Set([line, ...others])]];
  const candidates = [single, ...whole].filter((texts) => texts.length > 0 && texts.length <= MAX_PROPOSED);
  return candidates.find((texts) => findNeeds(call, rules.allowing(texts)).every(({ by }) => by !== undefined));
}
