import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Ending, type FileFacts, outcomeOf, type TurnFacts } from '../../../src/routing/outcome.js';

const NONE: FileFacts = { kept: 0, edited: 0, undone: 0, open: 0, judges: 'untouched' };
const TURN: TurnFacts = { kind: 'debug', model: 'a/b', ending: 'completed', files: [], isOver: false };

function of(files: readonly Partial<FileFacts>[], more: Partial<TurnFacts> = {}): unknown {
  const outcome = outcomeOf({ ...TURN, files: files.map((file) => ({ ...NONE, ...file })), ...more });
  return outcome.type === 'none' ? outcome.because : [outcome.share, ...outcome.because];
}

describe('what came of a turn', () => {
  it.each<[string, readonly Partial<FileFacts>[], Partial<TurnFacts>, unknown]>([
    ['all kept', [{ kept: 3 }], {}, [1, 'hunks']],
    ['all undone', [{ undone: 2 }], {}, [0, 'hunks']],
    ['1 of 4 hunks in two files undone', [{ kept: 2 }, { kept: 1, undone: 1 }], {}, [0.75, 'hunks']],
    ['kept after the user had corrected one of two', [{ kept: 1, edited: 1 }], {}, [0.75, 'hunks']],
    ['kept although checks fail', [{ kept: 2 }], { checks: 'failed' }, [0.5, 'hunks', 'checks']],
    ['kept, and checks pass', [{ kept: 2 }], { checks: 'passed' }, [1, 'hunks']],
    ['undone although checks pass', [{ undone: 2 }], { checks: 'passed' }, [0, 'hunks']],
    ['not decided yet', [{ kept: 1, open: 1 }], { checks: 'passed' }, 'undecided'],
    ['never decided, and checks pass', [{ open: 2 }], { checks: 'passed', isOver: true }, [1, 'checks']],
    ['never decided, and checks fail', [{ open: 2 }], { checks: 'failed', isOver: true }, [0, 'checks']],
    ['half undone, the rest never decided, and checks pass', [{ undone: 1, open: 1 }], { checks: 'passed', isOver: true }, [0.5, 'hunks', 'checks']],
    ['never decided, and nothing checked', [{ undone: 1, open: 1 }], { isOver: true }, 'undecided'],
    ['never decided, and checks pass that are others now', [{ open: 1, judges: 'changed' }], { checks: 'passed', isOver: true }, 'judgesChanged'],
    [
      'never decided, and checks pass with fewer tests',
      [{ open: 1 }, { open: 1, judges: 'weakened' }],
      { checks: 'passed', isOver: true },
      [0, 'checks', 'weakenedTests'],
    ],
    ['kept, with fewer tests', [{ kept: 2 }, { kept: 4, judges: 'weakened' }], {}, [0.5, 'hunks', 'weakenedTests']],
    ['nothing but fewer tests', [{ kept: 4, judges: 'weakened' }], {}, 'nothingChanged'],
    ['nothing changed', [], { isOver: true, checks: 'passed' }, 'nothingChanged'],
    ['another answer wanted', [], { rejected: 'regenerated' }, [0, 'regenerated']],
    ['brought back', [{ kept: 1 }], { rejected: 'restored' }, [0, 'restored']],
    ['the same failing call again and again', [{ kept: 1 }], { ending: 'looped' }, [0, 'looped']],
  ])('%s', (_what, files, more, expected) => {
    expect(of(files, more)).toEqual(expected);
  });

  it('R-05: is not known where the provider or the user ended it, a limit or a fault, whatever else is known', () => {
    const ending = fc.constantFrom<Ending>('stopped', 'unanswered', 'limited', 'failed');
    fc.assert(
      fc.property(turns(), ending, (turn, end) => {
        expect(outcomeOf({ ...turn, ending: end })).toEqual({ type: 'none', because: end });
      }),
    );
  });

  it('is not known where the kind or the model is not', () => {
    const known = { ending: 'completed', files: [], isOver: true, rejected: 'regenerated' } as const;
    expect(outcomeOf({ ...known, model: 'a/b' })).toEqual({ type: 'none', because: 'kindUnknown' });
    expect(outcomeOf({ ...known, kind: 'debug' })).toEqual({ type: 'none', because: 'severalModels' });
  });

  it('is a share, and never better for a hunk that was undone in place of kept', () => {
    fc.assert(
      fc.property(turns(), (turn) => {
        const better = shareOf(turn);
        const files = turn.files.map((file) => ({ ...file, kept: 0, undone: file.undone + file.kept }));
        const worse = shareOf({ ...turn, files });
        if (better === undefined || worse === undefined) return;
        expect(better).toBeGreaterThanOrEqual(0);
        expect(better).toBeLessThanOrEqual(1);
        // Of a file without its tests, only what was undone counts.
        if (turn.files.every(({ judges }) => judges !== 'weakened')) expect(worse).toBeLessThanOrEqual(better);
      }),
    );
  });

  it('gains nothing by deleting tests, also not where checks pass only because of that', () => {
    const deleted = fc.record({ kept: count(), edited: count(), undone: count(), open: count(), judges: fc.constant('weakened' as const) });
    fc.assert(
      fc.property(turns(), deleted, fc.boolean(), (turn, file, passes) => {
        const without = shareOf(turn);
        const sibling = { ...turn, files: [...turn.files, file], ...(passes && turn.checks !== undefined ? { checks: 'passed' as const } : {}) };
        const after = shareOf(sibling);
        // What counted against it still does, unless the user has not decided about that and nothing is checked.
        if (without !== undefined && sibling.isOver && (file.open === 0 || sibling.checks !== undefined)) expect(after).toBeDefined();
        // Of a turn of which nothing was known, at most half is.
        expect(after ?? 0).toBeLessThanOrEqual(without ?? 0.5);
      }),
    );
  });
});

function shareOf(turn: TurnFacts): number | undefined {
  const outcome = outcomeOf(turn);
  return outcome.type === 'none' ? undefined : outcome.share;
}

function count(): fc.Arbitrary<number> {
  return fc.nat({ max: 4 });
}

function turns(): fc.Arbitrary<TurnFacts> {
  const judges = fc.constantFrom<FileFacts['judges']>('untouched', 'changed', 'weakened');
  const file = fc.record({ kept: count(), edited: count(), undone: count(), open: count(), judges });
  return fc.record(
    {
      kind: fc.constant('debug' as const),
      model: fc.constant('a/b'),
      ending: fc.constant('completed' as const),
      files: fc.array(file, { maxLength: 4 }),
      isOver: fc.boolean(),
      checks: fc.constantFrom<NonNullable<TurnFacts['checks']>>('passed', 'failed'),
      rejected: fc.constantFrom<NonNullable<TurnFacts['rejected']>>('regenerated', 'restored'),
    },
    { requiredKeys: ['kind', 'model', 'ending', 'files', 'isOver'] },
  );
}
