import { formatNumber, t } from '../../../src/protocol/l10n.js';
import type { ViewCallStatus, ViewToolCall } from '../../../src/protocol/view-state.js';
import type { IconName } from '../../ui/icons.js';
import { visibleText } from '../approval/visible-text.js';
import { lasted } from './lasted.js';
import { JOBS, PHRASES, SYMBOLS, type Phrases, type Tense } from './tool-phrases.js';

/** A run of a sentence: words of ours, or what the call is about. */
export interface WordPiece {
  readonly text: string;
  /** Whether it is what the call is about, which stands out. */
  readonly subject: boolean;
}

/** Words for a call, with their subject. */
interface Phrase {
  readonly phrases: Phrases;
  readonly values: readonly string[];
  readonly icon: IconName;
}

/** Stand in a sentence for what the call is about; no sentence of ours has them. */
const PLACES = ['\uE000', '\uE001'] as const;
const PLACE = /([\uE000\uE001])/;

type Told = Pick<ViewToolCall, 'name' | 'subject' | 'status' | 'topic' | 'preview' | 'created' | 'exitCode'>;

/** Sentence about a call in pieces, for what it does, did, or would do. Hidden characters in it are still to be made visible. */
export function toolPieces(call: Told): readonly WordPiece[] {
  const { phrases, values } = phraseOf(call);
  const sentence = phrases[tenseOf(call)](...PLACES);
  return sentence.split(PLACE).flatMap((part): readonly WordPiece[] => {
    const place = (PLACES as readonly string[]).indexOf(part);
    if (place >= 0) return [{ text: firstLine(values[place] ?? ''), subject: true }];
    return part === '' ? [] : [{ text: part, subject: false }];
  });
}

/** What is said before the work of an agent, which many can have in common, and the work: `explore:` and ` Find it`. */
export function workParts(text: string): readonly [before: string, work: string] {
  const end = text.indexOf(': ');
  return end < 0 ? ['', text] : [text.slice(0, end + 1), text.slice(end + 1)];
}

/** The same as plain text in which nothing is hidden, for names. */
export function callName(call: Told): string {
  return visibleText(
    toolPieces(call)
      .map(({ text }) => text)
      .join(''),
  ).trim();
}

/** Figures of a call's result: number of results, duration, and exit. */
export function toolFigures({
  name,
  results,
  moreResults,
  durationMs,
  exitCode,
}: Pick<ViewToolCall, 'name' | 'results' | 'moreResults' | 'durationMs' | 'exitCode'>): readonly string[] {
  return [
    ...(results === undefined ? [] : [resultsText(name, results, moreResults === true)]),
    ...(durationMs === undefined ? [] : [lasted(durationMs)]),
    ...(exitCode === undefined ? [] : [t('exit {0}', exitCode)]),
  ];
}

/** The icon of what a call does. */
export function toolIcon(call: Told): IconName {
  return phraseOf(call).icon;
}

/** The name of a tool without the part that says whose it is, as those of servers and other extensions have it, and that part. */
export function nameParts(name: string): { readonly own: string; readonly whose: string } {
  const [, whose, own] = /^(?:mcp|ext)__(.+?)__(.+)$/.exec(name) ?? [];
  return own === undefined || whose === undefined ? { own: name, whose: '' } : { own, whose };
}

const TENSES: Readonly<Record<ViewCallStatus, Tense>> = {
  streaming: 'now',
  pending: 'now',
  awaiting_approval: 'ask',
  running: 'now',
  done: 'did',
  failed: 'not',
  denied: 'denied',
  cancelled: 'stopped',
};

/** A command that failed was run all the same. */
function tenseOf({ status, exitCode }: Told): Tense {
  return status === 'failed' && exitCode !== undefined ? 'did' : TENSES[status];
}

function phraseOf(call: Told): Phrase {
  const { name, subject, topic = {} } = call;
  const what = topic.what ?? subject;
  switch (name) {
    case 'read':
      return { phrases: PHRASES.read, values: [what], icon: 'file' };
    case 'write':
      return { phrases: isCreated(call) ? PHRASES.create : PHRASES.write, values: [what], icon: 'edit' };
    case 'edit':
      return { phrases: PHRASES.edit, values: [what], icon: 'edit' };
    case 'apply_patch':
      return patchPhrase(what, topic);
    // Inline edits: which lines it is about, the message says.
    case 'edit_selection':
      return { phrases: PHRASES.edit, values: [t('the selection')], icon: 'edit' };
    case 'bash':
      return { phrases: topic.action === 'background' ? PHRASES.start : PHRASES.run, values: [what], icon: 'terminal' };
    case 'fetch':
      return { phrases: PHRASES.fetch, values: [what], icon: 'globe' };
    case 'web_search':
      return { phrases: PHRASES.web, values: [what], icon: 'globe' };
    case 'todo':
      return { phrases: PHRASES.plan, values: [], icon: 'plan' };
    case 'agent':
      return { phrases: PHRASES.agent, values: [what], icon: 'agent' };
    case 'skill':
      return { phrases: PHRASES.skill, values: [what], icon: 'tool' };
    case 'ask':
      return { phrases: PHRASES.question, values: [what], icon: 'question' };
    case 'grep':
    case 'glob':
    case 'symbols':
    case 'diagnostics':
      return searchPhrase(name, what, topic);
    case 'list':
      return listPhrase(topic.where);
    // Which tool it calls is known once its arguments are there.
    case 'call_tool':
      return { phrases: PHRASES.use, values: [t('a tool')], icon: 'tool' };
    case 'find_tools':
      return { phrases: PHRASES.tools, values: [what], icon: 'search' };
    case 'jobs':
      return { phrases: chosen(JOBS, topic.action) ?? PHRASES.jobList, values: [what], icon: 'terminal' };
    default:
      return otherPhrase(name, subject);
  }
}

function patchPhrase(what: string, { action, where = '' }: NonNullable<ViewToolCall['topic']>): Phrase {
  if (action === 'delete') return { phrases: PHRASES.delete, values: [what], icon: 'trash' };
  return action === 'move' ? { phrases: PHRASES.move, values: [what, where], icon: 'move' } : { phrases: PHRASES.edit, values: [what], icon: 'edit' };
}

/** The phrases of an action, which a model may call whatever it likes. */
function chosen(table: Readonly<Record<string, Phrases>>, action: string | undefined): Phrases | undefined {
  return action !== undefined && Object.hasOwn(table, action) ? table[action] : undefined;
}

function isCreated({ preview, created }: Told): boolean {
  return created === true || (preview?.kind === 'diff' && preview.created);
}

function searchPhrase(name: 'grep' | 'glob' | 'symbols' | 'diagnostics', what: string, { action, where }: NonNullable<ViewToolCall['topic']>): Phrase {
  const place = where === undefined || where === '.' ? undefined : where;
  if (name === 'diagnostics')
    return what === '' || what === 'workspace'
      ? { phrases: PHRASES.check, values: [], icon: 'search' }
      : { phrases: PHRASES.checkFile, values: [what], icon: 'search' };
  if (name === 'symbols')
    return { phrases: chosen(SYMBOLS, action) ?? PHRASES.symbol, values: [what.replace(/^(?:definition|references|search|outline) /, '')], icon: 'symbol' };
  // A pattern that any name fits lists a folder.
  if (name === 'glob' && /^(?:\*\*\/)?\*$/.test(what)) return listPhrase(where);
  const [all, below] = name === 'glob' ? [PHRASES.find, PHRASES.findIn] : [PHRASES.search, PHRASES.searchIn];
  return place === undefined ? { phrases: all, values: [what], icon: 'search' } : { phrases: below, values: [what, place], icon: 'search' };
}

function listPhrase(where: string | undefined): Phrase {
  if (where === undefined || where === '' || where === '.') return { phrases: PHRASES.listAll, values: [], icon: 'folder' };
  return { phrases: PHRASES.list, values: [where], icon: 'folder' };
}

/** Tools of other extensions and servers, and what this version does not know. */
function otherPhrase(name: string, subject: string): Phrase {
  const { own, whose } = nameParts(name);
  const tool = whose === '' ? own : `${own} (${whose})`;
  return subject === '' ? { phrases: PHRASES.use, values: [tool], icon: 'tool' } : { phrases: PHRASES.useFor, values: [tool, subject], icon: 'tool' };
}

function resultsText(name: string, results: number, more: boolean): string {
  const count = formatNumber(results);
  if (name === 'web_search') return results === 1 ? t('1 page') : t('{0} pages', count);
  if (name === 'find_tools') return results === 1 ? t('1 tool') : t('{0} tools', count);
  if (name === 'glob') return results === 1 && !more ? t('1 file') : more ? t('{0}+ files', count) : t('{0} files', count);
  return results === 1 && !more ? t('1 match') : more ? t('{0}+ matches', count) : t('{0} matches', count);
}

function firstLine(text: string): string {
  const end = text.indexOf('\n');
  return end < 0 ? text : `${text.slice(0, end)} …`;
}
