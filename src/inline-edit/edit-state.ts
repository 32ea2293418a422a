import { t } from '../domain/l10n.js';
import type { UserContent } from '../domain/model/content.js';
import { type LineEdit, type LineRegion, type LineShift, movedRegion } from './line-edit.js';
import { type Decision, type Replacement, allIds, newReplacement, withChange, withDecision, withTyped } from './replacement.js';

/** The user's instruction, and what is attached to it as data. */
export interface Instruction {
  readonly words: string;
  readonly attached: readonly UserContent[];
}

/** Result of the running turn, so far. */
export interface EditTurn {
  /** Whether hunks of it are complete. */
  readonly edited: boolean;
  /** Why a hunk could not be made. */
  readonly problem?: string;
  /** Instructions queued after it. */
  readonly waiting: readonly Instruction[];
}

/**
 * Phase of an inline edit. `words` is the status text for the user, `notice` the result of the last turn where that is not
 * just hunks.
 */
export type EditPhase =
  /** The user may say what should change. */
  | { readonly type: 'prompting'; readonly notice?: string }
  /** A turn runs, and no hunk has come yet. */
  | { readonly type: 'asking'; readonly words: string; readonly turn: EditTurn; readonly instruction: Instruction }
  /** Hunks come. */
  | { readonly type: 'streaming'; readonly words: string; readonly turn: EditTurn }
  /** Hunks wait to be kept or undone. While the model writes its closing text there is a `turn`. */
  | { readonly type: 'review'; readonly words: string; readonly turn?: EditTurn; readonly notice?: string }
  | { readonly type: 'closed' };

/** One inline edit. */
export interface InlineEditState {
  readonly phase: EditPhase;
  /** The lines that it is about, as the document is now. */
  readonly region: LineRegion;
  /** The replacement whose hunks are being made or taken back. */
  readonly live: Replacement | undefined;
  /** A complete replacement whose hunks are only shown, as the file saves itself or is on no disk yet. */
  readonly staged: Replacement | undefined;
}

/** Something that happens to an inline edit. `pending`: how many hunks are neither kept nor undone then. */
export type InlineEditEvent =
  | { readonly type: 'asked'; readonly instruction: Instruction }
  | { readonly type: 'sent'; readonly model: string }
  | { readonly type: 'turn_ended'; readonly stopped: boolean; readonly pending: number; readonly outcome: string }
  | { readonly type: 'turn_failed'; readonly pending: number; readonly words: string }
  /** Hunks were kept, undone or changed, here or elsewhere. */
  | { readonly type: 'reviewed'; readonly pending: number }
  | { readonly type: 'closed' }
  | { readonly type: 'typed'; readonly shift: LineShift }
  | { readonly type: 'replacement_begun'; readonly old: readonly string[]; readonly inPlace: boolean }
  | { readonly type: 'changes_made'; readonly changes: readonly LineEdit[] }
  | { readonly type: 'replacement_blocked'; readonly problem: string }
  | { readonly type: 'replacement_completed'; readonly pending: number }
  | { readonly type: 'replacement_undone' }
  /** Nothing is left of the replacement, or only what the user changed. */
  | { readonly type: 'replacement_reverted' }
  | { readonly type: 'staged_decided'; readonly ids: ReadonlySet<number>; readonly decision: Decision };

/** Whether a model is at work, so that hunks may still come. */
export function isRunning({ phase }: InlineEditState): boolean {
  return phase.type === 'asking' || phase.type === 'streaming';
}

/** The turn that runs, if any. */
export function turnOf({ phase }: InlineEditState): EditTurn | undefined {
  return 'turn' in phase ? phase.turn : undefined;
}

/** An inline edit of some lines that nothing was asked for yet. */
export function newInlineEdit(region: LineRegion): InlineEditState {
  return { phase: { type: 'prompting' }, region, live: undefined, staged: undefined };
}

/** The inline edit after an event. Once it is closed only its lines are followed. */
export function reduceInlineEdit(state: InlineEditState, event: InlineEditEvent): InlineEditState {
  const next = nextLines(state, event);
  const phase = nextPhase(state.phase, (next.live ?? state.live)?.hunks.length ?? 0, event);
  return phase === next.phase ? next : { ...next, phase };
}

function nextLines(state: InlineEditState, event: InlineEditEvent): InlineEditState {
  const { region, live, staged } = state;
  switch (event.type) {
    case 'typed': {
      const { shift } = event;
      return { ...state, region: movedRegion(region, shift), live: live && withTyped(live, shift), staged: staged && withTyped(staged, shift) };
    }
    case 'sent':
      // What was staged is asked for anew.
      return { ...state, staged: undefined };
    case 'replacement_begun':
      return { ...state, live: newReplacement(region.start, event.old, event.inPlace) };
    case 'staged_decided':
      return staged === undefined ? state : withStaged(state, withDecision(staged, event.ids, event.decision));
    default:
      return live === undefined ? state : nextLive(state, live, event);
  }
}

function nextLive(state: InlineEditState, live: Replacement, event: InlineEditEvent): InlineEditState {
  switch (event.type) {
    case 'changes_made':
      return { ...state, live: event.changes.reduce(withChange, live) };
    case 'replacement_undone':
      return { ...state, live: withDecision(live, allIds(live), 'undo') };
    case 'replacement_reverted':
      return { ...state, live: undefined, region: live.region };
    case 'replacement_completed':
      return { ...state, live: undefined, region: live.region, staged: live.inPlace ? state.staged : live };
    default:
      return state;
  }
}

function withStaged(state: InlineEditState, staged: Replacement): InlineEditState {
  return { ...state, staged, region: staged.region };
}

function nextPhase(phase: EditPhase, hunks: number, event: InlineEditEvent): EditPhase {
  if (phase.type === 'closed') return phase;
  if (event.type === 'closed') return { type: 'closed' };
  if (event.type === 'asked') return asked(phase, event.instruction);
  if (phase.type !== 'prompting' && phase.turn !== undefined) return inTurn(phase, phase.turn, hunks, event);
  if (phase.type !== 'review' || event.type !== 'reviewed') return phase;
  return event.pending === 0 ? { type: 'closed' } : resting(event.pending);
}

/** Queues an instruction given while the model writes its closing text; while hunks come, one is ignored. */
function asked(phase: Exclude<EditPhase, { type: 'closed' }>, instruction: Instruction): EditPhase {
  if (phase.type === 'asking' || phase.type === 'streaming') return phase;
  if (phase.type === 'prompting' || phase.turn === undefined) return beginning([instruction]) ?? phase;
  const { turn } = phase;
  return { ...phase, words: t('Preparing…'), turn: { ...turn, waiting: [...turn.waiting, instruction] } };
}

function inTurn(phase: Exclude<EditPhase, { type: 'prompting' | 'closed' }>, turn: EditTurn, hunks: number, event: InlineEditEvent): EditPhase {
  switch (event.type) {
    case 'sent':
      return phase.type === 'asking' ? { ...phase, words: t('Asking {0}…', event.model) } : phase;
    case 'changes_made':
    case 'replacement_undone':
      return phase.type === 'review' ? phase : { type: 'streaming', turn, words: countOf(hunks) };
    case 'replacement_blocked':
      return { ...phase, turn: { ...turn, problem: event.problem } };
    case 'replacement_completed':
      return { type: 'review', words: summaryOf(event.pending), turn: { ...turn, edited: turn.edited || hunks > 0 } };
    case 'turn_failed':
      return afterTurn(turn, event.pending, event.words);
    case 'turn_ended':
      if (event.stopped && !turn.edited) return { type: 'closed' };
      // What pended may have been kept or undone by now.
      if (turn.edited && turn.problem === undefined && event.pending === 0 && turn.waiting.length === 0) return { type: 'closed' };
      return afterTurn(turn, event.pending, turn.problem ?? (turn.edited ? undefined : event.outcome));
    default:
      return phase;
  }
}

function afterTurn({ waiting }: EditTurn, pending: number, notice: string | undefined): EditPhase {
  return beginning(waiting) ?? resting(pending, notice);
}

/** The beginning of a turn with the first of some instructions. */
function beginning([instruction, ...waiting]: readonly Instruction[]): EditPhase | undefined {
  return instruction === undefined ? undefined : { type: 'asking', words: t('Preparing…'), turn: { edited: false, waiting }, instruction };
}

function resting(pending: number, notice?: string): EditPhase {
  const said = notice === undefined || notice === '' ? {} : { notice };
  return pending > 0 ? { type: 'review', words: summaryOf(pending), ...said } : { type: 'prompting', ...said };
}

/** Label for the number of hunks so far. */
function countOf(hunks: number): string {
  return hunks === 1 ? t('Writing: 1 change so far') : t('Writing: {0} changes so far', hunks);
}

/** Label for the number of pending hunks. */
function summaryOf(pending: number): string {
  return pending === 1 ? t('1 change') : t('{0} changes', pending);
}
