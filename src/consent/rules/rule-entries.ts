import { t } from '../../domain/l10n.js';
import { type PermissionRule, type RuleEffect, RULE_EFFECTS } from '../../domain/tool/permission.js';
import { type RuleSource, isFile, isForeign, settingOf } from './rule-source.js';

/** Rules of one list that are read; the settings of a workspace can be anything. */
const MAX_RULES = 500;
/** Characters that a rule may have. */
const MAX_LENGTH = 1_000;
/** Characters of an entry that a message shows. */
const SHOWN_LENGTH = 80;

/** Says what is wrong with rules, in sentences; none where all can be read. */
export type RuleCheck = (rules: readonly PermissionRule[]) => readonly string[];

/** One entry of a list of rules. */
export interface RuleEntry {
  readonly source: RuleSource;
  /** The rule. For an entry that is no text, a text that cannot be read as a rule. */
  readonly rule: PermissionRule;
  /** The entry as it is written. */
  readonly written: unknown;
  /** Problems of the entry, naming setting and entry; empty for a valid rule. */
  readonly problems: readonly string[];
}

/**
 * The entries of a source's three lists. Nothing is left out: what cannot be read is there with its problems, so that a
 * rule that was meant to deny or ask can still restrict calls.
 */
export function entriesOf(source: RuleSource, check: RuleCheck): readonly RuleEntry[] {
  return RULE_EFFECTS.flatMap((effect) => {
    const list = source.lists[effect];
    if (list === undefined || list === null) return [];
    if (!Array.isArray(list))
      return [
        asEntry(source, effect, {
          written: list,
          problem: (shown) => t('{0} in {1} must be an array, not {2}.', settingOf(source, effect), source.label, shown),
        }),
      ];
    const read = list.slice(0, MAX_RULES).map((written, index) => entryOf(source, effect, { written, index, check }));
    return list.length <= MAX_RULES ? read : [...read, tooMany(source, effect)];
  });
}

interface Place {
  readonly written: unknown;
  readonly index: number;
  readonly check: RuleCheck;
}

function entryOf(source: RuleSource, effect: RuleEffect, { written, index, check }: Place): RuleEntry {
  const place = t('{0} in {1}', `${settingOf(source, effect)}[${index}]`, source.label);
  if (typeof written !== 'string') return asEntry(source, effect, { written, problem: (shown) => t('{0} must be a string, not {1}.', place, shown) });
  if (written.length > MAX_LENGTH)
    return asEntry(source, effect, { written, problem: (shown) => t('{0} is longer than {1} characters: {2}.', place, MAX_LENGTH, shown) });
  const rule = ruleOf(source, effect, written);
  return { source, rule, written, problems: check([rule]).map((problem) => `${place}: ${problem}`) };
}

/** An entry that is no rule. A text where a list belongs counts as its one rule, unless it allows something. */
function asEntry(source: RuleSource, effect: RuleEffect, { written, problem }: { written: unknown; problem: (shown: string) => string }): RuleEntry {
  const isText = typeof written === 'string' && written.length <= MAX_LENGTH;
  const text = isText ? written : unreadable(written);
  return { source, rule: ruleOf(source, effect, text), written, problems: [problem(shownEntry(written))] };
}

function tooMany(source: RuleSource, effect: RuleEffect): RuleEntry {
  const problem = t('{0} in {1} has more than {2} rules; the rest are ignored.', settingOf(source, effect), source.label, MAX_RULES);
  return { source, rule: ruleOf(source, effect, `(more than ${MAX_RULES} rules)`), written: undefined, problems: [problem] };
}

function ruleOf(source: RuleSource, effect: RuleEffect, text: string): PermissionRule {
  const scope = source.place === 'local' ? 'local' : isForeign(source) ? 'workspace' : 'user';
  return { effect, text, scope, ...(isFile(source) ? { file: source.label } : {}) };
}

/** No tool stands before the parenthesis, so that this is no rule whatever tools there are. */
function unreadable(written: unknown): string {
  return `(${shownEntry(written)})`;
}

function shownEntry(written: unknown): string {
  const text = JSON.stringify(written);
  return text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}…` : text;
}
