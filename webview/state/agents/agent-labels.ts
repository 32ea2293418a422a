import { formatNumber, formatShort, t } from '../../../src/protocol/l10n.js';
import type { ViewElf, ViewElfState } from '../../../src/protocol/view-state.js';
import type { IconName } from '../../ui/icons.js';
import { visibleText } from '../approval/visible-text.js';
import { elapsed, lasted } from '../transcript/lasted.js';
import { canApply, isActive } from './agent-tree.js';

const SECOND_MS = 1_000;
/** Characters of a name, a task, or what is done that are shown: models and servers may write any number. */
const MAX_LINE = 200;

/** A text on one line that is not too long. Hidden characters in it are still to be made visible. */
export function oneLine(text: string): string {
  const line = text
    .slice(0, 2 * MAX_LINE)
    .replace(/\s+/g, ' ')
    .trim();
  return line.length <= MAX_LINE && text.length <= 2 * MAX_LINE ? line : `${line.slice(0, MAX_LINE).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** Word for a state. */
export function stateWord(state: ViewElfState): string {
  const words: Readonly<Record<ViewElfState, string>> = {
    queued: t('Queued'),
    working: t('Working'),
    waiting: t('Needs you'),
    completed: t('Done'),
    failed: t('Failed'),
    cancelled: t('Stopped'),
    interrupted: t('Interrupted'),
  };
  return words[state];
}

/** Icons of states: each has a form of its own. */
export const STATE_ICONS: Readonly<Record<ViewElfState, IconName>> = {
  queued: 'pending',
  working: 'running',
  waiting: 'question',
  completed: 'check',
  failed: 'error',
  cancelled: 'stop',
  interrupted: 'pause',
};

type Done = Pick<ViewElf, 'state' | 'now' | 'position' | 'problem' | 'isolated' | 'rounds' | 'changed' | 'conflicts' | 'applied'>;

/** What an agent does now, where it stands in the queue, or what is left to do of one that has ended, and why it failed; empty for nothing in particular. */
export function doing(elf: Done): string {
  const { state, now, position, problem = '' } = elf;
  if (state === 'working' || state === 'waiting') return oneLine(now);
  if (state === 'queued') return position === undefined ? '' : inLine(position);
  return [...toApply(elf), oneLine(problem)].filter((part) => part !== '').join(' · ');
}

/** Whether it has ended, and has changed files in a worktree that are not all applied. */
function isUnapplied(elf: Done): boolean {
  return elf.changed !== undefined && elf.applied !== true && canApply(elf);
}

/** How many files the user can apply, and merge. How many are left where some were applied is not known. */
function toApply(elf: Done): readonly string[] {
  if (!isUnapplied(elf)) return [];
  const { changed = 0, conflicts, applied } = elf;
  // There is room for few words.
  if (conflicts !== undefined && changed === 1) return [t('1 file to merge')];
  if (conflicts !== undefined) return [t('{0} files, {1} to merge', formatNumber(changed), formatNumber(conflicts))];
  if (applied === false) return [t('changes to apply')];
  return [changed === 1 ? t('1 file to apply') : t('{0} files to apply', formatNumber(changed))];
}

/** Lines of what a failed one has printed that are shown. */
const MAX_DETAILS = 5;

/** The last lines of what is said about why it failed. Hidden characters in them are visible. */
export function lastDetails({ details = '' }: Pick<ViewElf, 'details'>): string {
  const lines = details.split('\n').map((line) => visibleText(oneLine(line)));
  return lines
    .filter((line) => line !== '')
    .slice(-MAX_DETAILS)
    .join('\n');
}

/** What opens it: one that has failed before it began has nothing but what its set-up printed. */
export function openLabel({ state, rounds, details }: Pick<ViewElf, 'state' | 'rounds' | 'details'>): string {
  return state === 'failed' && rounds === 0 && details !== undefined ? t('Show Output') : t('Open');
}

/** The ordinal numbers of English, which name the texts; other languages have one form in all of them. */
const ORDINALS = new Intl.PluralRules('en', { type: 'ordinal' });

function inLine(position: number): string {
  const place = formatNumber(position);
  switch (ORDINALS.select(position)) {
    case 'one':
      return position === 1 ? t('next in line') : t('{0}st in line', place);
    case 'two':
      return t('{0}nd in line', place);
    case 'few':
      return t('{0}rd in line', place);
    default:
      return t('{0}th in line', place);
  }
}

type Timed = Pick<ViewElf, 'state' | 'since' | 'durationMs' | 'earlierMs'>;

/** How long all its runs took, or have taken until now, as its tokens are those of all; empty before it is a second. @param now in milliseconds since 1970 */
export function timeOf(elf: Timed, now: number): string {
  const { earlierMs = 0 } = elf;
  return timeText(elf, earlierMs, now);
}

/** How long its last run took, or the one has taken that is under way; empty where it has had one run only. @param now in milliseconds since 1970 */
export function lastTime(elf: Timed & Pick<ViewElf, 'runs'>, now: number): string {
  const time = elf.runs > 1 ? timeText(elf, 0, now) : '';
  if (time === '') return '';
  return elf.durationMs === undefined ? t('this run: {0}', time) : t('last run: {0}', time);
}

function timeText({ state, since, durationMs }: Timed, earlierMs: number, now: number): string {
  if (durationMs !== undefined) return earlierMs + durationMs === 0 ? '' : lasted(earlierMs + durationMs);
  const works = state === 'working' || state === 'waiting';
  const seconds = Math.floor((earlierMs + (works ? now - Date.parse(since) : 0)) / SECOND_MS);
  return seconds > 0 ? elapsed(seconds) : '';
}

/** Its requests and tokens; without what is zero. */
export function workFigures({ rounds, tokens }: Pick<ViewElf, 'rounds' | 'tokens'>): readonly string[] {
  return [
    ...(rounds === 0 ? [] : [rounds === 1 ? t('1 round') : t('{0} rounds', formatNumber(rounds))]),
    ...(tokens === 0 ? [] : [t('{0} tokens', formatShort(tokens))]),
  ];
}

/** What else there is to know about it. */
export function otherFacts(elf: ViewElf, now: number): readonly string[] {
  const { left, runs, background, model, provider, isolated, changed, conflicts, applied } = elf;
  const maker = provider === '' ? model : `${model} (${provider})`;
  const facts = [
    ...(left === undefined ? [] : [t('{0} left', left)]),
    ...(runs > 1 ? [t('{0} runs', formatNumber(runs)), lastTime(elf, now)] : []),
    ...(background ? [t('in the background')] : []),
    ...(isolated === true ? [inWorktree(changed, applied)] : []),
    ...(conflicts === undefined ? [] : [conflicts === 1 ? t('1 file conflicts with yours') : t('{0} files conflict with yours', formatNumber(conflicts))]),
    oneLine(maker),
  ];
  return facts.filter((fact) => fact !== '');
}

function inWorktree(changed: number | undefined, applied: boolean | undefined): string {
  if (changed === undefined || changed === 0) return t('in a worktree');
  if (applied === false)
    return changed === 1 ? t('1 file changed in a worktree, not all applied') : t('{0} files changed in a worktree, not all applied', formatNumber(changed));
  if (applied === true)
    return changed === 1 ? t('1 file changed in a worktree, applied') : t('{0} files changed in a worktree, applied', formatNumber(changed));
  return changed === 1 ? t('1 file changed in a worktree') : t('{0} files changed in a worktree', formatNumber(changed));
}

/** Name of an agent's row for screen readers: what stays, so that it is not read again all the time. */
export function rowName({ task, type }: ViewElf, state: ViewElfState): string {
  return [task, type, stateWord(state)].map((part) => visibleText(oneLine(part))).join(', ');
}

/** All figures of an agent's row for screen readers. */
export function rowDescription(elf: ViewElf, now: number): string {
  const parts = [doing(elf), lastDetails(elf), timeOf(elf, now), elf.cost, ...workFigures(elf), ...otherFacts(elf, now)];
  return visibleText(parts.filter((part) => part !== '').join(', '));
}

/** Who is meant, in a sentence. */
export function agentName({ type, task }: Pick<ViewElf, 'type' | 'task'>): string {
  return visibleText(`${oneLine(type)}: ${oneLine(task)}`);
}

/** The line about all agents, in parts. */
export interface AgentsLine {
  readonly count: string;
  /** How many wait for the user; empty for none. */
  readonly waiting: string;
  /** How the others are, and what the first of them does. Hidden characters are visible. */
  readonly rest: string;
  /** What is left for the user to do when none is at work; empty for nothing. */
  readonly left: string;
}

/** Sums up agents. It does not say that they are done while any is at work. */
export function agentsLine(elves: readonly ViewElf[]): AgentsLine {
  const count = (state: ViewElfState): number => elves.filter((elf) => elf.state === state).length;
  const some = (state: ViewElfState, words: (number: string) => string): readonly string[] => (count(state) === 0 ? [] : [words(formatNumber(count(state)))]);
  const active = [...some('working', (number) => t('{0} working', number)), ...some('queued', (number) => t('{0} queued', number))];
  const ended = [
    ...some('failed', (number) => t('{0} failed', number)),
    ...some('interrupted', (number) => t('{0} interrupted', number)),
    ...some('cancelled', (number) => t('{0} stopped', number)),
  ];
  const busy = elves.some(isActive);
  const first = elves.find(({ state }) => state === 'waiting') ?? elves.find(({ state }) => state === 'working');
  const doings = first === undefined ? '' : visibleText(doing(first));
  const now = first?.state === 'waiting' ? [doings, ...active] : [...active, doings];
  const left = elves.some(isUnapplied) ? t('changes to apply') : '';
  const done = elves.length === 1 || left !== '' ? t('done') : t('all done');
  const rest = busy ? [...now, left] : ended.length === 0 ? [done] : ended;
  return {
    count: elves.length === 1 ? t('1 agent') : t('{0} agents', formatNumber(elves.length)),
    waiting: some('waiting', (number) => (count('waiting') === 1 ? t('1 needs you') : t('{0} need you', number))).join(''),
    rest: rest.filter((part) => part !== '').join(' · '),
    left: busy ? '' : left,
  };
}
