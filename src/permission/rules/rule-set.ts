import { t } from '../../domain/l10n.js';
import type { PermissionRule, RuleEffect } from '../../domain/tool/permission.js';
import { canonicalName } from '../files/canonical-name.js';
import { type Fold, type PathPattern, compilePath } from './path-pattern.js';
import { type Rule, isForAllForeign, isRule, parseRule } from './rule.js';
import { unreadableRule } from './rule-labels.js';

/** A rule that was read. */
export interface ActiveRule {
  readonly source: PermissionRule;
  readonly rule: Rule;
  /** The files that it is about, for rules about files with a pattern. */
  readonly path?: PathPattern;
}

/** The rules that apply to a call, parsed and grouped by effect. */
export class RuleSet {
  /** Deny and ask rules that cannot be parsed: what they would restrict is not known. */
  readonly unreadable: readonly PermissionRule[];
  /** Problems of invalid rules, as sentences. */
  readonly problems: readonly string[];
  private readonly active: readonly ActiveRule[];

  constructor(
    private readonly sources: readonly PermissionRule[],
    /** Whether names that differ only in case are the same. */
    readonly caseInsensitive: boolean,
  ) {
    const active: ActiveRule[] = [];
    const unreadable: PermissionRule[] = [];
    const problems: string[] = [];
    for (const source of sources) {
      const rule = parseRule(source.text);
      if (isRule(rule) && source.effect === 'allow' && isForAllForeign(rule))
        problems.push(unreadableRule(source, t('It would allow the tools of all servers. Name the server, as in mcp__server.')));
      else if (isRule(rule)) active.push({ source, rule, ...compiled(rule, foldFor(source.effect, caseInsensitive)) });
      else {
        problems.push(unreadableRule(source, rule.problem));
        if (source.effect !== 'allow') unreadable.push(source);
      }
    }
    this.active = active;
    this.unreadable = unreadable;
    this.problems = problems;
  }

  /** The rules with an effect, in the order in which they were given. */
  of(effect: RuleEffect): readonly ActiveRule[] {
    return this.active.filter(({ source }) => source.effect === effect);
  }

  /** These rules and further ones that allow. */
  allowing(texts: readonly string[]): RuleSet {
    const more = texts.map((text): PermissionRule => ({ effect: 'allow', text, scope: 'session' }));
    return new RuleSet([...this.sources, ...more], this.caseInsensitive);
  }
}

/** Problems of rules, as sentences for the user: each names its rule and says how to write it. */
export function ruleProblems(rules: readonly PermissionRule[]): readonly string[] {
  return new RuleSet(rules, false).problems;
}

function compiled(rule: Rule, fold: Fold): Pick<ActiveRule, 'path'> {
  return (rule.about === 'read' || rule.about === 'edit') && rule.pattern !== undefined ? { path: compilePath(rule.pattern, fold) } : {};
}

/** Restricting rules compare names as loosely as any file system does, allow rules as exactly as this one does. */
function foldFor(effect: RuleEffect, caseInsensitive: boolean): Fold {
  if (effect !== 'allow') return canonicalName;
  return caseInsensitive ? (name) => name.normalize('NFC').toLowerCase() : (name) => name;
}
