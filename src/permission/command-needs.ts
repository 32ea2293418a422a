import type { SimpleCommand } from '../domain/tool/command-analysis.js';
import { t } from '../domain/l10n.js';
import { present } from '../domain/present.js';
import type { Call, CommandFacts, Need } from './call.js';
import { allowsCommand, isExactly } from './rules/command-pattern.js';
import { type Gap, exactRule, gapOf, prefixRule } from './rules/command-rule.js';
import type { Bases } from './rules/path-pattern.js';
import type { ActiveRule, RuleSet } from './rules/rule-set.js';
import { isForShell } from './rules/rule.js';
import { nameOf, ruleText } from './rules/rule-labels.js';

/** Parts of a command line that need approval: all commands that are not known to be read-only. */
export function commandNeeds({ plan, command, bases }: Call, rules: RuleSet): readonly Need[] {
  if (command === undefined) return [];
  const allowing = rules.of('allow').filter(({ rule }) => rule.about === 'command' && isForShell(rule, command.shell));
  const line = allowing.find((active) => coversLine(active, command));
  const leave = line === undefined ? {} : { by: line.source };
  const exact = proposed(exactRule(command.line));
  const why = unreadableReason(command);
  if (why !== undefined) return [{ kind: 'ordinary', reason: why, ...leave, ...exact }];
  const { commands } = command.analysis;
  if (commands.length === 0) return [{ kind: 'ordinary', reason: t('The command line contains no command.'), ...leave, ...exact }];
  return commands
    .filter((one) => plan.unconfined === true || !isHarmless(one) || !isHeld(one, command))
    .map((one): Need => {
      const rule = line ?? allowing.find((active) => coversCommand(active, one, bases));
      const proposal = one.doubts.length > 0 ? {} : isAtHome(one, bases) ? proposed(prefixRule(one) ?? exactRule(one.source)) : exact;
      const plain = one.doubts.length === 0 && !isHarmless(one);
      const gap = rule === undefined ? gapIn(allowing, one) : undefined;
      const reason = [reasonFor(one, command), ...(gap === undefined ? [] : [gap])].join(' ');
      return { kind: 'ordinary', reason, ...(plain && gap === undefined ? { plain } : {}), ...present({ by: rule?.source }), ...proposal };
    });
}

/** Whether a command is known to only read, whatever the rules say. */
export function isHarmless({ readsOnly, doubts }: SimpleCommand): boolean {
  return readsOnly && doubts.length === 0;
}

/** Commands of the shell itself and programs that are given no files: even what is wrong about their options does no harm. */
const INERT: ReadonlySet<string | undefined> = new Set([
  'echo',
  'printf',
  'pwd',
  'true',
  'false',
  ':',
  'exit',
  'cd',
  'test',
  '[',
  '[[',
  'basename',
  'dirname',
  'seq',
  'sleep',
  'wait',
  'whoami',
  'uname',
  'arch',
  'nproc',
]);

/** Whether a wrong analysis of a command would do no harm: the sandbox contains it, or its program is inert. The second line of defense. */
function isHeld({ words }: SimpleCommand, { unheld }: CommandFacts): boolean {
  return unheld === undefined || INERT.has(words[0]);
}

/** Why a command line cannot be judged by its commands, as a sentence. */
export function unreadableReason({ shell, analysis }: CommandFacts): string | undefined {
  if (shell === 'other') return t('Gnomon cannot analyze commands of this shell. Only a rule for exactly this command can allow it.');
  return analysis.unreadable === undefined ? undefined : t('The command cannot be analyzed: {0}', analysis.unreadable);
}

/** Whether a rule is about exactly this command line. It then covers it as a whole. */
export function coversLine({ rule }: ActiveRule, { line }: CommandFacts): boolean {
  return rule.about === 'command' && rule.pattern !== undefined && isExactly(rule.pattern, line);
}

/**
 * A rule without a pattern explicitly covers every command, also a doubtful one. All others are made for the workspace
 * folder: elsewhere the same command can run something else (`cd node_modules/x && npm test`).
 */
function coversCommand({ rule }: ActiveRule, command: SimpleCommand, bases: Bases): boolean {
  if (rule.about !== 'command') return false;
  return (
    rule.pattern === undefined ||
    (isAtHome(command, bases) && command.doubts.length === 0 && allowsCommand(rule.pattern, command) && gapOf(rule.pattern, command) === undefined)
  );
}

/** Reason why a matching rule does not cover the command, as a sentence. */
function gapIn(allowing: readonly ActiveRule[], command: SimpleCommand): string | undefined {
  for (const { rule, source } of allowing) {
    if (rule.about !== 'command' || rule.pattern === undefined || !allowsCommand(rule.pattern, command)) continue;
    const gap = gapOf(rule.pattern, command);
    if (gap !== undefined) return gapText(gap, ruleText(source));
  }
  return undefined;
}

function gapText(gap: Gap, rule: string): string {
  if (gap.type === 'program') return t('{0} does not cover it: Gnomon does not know which arguments of this program run other code.', rule);
  return t('{0} does not cover {1}, which may run other code or write elsewhere.', rule, nameOf(gap.argument));
}

/** Whether a command runs in a workspace folder itself. */
function isAtHome({ folders }: SimpleCommand, bases: Bases): boolean {
  return folders?.every((folder) => bases.folders.flat().includes(folder)) === true;
}

function reasonFor(one: SimpleCommand, { unheld }: CommandFacts): string {
  if (isHarmless(one) && unheld !== undefined) return [t('{0} is a read-only command.', nameOf(one.source)), unheld].join(' ');
  return [t('{0} isn’t covered by your allow rules.', nameOf(one.source)), ...one.doubts].join(' ');
}

function proposed(rule: string | undefined): Pick<Need, 'proposal'> {
  return rule === undefined ? {} : { proposal: rule };
}
