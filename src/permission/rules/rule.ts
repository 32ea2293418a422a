import { t } from '../../domain/l10n.js';
import type { CommandPattern } from './command-pattern.js';
import { parseCommandPattern } from './command-pattern.js';
import type { HostPattern } from './host-pattern.js';
import { parseHostPattern } from './host-pattern.js';
import { pathPatternProblem } from './path-pattern.js';
import type { RuleTool } from './rule-tools.js';
import { KNOWN_TOOLS, ruleToolOf } from './rule-tools.js';

/** What a rule is about; docs/permissions.md describes how each is written. */
export type Rule =
  /** Command lines; without a pattern all of them. */
  | { readonly about: 'command'; readonly pattern?: CommandPattern }
  /** Files that are read or changed, by whatever tool or command; without a pattern all of them. */
  | { readonly about: 'read' | 'edit'; readonly pattern?: string }
  /** Web pages; without a pattern all of them. */
  | { readonly about: 'web'; readonly pattern?: HostPattern }
  /** Every call of the tools with this name; at the end of it, `*` stands for anything. */
  | { readonly about: 'tool'; readonly name: string };

/** Why a rule cannot be read, as a sentence that says how to write it. */
export interface RuleProblem {
  readonly problem: string;
}

/** Characters of a rule, at most. */
export const MAX_RULE_CHARACTERS = 2_000;

/** Reads a rule as it is written, such as `Bash(npm test:*)`. Never guesses: what is not clear is a problem. */
export function parseRule(text: string): Rule | RuleProblem {
  const rule = text.trim();
  if (rule === '') return { problem: t('The rule is empty.') };
  if (rule.length > MAX_RULE_CHARACTERS) return { problem: t('The rule is longer than {0} characters.', MAX_RULE_CHARACTERS) };
  if (/[\p{Cc}\u2028\u2029]/u.test(rule)) return { problem: t('A rule is one line without control characters.') };
  const name = /^[\w-]+(?:\*)?/.exec(rule)?.[0] ?? '';
  const tool = ruleToolOf(name);
  if (tool === undefined) return { problem: t('It does not begin with the name of a tool. Names are {0}, mcp__server__tool and ext__extension__tool.', KNOWN_TOOLS) };
  const rest = rule.slice(name.length);
  if (rest === '') return wholeTool(tool);
  if (!rest.startsWith('(') || !rest.endsWith(')')) return { problem: t('After {0} comes nothing, or a pattern in parentheses: {1}(…).', name, name) };
  const pattern = rest.slice(1, -1).trim();
  if (!isBalanced(pattern)) return { problem: t('The parentheses do not pair up.') };
  if (pattern === '') return { problem: t('There is nothing in the parentheses. For all calls write {0} alone.', name) };
  return pattern === '*' ? wholeTool(tool) : withPattern(tool, { name, pattern });
}

/** Whether {@link parseRule} could read a rule. */
export function isRule(parsed: Rule | RuleProblem): parsed is Rule {
  return 'about' in parsed;
}

function wholeTool(named: RuleTool): Rule {
  if ('tool' in named) return { about: 'tool', name: named.tool };
  return { about: named.about };
}

function withPattern({ about }: RuleTool, { name, pattern }: { name: string; pattern: string }): Rule | RuleProblem {
  switch (about) {
    case 'command': {
      const parsed = parseCommandPattern(pattern);
      return 'problem' in parsed ? parsed : { about, pattern: parsed };
    }
    case 'read':
    case 'edit': {
      const problem = pathPatternProblem(pattern);
      return problem === undefined ? { about, pattern } : { problem };
    }
    case 'web': {
      const parsed = parseHostPattern(pattern);
      return 'problem' in parsed ? parsed : { about, pattern: parsed };
    }
    case 'tool':
      return { problem: t('Rules for {0} have no pattern. Write {1} alone.', name, name) };
  }
}

function isBalanced(text: string): boolean {
  let depth = 0;
  for (const character of text) {
    if (character === '(') depth += 1;
    if (character === ')') depth -= 1;
    if (depth < 0) return false;
  }
  return depth === 0;
}
