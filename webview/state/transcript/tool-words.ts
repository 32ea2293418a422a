import { formatNumber, t } from '../../../src/protocol/l10n.js';
import type { ViewCallStatus, ViewToolCall } from '../../../src/protocol/view-state.js';
import type { IconName } from '../../ui/icons.js';
import { visibleText } from '../approval/visible-text.js';
import { lasted } from './lasted.js';

/** A run of a sentence: words of ours, or what the call is about. */
export interface WordPiece {
  readonly text: string;
  /** Whether it is what the call is about, which stands out. */
  readonly subject: boolean;
}

/** When a sentence about a call is said: while it is asked about, while it runs, when it is done, when it could not be done. */
type Tense = 'ask' | 'now' | 'did' | 'not';
/** A sentence in each tense, as functions, since texts are looked up when they are shown; with one or two things that the call is about. */
type Phrases = Readonly<Record<Tense, (first: string, second: string) => string>>;

/** What a call does, in words, with what they are about. */
interface Phrase {
  readonly phrases: Phrases;
  readonly values: readonly string[];
  readonly icon: IconName;
}

/** Stand in a sentence for what the call is about; no sentence of ours has them. */
const PLACES = ['\uE000', '\uE001'] as const;
const PLACE = /([\uE000\uE001])/;

type Told = Pick<ViewToolCall, 'name' | 'subject' | 'status' | 'topic' | 'preview' | 'created' | 'exitCode'>;

/** What a call does, did, or would do, as a sentence in pieces. Hidden characters in it are still to be made visible. */
export function toolPieces(call: Told): readonly WordPiece[] {
  const { phrases, values } = phraseOf(call);
  const sentence = phrases[tenseOf(call)](...PLACES);
  return sentence.split(PLACE).flatMap((part): readonly WordPiece[] => {
    const place = (PLACES as readonly string[]).indexOf(part);
    if (place >= 0) return [{ text: firstLine(values[place] ?? ''), subject: true }];
    return part === '' ? [] : [{ text: part, subject: false }];
  });
}

/** The same as plain text in which nothing is hidden, for names. */
export function callName(call: Told): string {
  return visibleText(toolPieces(call).map(({ text }) => text).join('')).trim();
}

/** What a call gave, in a word or two each: how much it found, how long it took, how it ended. */
export function toolFigures({ name, status, results, moreResults, durationMs, exitCode }: Pick<ViewToolCall, 'name' | 'status' | 'results' | 'moreResults' | 'durationMs' | 'exitCode'>): readonly string[] {
  return [
    ...(results === undefined ? [] : [resultsText(name, results, moreResults === true)]),
    ...(durationMs === undefined ? [] : [lasted(durationMs)]),
    ...(exitCode === undefined ? [] : [t('exit {0}', exitCode)]),
    ...(status === 'cancelled' ? [t('canceled')] : []),
  ];
}

/** The picture of what a call does. */
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
  denied: 'ask',
  cancelled: 'now',
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
      return { phrases: READ, values: [what], icon: 'file' };
    case 'write':
      return { phrases: isCreated(call) ? CREATE : WRITE, values: [what], icon: 'edit' };
    case 'edit':
      return { phrases: EDIT, values: [what], icon: 'edit' };
    // Inline edits: which lines it is about, the message says.
    case 'edit_selection':
      return { phrases: EDIT, values: [t('the selection')], icon: 'edit' };
    case 'bash':
      return { phrases: topic.action === 'background' ? START : RUN, values: [what], icon: 'terminal' };
    case 'fetch':
      return { phrases: FETCH, values: [what], icon: 'globe' };
    case 'todo':
      return { phrases: PLAN, values: [], icon: 'plan' };
    case 'ask':
      return { phrases: QUESTION, values: [what], icon: 'question' };
    case 'grep':
    case 'glob':
    case 'symbols':
    case 'diagnostics':
      return searchPhrase(name, what, topic);
    case 'jobs':
      return { phrases: chosen(JOBS, topic.action) ?? JOB_LIST, values: [what], icon: 'terminal' };
    default:
      return otherPhrase(name, subject);
  }
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
  if (name === 'diagnostics') return what === '' || what === 'workspace' ? { phrases: CHECK, values: [], icon: 'search' } : { phrases: CHECK_FILE, values: [what], icon: 'search' };
  if (name === 'symbols') return { phrases: chosen(SYMBOLS, action) ?? SYMBOL, values: [what.replace(/^(?:definition|references|search|outline) /, '')], icon: 'symbol' };
  // A pattern that any name fits lists a folder.
  if (name === 'glob' && /^(?:\*\*\/)?\*$/.test(what)) return place === undefined ? { phrases: LIST_ALL, values: [], icon: 'folder' } : { phrases: LIST, values: [place], icon: 'folder' };
  const [all, below] = name === 'glob' ? [FIND, FIND_IN] : [SEARCH, SEARCH_IN];
  return place === undefined ? { phrases: all, values: [what], icon: 'search' } : { phrases: below, values: [what, place], icon: 'search' };
}

/** Tools of other extensions and servers, and what this version does not know. */
function otherPhrase(name: string, subject: string): Phrase {
  const { own, whose } = nameParts(name);
  const tool = whose === '' ? own : `${own} (${whose})`;
  return subject === '' ? { phrases: USE, values: [tool], icon: 'tool' } : { phrases: USE_FOR, values: [tool, subject], icon: 'tool' };
}

function resultsText(name: string, results: number, more: boolean): string {
  const count = formatNumber(results);
  if (name === 'glob') return results === 1 && !more ? t('1 file') : more ? t('{0}+ files', count) : t('{0} files', count);
  return results === 1 && !more ? t('1 match') : more ? t('{0}+ matches', count) : t('{0} matches', count);
}

function firstLine(text: string): string {
  const end = text.indexOf('\n');
  return end < 0 ? text : `${text.slice(0, end)} …`;
}

const READ: Phrases = { ask: (a) => t('Read {0}?', a), now: (a) => t('Reading {0}', a), did: (a) => t('Read {0}', a), not: (a) => t('Could not read {0}', a) };
const CREATE: Phrases = { ask: (a) => t('Create {0}?', a), now: (a) => t('Creating {0}', a), did: (a) => t('Created {0}', a), not: (a) => t('Could not create {0}', a) };
const WRITE: Phrases = { ask: (a) => t('Write {0}?', a), now: (a) => t('Writing {0}', a), did: (a) => t('Wrote {0}', a), not: (a) => t('Could not write {0}', a) };
const EDIT: Phrases = { ask: (a) => t('Edit {0}?', a), now: (a) => t('Editing {0}', a), did: (a) => t('Edited {0}', a), not: (a) => t('Could not edit {0}', a) };
const RUN: Phrases = { ask: (a) => t('Run {0}?', a), now: (a) => t('Running {0}', a), did: (a) => t('Ran {0}', a), not: (a) => t('Could not run {0}', a) };
const START: Phrases = {
  ask: (a) => t('Start {0} in the background?', a),
  now: (a) => t('Starting {0} in the background', a),
  did: (a) => t('Started {0} in the background', a),
  not: (a) => t('Could not start {0} in the background', a),
};
const FETCH: Phrases = { ask: (a) => t('Fetch {0}?', a), now: (a) => t('Fetching {0}', a), did: (a) => t('Fetched {0}', a), not: (a) => t('Could not fetch {0}', a) };
const PLAN: Phrases = { ask: () => t('Update the plan?'), now: () => t('Updating the plan'), did: () => t('Updated the plan'), not: () => t('Could not update the plan') };
const QUESTION: Phrases = { ask: (a) => t('Ask: {0}', a), now: (a) => t('Asking: {0}', a), did: (a) => t('Asked: {0}', a), not: (a) => t('Could not ask: {0}', a) };
const SEARCH: Phrases = { ask: (a) => t('Search for “{0}”?', a), now: (a) => t('Searching for “{0}”', a), did: (a) => t('Searched for “{0}”', a), not: (a) => t('Could not search for “{0}”', a) };
const SEARCH_IN: Phrases = {
  ask: (a, b) => t('Search for “{0}” in {1}?', a, b),
  now: (a, b) => t('Searching for “{0}” in {1}', a, b),
  did: (a, b) => t('Searched for “{0}” in {1}', a, b),
  not: (a, b) => t('Could not search for “{0}” in {1}', a, b),
};
const FIND: Phrases = { ask: (a) => t('Look for files: {0}', a), now: (a) => t('Looking for files: {0}', a), did: (a) => t('Looked for files: {0}', a), not: (a) => t('Could not look for files: {0}', a) };
const FIND_IN: Phrases = {
  ask: (a, b) => t('Look for files in {1}: {0}', a, b),
  now: (a, b) => t('Looking for files in {1}: {0}', a, b),
  did: (a, b) => t('Looked for files in {1}: {0}', a, b),
  not: (a, b) => t('Could not look for files in {1}: {0}', a, b),
};
const LIST: Phrases = { ask: (a) => t('List {0}?', a), now: (a) => t('Listing {0}', a), did: (a) => t('Listed {0}', a), not: (a) => t('Could not list {0}', a) };
const LIST_ALL: Phrases = { ask: () => t('List the workspace?'), now: () => t('Listing the workspace'), did: () => t('Listed the workspace'), not: () => t('Could not list the workspace') };
const CHECK: Phrases = { ask: () => t('Check for problems?'), now: () => t('Checking for problems'), did: () => t('Checked for problems'), not: () => t('Could not check for problems') };
const CHECK_FILE: Phrases = {
  ask: (a) => t('Check {0} for problems?', a),
  now: (a) => t('Checking {0} for problems', a),
  did: (a) => t('Checked {0} for problems', a),
  not: (a) => t('Could not check {0} for problems', a),
};
const SYMBOL: Phrases = { ask: (a) => t('Look up {0}?', a), now: (a) => t('Looking up {0}', a), did: (a) => t('Looked up {0}', a), not: (a) => t('Could not look up {0}', a) };
const SYMBOLS: Readonly<Record<string, Phrases>> = {
  definition: {
    ask: (a) => t('Look up the definition of {0}?', a),
    now: (a) => t('Looking up the definition of {0}', a),
    did: (a) => t('Looked up the definition of {0}', a),
    not: (a) => t('Could not look up the definition of {0}', a),
  },
  references: {
    ask: (a) => t('Look up references to {0}?', a),
    now: (a) => t('Looking up references to {0}', a),
    did: (a) => t('Looked up references to {0}', a),
    not: (a) => t('Could not look up references to {0}', a),
  },
  outline: {
    ask: (a) => t('Outline {0}?', a),
    now: (a) => t('Outlining {0}', a),
    did: (a) => t('Outlined {0}', a),
    not: (a) => t('Could not outline {0}', a),
  },
};
const JOB_LIST: Phrases = {
  ask: () => t('Check background commands?'),
  now: () => t('Checking background commands'),
  did: () => t('Checked background commands'),
  not: () => t('Could not check background commands'),
};
const JOBS: Readonly<Record<string, Phrases>> = {
  output: {
    ask: (a) => t('Check the output of {0}?', a),
    now: (a) => t('Checking the output of {0}', a),
    did: (a) => t('Checked the output of {0}', a),
    not: (a) => t('Could not check the output of {0}', a),
  },
  kill: { ask: (a) => t('Stop {0}?', a), now: (a) => t('Stopping {0}', a), did: (a) => t('Stopped {0}', a), not: (a) => t('Could not stop {0}', a) },
};
const USE: Phrases = { ask: (a) => t('Use {0}?', a), now: (a) => t('Using {0}', a), did: (a) => t('Used {0}', a), not: (a) => t('Could not use {0}', a) };
const USE_FOR: Phrases = { ask: (a, b) => t('Use {0}: {1}', a, b), now: (a, b) => t('Using {0}: {1}', a, b), did: (a, b) => t('Used {0}: {1}', a, b), not: (a, b) => t('Could not use {0}: {1}', a, b) };
