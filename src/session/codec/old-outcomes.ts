import type { ToolResultMessage } from '../../domain/model/message.js';
import { type Denial, type JudgedDenial, RULE_SCOPES, type RuleScope } from '../../domain/tool/denial.js';
import type { CallOutcome, ModelNote, ToldDenial } from '../../domain/tool/outcome.js';
import { oldCommand, oldFailure, oldNotRun, oldSuccess, partialMarks, type ReadText } from './old-results.js';

const CHANGED = 'The user changed this call before allowing it.';
const CANCELLED = 'Cancelled by the user.';
const UNSTARTED = 'Not executed: the user stopped the answer.';
const ARGUMENTS = '[Arguments: ';
const AGAIN: readonly string[] = [
  '[This has failed in the same way several times in a row. Do not send it again as it is: find out why it fails, try another way, or ask the user.]',
  '[This has brought the same result several times in a row. Do not repeat it: work with what you have, try another way, or ask the user.]',
];
const PAGE = /^[^\n]*\n<web_page>\n[^]*\n<\/web_page>(?:\n\[PARTIAL: [^\n]*)?$/;
/** Tools of which a failed result was nothing but a sentence for the model. */
const FAIL_IN_WORDS: ReadonlySet<string> = new Set([
  'read',
  'write',
  'edit',
  'apply_patch',
  'grep',
  'glob',
  'list',
  'symbols',
  'diagnostics',
  'todo',
  'ask',
  'jobs',
  'fetch',
  'web_search',
  'skill',
]);

/** Where a rule was said to be, by its scope. */
const PLACES: Readonly<Record<RuleScope, string>> = {
  session: 'for this chat',
  local: 'in the local settings',
  workspace: 'in the workspace settings',
  user: 'in the user settings',
};
const PLAIN: ReadonlyMap<string, JudgedDenial> = new Map<string, JudgedDenial>([
  ['This workspace is not trusted, so Gnomon only reads in it.', { kind: 'untrusted' }],
  ['Plan mode only reads; nothing may be changed or run.', { kind: 'plan_mode' }],
  ['Nothing allows it.', { kind: 'nothing_allows' }],
]);
const BY_USER = /^The user denied this call; nothing was done\.(?: They said: ([^]*))?$/;
const MODE = /^The permission mode “([^]*)” is not known\.$/;
/** The place of a file is tried last: what is after it may be anything. */
const RULE = /^The deny rule ([^]*?) ((?:for|in) [a-z ]+?) forbids `([^]*)`\.$/;
const RULE_OF_FILE = /^The deny rule ([^]*?) in the file ([^]*?) forbids `([^]*)`\.$/;
const AGENT = /^The agent “([^]*)” (does not have this tool\.|may not have the user asked, and no rule allows this\.)$/;
const HOOK = /^The hook ([^]*?) (blocked it|was to decide about it and gave no answer): ([^]*)$/;

/**
 * The denial that older versions stored as a reason: their sentence for the model, or what the user said. Where the text that the model
 * got says that it was the user, that counts. These sentences never change.
 */
function oldDenial(reason: string, told: string): Denial | ToldDenial {
  const said = BY_USER.exec(told);
  if (said !== null) return said[1] === undefined ? { kind: 'user' } : { kind: 'user', said: said[1] };
  return PLAIN.get(reason) ?? ofMode(reason) ?? ofRule(reason) ?? ofAgent(reason) ?? ofHook(reason) ?? { kind: 'told', reason };
}

function ofMode(reason: string): JudgedDenial | undefined {
  const mode = MODE.exec(reason)?.[1];
  return mode === undefined ? undefined : { kind: 'unknown_mode', mode };
}

function ofRule(reason: string): JudgedDenial | undefined {
  const [, ruleOfFile, file, forbidden] = RULE_OF_FILE.exec(reason) ?? [];
  // The scope was not written beside a file, and makes no difference then.
  if (ruleOfFile !== undefined && file !== undefined && forbidden !== undefined)
    return { kind: 'rule', rule: ruleOfFile, scope: 'workspace', file, what: forbidden };
  const [, rule, place, what] = RULE.exec(reason) ?? [];
  const scope = RULE_SCOPES.find((each) => PLACES[each] === place);
  return rule === undefined || scope === undefined || what === undefined ? undefined : { kind: 'rule', rule, scope, what };
}

function ofAgent(reason: string): JudgedDenial | undefined {
  const [, agent, cannot = ''] = AGENT.exec(reason) ?? [];
  return agent === undefined ? undefined : { kind: 'agent', agent, cannot: cannot.startsWith('does') ? 'use' : 'ask' };
}

function ofHook(reason: string): JudgedDenial | undefined {
  const [, by, verb, why] = HOOK.exec(reason) ?? [];
  return by === undefined || why === undefined ? undefined : { kind: 'hook', by, reason: why, answered: verb === 'blocked it' };
}

/**
 * Derives the outcome of a call of which only the text for the model, and of a denial the reason, are stored: the reader of sessions from before
 * outcomes were data. It is frozen: it knows the sentences of those versions and no later ones.
 * @param denied the stored reason of its denial; absent for a call that was not denied
 */
export function oldOutcome(message: ToolResultMessage, denied?: string): CallOutcome {
  const own = ownTexts(message);
  const told = own.map(({ text }) => text).join('\n');
  if (denied !== undefined) return { kind: 'denied', denial: oldDenial(denied, told) };
  const { marks, ...read } = endOf(message, told);
  const placed = placedNotes(own, marks.notes ?? []);
  const notes = [...framesOf(message, own), ...placed];
  const more = marks.more === true ? { more: true as const } : {};
  return { ...read.outcome, ...(notes.length === 0 ? {} : { notes }), ...more };
}

function endOf(message: ToolResultMessage, told: string): ReadText {
  const { toolName, isError } = message;
  if (startsAs(message, UNSTARTED)) return { outcome: { kind: 'cancelled', unstarted: true }, marks: {} };
  const notRun = isError ? oldNotRun(told) : undefined;
  if (notRun !== undefined) return { outcome: notRun, marks: {} };
  const status = isCancelled(message) ? 'cancelled' : isError ? 'failed' : 'done';
  if (toolName === 'bash') return oldCommand(told, status);
  if (status === 'failed' && FAIL_IN_WORDS.has(toolName) && !PAGE.test(told)) return { outcome: oldFailure(toolName, told), marks: {} };
  return status === 'done' ? oldSuccess(toolName, told) : { outcome: { kind: status }, marks: partialMarks(told) };
}

/** A text of a result that the tool gave back, with its place. */
interface OwnText {
  readonly block: number;
  readonly text: string;
}

function ownTexts(message: ToolResultMessage): readonly OwnText[] {
  const texts = message.content.flatMap((block, index) => (block.type === 'text' ? [{ block: index, text: block.text }] : []));
  const cancelled = isCancelled(message);
  return texts.filter(({ text }, at) => {
    const isNote = text.startsWith(CHANGED) || (at > 0 && text.startsWith(ARGUMENTS)) || AGAIN.includes(text);
    return !isNote && !(cancelled && saysCancelled(text));
  });
}

/** The other texts as notes. */
function framesOf({ content }: ToolResultMessage, own: readonly OwnText[]): readonly ModelNote[] {
  return content.flatMap((block, index) =>
    block.type === 'text' && own.every((each) => each.block !== index) ? [{ block: index, from: 0, to: block.text.length }] : [],
  );
}

/** Notes of the texts joined by line breaks, as notes of the single ones. */
function placedNotes(own: readonly OwnText[], notes: readonly ModelNote[]): readonly ModelNote[] {
  const placed: ModelNote[] = [];
  let start = 0;
  for (const { block, text } of own) {
    for (const note of notes) {
      const [from, to] = [Math.max(note.from - start, 0), Math.min(note.to - start, text.length)];
      if (from < to) placed.push({ block, from, to });
    }
    start += text.length + 1;
  }
  return placed;
}

function isCancelled(message: ToolResultMessage): boolean {
  return startsAs(message, CANCELLED) || startsAs(message, UNSTARTED);
}

function startsAs({ content: [first], isError }: ToolResultMessage, words: string): boolean {
  return isError && first?.type === 'text' && first.text.startsWith(words);
}

function saysCancelled(text: string): boolean {
  return text.startsWith(CANCELLED) || text.startsWith(UNSTARTED);
}
