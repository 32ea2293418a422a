import type { HookedCall } from '../../hook/hits.js';
import type { CommandPattern } from '../../permission/rules/command-pattern.js';
import { fitsWildcards, mentionsWildcards } from '../../permission/rules/wildcard-pattern.js';
import { isRule, mayBeAbout, parseRule } from '../../permission/rules/rule.js';

/** Characters by which a command line is more than one command, or says something other than it does. */
const SEVERAL = /[;&|<>$`()\n\\"']/;
/** Tools that a rule about files or pages can be about; which files a command touches is not looked for here. */
const ABOUT: Readonly<Record<'read' | 'edit' | 'web', readonly string[]>> = {
  read: ['read', 'grep', 'glob', 'list', 'bash'],
  edit: ['edit', 'write', 'apply_patch', 'bash'],
  web: ['fetch', 'bash'],
};

/**
 * Whether a permission rule, the condition of a hook, is about a call; `undefined` when that is not plain. The hook runs then: it
 * guards something, and sees the whole call.
 */
export function ruleMatches(text: string, { tool, args }: HookedCall): boolean | undefined {
  const rule = parseRule(text);
  if (!isRule(rule)) return undefined;
  switch (rule.about) {
    case 'tool':
      // Which skill a call is about is not looked for here.
      return !mayBeAbout(rule, tool) ? false : rule.subject === undefined ? true : undefined;
    case 'nothing':
      return false;
    case 'command':
      if (tool !== 'bash') return false;
      if (rule.shell !== undefined) return undefined;
      return rule.pattern === undefined ? true : commandMatches(rule.pattern, args);
    default:
      if (!ABOUT[rule.about].includes(tool)) return false;
      return rule.pattern === undefined && tool !== 'bash' ? true : undefined;
  }
}

function commandMatches(pattern: CommandPattern, args: unknown): boolean | undefined {
  const command: unknown = typeof args === 'object' && args !== null ? Reflect.get(args, 'command') : undefined;
  if (typeof command !== 'string' || SEVERAL.test(command)) return undefined;
  const words = command.trim().split(/\s+/);
  if (pattern.kind === 'wildcard') return fitsWildcards(pattern, words) ? true : mentionsWildcards(pattern, words, (name) => name) ? undefined : false;
  const wanted = pattern.text.trim().split(/\s+/);
  if (wanted.every((word, index) => words[index] === word) && (pattern.kind === 'prefix' || words.length === wanted.length)) return true;
  // Options or a wrapper may stand in between, as in `sudo git -C x push`.
  return wanted.every((word) => words.some((each) => each === word || each.endsWith(`/${word}`))) ? undefined : false;
}
