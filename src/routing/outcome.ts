import type { TaskKind } from '../domain/model/task-kind.js';
import type { Judges } from './judging-files.js';

/** How a turn ended, as far as that may say something about its model. */
export type Ending =
  /** The model came to an end. */
  | 'completed'
  /** It made the same failing call again and again. */
  | 'looped'
  /** The user stopped it. */
  | 'stopped'
  /** The provider did not answer, or refused: see `afterFailure` for what that says. */
  | 'unanswered'
  /** A limit of the user, or of the length of answers. */
  | 'limited'
  /** A hook, or a fault of Gnomon. */
  | 'failed';

/** What became of the hunks that a turn made in a file. */
export interface FileFacts {
  /** Kept as they were. */
  readonly kept: number;
  /** Kept after the user has changed their lines. */
  readonly edited: number;
  readonly undone: number;
  /** Not decided, or no longer to be told from what was changed there since. */
  readonly open: number;
  readonly judges: Judges;
}

/** What is known of a turn. */
export interface TurnFacts {
  /** Absent where it is not known, as where the user has chosen the model. */
  readonly kind?: TaskKind;
  /** Key of the one model that answered; absent where there were several, or none. */
  readonly model?: string;
  readonly ending: Ending;
  /** The files that it changed and that were still other ones at its end. */
  readonly files: readonly FileFacts[];
  /** Whether the user asked for another answer to the same message, or brought the files back to before it. */
  readonly rejected?: 'regenerated' | 'restored';
  /** What the last checks after its last edit said; absent for none. */
  readonly checks?: 'passed' | 'failed';
  /** Whether nothing more is waited for. */
  readonly isOver: boolean;
}

/** What can decide an outcome. */
export const BECAUSE = ['regenerated', 'restored', 'looped', 'hunks', 'checks', 'weakenedTests'] as const;
/** One of {@link BECAUSE}. */
export type Because = (typeof BECAUSE)[number];

/** Why a turn says nothing about its model. */
export type NoOutcome =
  | Exclude<Ending, 'completed' | 'looped'>
  | 'kindUnknown'
  | 'severalModels'
  /** Nothing was changed, or only what counts for nothing: whether an answer was right is not seen. */
  | 'nothingChanged'
  | 'undecided'
  /** Checks passed, after what they judge by was changed. */
  | 'judgesChanged';

/** How much of a task succeeded, as a share from 0 to 1, or why that is not known. */
export type Outcome =
  | { readonly type: 'observed'; readonly kind: TaskKind; readonly model: string; readonly share: number; readonly because: readonly Because[] }
  | { readonly type: 'none'; readonly because: NoOutcome };

/** What counts how much. The reasons are in docs/routing.md. */
const COUNTS = {
  kept: 1,
  /** It was of use, and was not right. */
  edited: 0.5,
  undone: 0,
  /** The factor for what the user kept although checks failed, or after tests were weakened. */
  doubtful: 0.5,
};

/** What came of a turn. Where something that it rests on is not known, there is no outcome: nothing is guessed. */
export function outcomeOf(facts: TurnFacts): Outcome {
  const { kind, model, ending, rejected, files } = facts;
  if (kind === undefined) return none('kindUnknown');
  if (ending !== 'completed' && ending !== 'looped') return none(ending);
  if (model === undefined) return none('severalModels');
  const found = (share: number, ...because: readonly Because[]): Outcome => ({ type: 'observed', kind, model, share, because });
  if (rejected !== undefined) return found(0, rejected);
  if (ending === 'looped') return found(0, 'looped');
  if (files.length === 0) return none('nothingChanged');
  const { decided, open, points } = countedIn(files);
  if (open > 0 && !facts.isOver) return none('undecided');
  const ofOpen = open === 0 ? 0 : creditOfOpen(facts);
  if (typeof ofOpen === 'string') return none(ofOpen);
  if (decided + open === 0) return none('nothingChanged');
  const isWeakened = files.some(({ judges }) => judges === 'weakened');
  const isDoubtful = isWeakened || facts.checks === 'failed';
  const share = ((points + open * ofOpen) / (decided + open)) * (isDoubtful ? COUNTS.doubtful : 1);
  return found(share, ...becauseOf({ decided, open, isWeakened, checks: facts.checks }));
}

function countedIn(files: readonly FileFacts[]): { readonly decided: number; readonly open: number; readonly points: number } {
  const sums = { decided: 0, open: 0, points: 0 };
  for (const { kept, edited, undone, open, judges } of files) {
    // That tests are gone is nothing that succeeded, even where the user wanted it.
    const counted = judges === 'weakened' ? { kept: 0, edited: 0 } : { kept, edited };
    sums.decided += counted.kept + counted.edited + undone;
    sums.points += COUNTS.kept * counted.kept + COUNTS.edited * counted.edited + COUNTS.undone * undone;
    sums.open += open;
  }
  return sums;
}

/** What each hunk counts that the user has not decided about: what checks say of all of them, if what they judge by is as it was. */
function creditOfOpen({ checks, files }: TurnFacts): number | NoOutcome {
  if (checks === undefined) return 'undecided';
  if (checks === 'failed' || files.some(({ judges }) => judges === 'weakened')) return 0;
  return files.some(({ judges }) => judges === 'changed') ? 'judgesChanged' : 1;
}

function becauseOf(known: {
  readonly decided: number;
  readonly open: number;
  readonly isWeakened: boolean;
  readonly checks: TurnFacts['checks'];
}): readonly Because[] {
  return [
    ...(known.decided > 0 ? (['hunks'] as const) : []),
    ...(known.checks === 'failed' || known.open > 0 ? (['checks'] as const) : []),
    ...(known.isWeakened ? (['weakenedTests'] as const) : []),
  ];
}

function none(because: NoOutcome): Outcome {
  return { type: 'none', because };
}
