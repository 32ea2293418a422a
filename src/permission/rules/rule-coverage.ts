import { t } from '../../domain/l10n.js';
import type { PermissionRule } from '../../domain/tool/permission.js';
import { readingPrograms } from '../shell/readers/index.js';
import { coversSomething, isForScript } from './command-rule.js';
import { isPrefixKnown, isWholeCommand } from './known/index.js';
import { type Rule, isRule, parseRule } from './rule.js';

/** Limit of a rule that covers less than its text suggests. */
export interface RuleLimit {
  /** `nothing`: no call at all. `other_program`: none, as its tool is of another program. `part`: only what is known of its program. */
  readonly kind: 'nothing' | 'other_program' | 'part';
  /** Why, as a sentence. */
  readonly why: string;
}

/** Programs that are known to only read with some options. */
const READERS: ReadonlySet<string> = new Set(readingPrograms());

/** Limit of a valid rule that covers less than its text suggests, for the user; `undefined` for all others. */
export function limitOf({ effect, text }: PermissionRule): RuleLimit | undefined {
  const rule = parseRule(text);
  if (!isRule(rule)) return undefined;
  if (rule.about === 'nothing') return { kind: 'other_program', why: t('Only {0} has this tool, so the rule is about no call here.', rule.program) };
  if (effect !== 'allow' || rule.about !== 'command' || rule.pattern === undefined || rule.pattern.kind === 'exact') return undefined;
  if (isForScript(rule.pattern)) return { kind: 'part', why: t('It covers this script without arguments.') };
  if (!coversNothing(rule))
    return rule.pattern.kind === 'prefix' && isWhole(rule.pattern.text)
      ? undefined
      : { kind: 'part', why: t('It covers only commands that Gnomon knows to run no other code.') };
  return {
    kind: 'nothing',
    why: t('Gnomon does not know which arguments of this program run other code, so each command asks. Allow it in a request to save the exact line.'),
  };
}

/** Whether a prefix is all that a known command is called, or a program that only reads. */
function isWhole(prefix: string): boolean {
  const words = prefix.split(/\s+/);
  return isWholeCommand(words) || (READERS.has(words[0] ?? '') && !isPrefixKnown(words));
}

/** Whether an allow rule lets no call pass, though it can be read. */
export function coversNothing(rule: Rule): boolean {
  return rule.about === 'command' && rule.pattern !== undefined && !coversSomething(rule.pattern, READERS);
}
