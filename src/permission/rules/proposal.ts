import type { Call } from '../call.js';
import { exactRule } from './command-rule.js';
import type { Need } from '../needs.js';
import { findNeeds } from '../needs.js';
import type { RuleSet } from './rule-set.js';

/** Rules that one prompt proposes at most; where more would be needed, the line as a whole is proposed. */
const MAX_PROPOSED = 10;

/**
 * The rules that would let a call pass: one for each thing that needs leave, or one for exactly this command line.
 * Only what is found to work is proposed; `undefined` when no rules could do.
 */
export function proposalFor(call: Call, needs: readonly Need[], rules: RuleSet): readonly string[] | undefined {
  const missing = needs.filter(({ by }) => by === undefined);
  if (missing.length === 0) return undefined;
  const single = [...new Set(missing.flatMap(({ proposal }) => (proposal === undefined ? [] : [proposal])))];
  const line = call.command === undefined ? undefined : exactRule(call.command.line);
  const others = missing.flatMap(({ kind, proposal }) => (kind === 'ordinary' || proposal === undefined ? [] : [proposal]));
  const whole = line === undefined ? [] : [[...new Set([line, ...others])]];
  const candidates = [single, ...whole].filter((texts) => texts.length > 0 && texts.length <= MAX_PROPOSED);
  return candidates.find((texts) => findNeeds(call, rules.allowing(texts)).every(({ by }) => by !== undefined));
}
