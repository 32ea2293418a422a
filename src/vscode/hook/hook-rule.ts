import type { HookedCall } from '../../hook/hits.js';
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
      return mayBeAbout(rule, tool);
    case 'command':
      if (tool !== 'bash') return false;
      return rule.pattern === undefined ? true : commandMatches(rule.pattern.text, rule.pattern.kind === 'exact', args);
    default:
      if (!ABOUT[rule.about].includes(tool)) return false;
      return rule.pattern === undefined && tool !== 'bash' ? true : undefined;
  }
}

function commandMatches(pattern: string, exact: boolean, args: unknown): boolean | undefined {
  const command: unknown = typeof args === 'object' && args !== null ? Reflect.get(args, 'command') : undefined;
  if (typeof command !== 'string' || SEVERAL.test(command)) return undefined;
  const words = command.trim().split(/\s+/);
  const wanted = pattern.trim().split(/\s+/);
  if (wanted.every((word, index) => words[index] === word) && (!exact || words.length === wanted.length)) return true;
  // Options or a wrapper may stand in between, as in `sudo git -C x push`.
  return wanted.every((word) => words.some((each) => each === word || each.endsWith(`/${word}`))) ? undefined : false;
}
