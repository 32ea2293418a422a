import { withoutBypass } from '../domain/tool/narrow-mode.js';
import { type ModelUse, ruleOfUse } from '../domain/tool/model-use.js';
import type { GateRequest, Judgment, PermissionRule, RuleBook } from '../domain/tool/permission.js';
import type { TurnGrant } from '../domain/tool/turn-grant.js';
import { type Call, type Need, lookUp } from './call.js';
import { type Facts, decide } from './decide.js';
import { lookAtChanges } from './files/loaded-change.js';
import { lookBelow } from './files/look-below.js';
import { findNeeds } from './needs.js';
import { exactRule } from './rules/command-rule.js';
import { RuleSet } from './rules/rule-set.js';
import type { SessionRules } from './rules/session-rules.js';
import { findHits } from './rules/strict-rules.js';
import { turnRules } from './rules/turn-rules.js';
import type { Surroundings } from './surroundings.js';

/** Approvals of models for agents. */
export interface ModelUses {
  /** Those that are valid now. */
  rules(): readonly PermissionRule[];
  /** @throws Error with a sentence for the user where it cannot be kept */
  approve(use: ModelUse): Promise<void>;
}

/** Sources of permission decisions: rules, approvals, Workspace Trust, and the settings for bypass mode. */
export interface GateOptions extends Surroundings {
  /** Whether file names that differ only in case are the same file here. Protected names never depend on case. */
  readonly caseInsensitive: boolean;
  readonly rules: RuleBook;
  /** The rules of sessions. Left out: the gate keeps them to itself. */
  readonly sessionRules?: SessionRules;
  /** Whether the user has approved what a skill or command names, exactly as it is. Left out: nothing of that is. */
  readonly approved?: (grant: TurnGrant) => Promise<boolean>;
  /** The user's approvals of models for agents. Left out: there are none, and none is kept. */
  readonly modelUses?: ModelUses;
  /** Whether the user trusts the workspace now. */
  readonly trusted: () => boolean;
  /** Whether the mode that bypasses permissions is taken away now; asked when the rules are known. Left out: it is not. */
  readonly bypassDisabled?: () => boolean;
}

/**
 * Judges a call by the rules as they are now, which are known by then, and touches nothing.
 * @throws AbortError when the signal is aborted
 */
export async function judge(request: GateRequest, options: GateOptions & Required<Pick<GateOptions, 'sessionRules'>>, signal: AbortSignal): Promise<Judgment> {
  const ofTurn = await Promise.all((request.grants ?? []).map(async (grant) => ((await options.approved?.(grant)) === true ? turnRules(grant) : [])));
  // Those of the turn come last: where another rule allows the same, it is that one that does.
  const approved = options.modelUses?.rules() ?? [];
  const rules = new RuleSet([...options.rules.rules(), ...approved, ...options.sessionRules.of(request.sessionId), ...ofTurn.flat()], options.caseInsensitive);
  const found = await lookUp(request, rules, options, signal);
  const call = await lookAtChanges(await lookBelow(found, rules, options.walk, signal), options, signal);
  signal.throwIfAborted();
  const mode = options.bypassDisabled?.() === true ? withoutBypass(request.mode) : request.mode;
  return decideOn(call, { ...request, mode }, rules, options.trusted());
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

/** Rules that one prompt proposes at most; where more would be needed, the line as a whole is proposed. */
const MAX_PROPOSED = 10;

/** Rules that “Always allow” offers: for this call, and for the folders that it reads in. */
function offersFor(call: Call, needs: readonly Need[], rules: RuleSet): Pick<Facts, 'proposal' | 'uses' | 'wider'> {
  const proposal = proposalFor(call, needs, rules);
  if (proposal === undefined) return { proposal };
  const uses = call.plan.accesses.find((access) => access.uses !== undefined && proposal.includes(ruleOfUse(access.uses)))?.uses;
  if (uses !== undefined) return { proposal, uses };
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
