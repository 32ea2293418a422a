import { describe, expect, it } from 'vitest';
import { type InlineEditEvent, type InlineEditState, isRunning, newInlineEdit, reduceInlineEdit, turnOf } from '../../../src/inline-edit/edit-state.js';

const LINES = ['one', 'two', 'three'];
const ask = (words: string): InlineEditEvent => ({ type: 'asked', instruction: { words, attached: [] } });
const ended = (pending: number, stopped = false): InlineEditEvent => ({ type: 'turn_ended', stopped, pending, outcome: 'Nothing came of it.' });
const begun = (inPlace = true): InlineEditEvent => ({ type: 'replacement_begun', old: LINES, inPlace });
const made = (...lines: readonly string[]): InlineEditEvent => ({ type: 'changes_made', changes: [{ start: 1, end: 2, lines }] });
const completed = (pending: number): InlineEditEvent => ({ type: 'replacement_completed', pending });
/** What leads to one hunk that pends while the model says its closing words. */
const EDITED = [ask('Change it'), { type: 'sent', model: 'M' }, begun(), made('TWO', 'more'), completed(1)] as const;

/** An inline edit of lines 5 to 7 after some events. */
function after(...events: readonly InlineEditEvent[]): InlineEditState {
  return events.reduce(reduceInlineEdit, newInlineEdit({ start: 5, end: 8 }));
}

/** What is shown of it. */
function shown(...events: readonly InlineEditEvent[]): string {
  const { phase } = after(...events);
  const said = ['words' in phase ? phase.words : '', 'notice' in phase ? (phase.notice ?? '') : ''].filter((each) => each !== '');
  return [phase.type, ...said].join(': ');
}

describe('an inline edit', () => {
  it('says how far it is from the question to the last hunk', () => {
    expect(shown(ask('Change it'))).toBe('asking: Preparing…');
    expect(shown(...EDITED.slice(0, 2))).toBe('asking: Asking M…');
    expect(shown(...EDITED.slice(0, 3))).toBe('asking: Asking M…');
    expect(shown(...EDITED.slice(0, 4))).toBe('streaming: Writing: 1 change so far');
    expect(shown(...EDITED)).toBe('review: 1 change');
    expect(shown(...EDITED, ended(2))).toBe('review: 2 changes');
    expect([0, 1, 4, 5].map((count) => isRunning(after(...EDITED.slice(0, count))))).toEqual([false, true, true, false]);
  });

  it('can be told again what should change when nothing came of it', () => {
    expect(shown(ask('Change it'), ended(0))).toBe('prompting: Nothing came of it.');
    expect(shown(ask('Change it'), { type: 'turn_failed', pending: 0, words: 'No network.' })).toBe('prompting: No network.');
    expect(
      shown(
        ask('Change it'),
        begun(),
        made('TWO'),
        { type: 'replacement_blocked', problem: 'In the way.' },
        { type: 'replacement_undone' },
        { type: 'replacement_reverted' },
        ended(0, true),
      ),
    ).toBe('closed');
    expect(shown(...EDITED, { type: 'replacement_blocked', problem: 'In the way.' }, ended(1))).toBe('review: 1 change: In the way.');
  });

  it('is told nothing else while hunks come, and afterwards takes one thing after the other', () => {
    expect(after(ask('first'), ask('second'))).toEqual(after(ask('first')));
    const waiting = after(...EDITED, ask('second'), ask('third'));
    expect(waiting.phase).toMatchObject({ type: 'review', words: 'Preparing…' });
    const second = reduceInlineEdit(waiting, ended(0));
    expect(second.phase).toMatchObject({ type: 'asking', instruction: { words: 'second' } });
    const third = [begun(), made('TWO'), completed(1), ended(1)].reduce(reduceInlineEdit, second);
    expect(third.phase).toMatchObject({ type: 'asking', instruction: { words: 'third' } });
    expect(turnOf(reduceInlineEdit(third, ended(1)))).toBeUndefined();
  });

  it('closes when nothing pends any more, and stays closed', () => {
    expect(shown(...EDITED, { type: 'reviewed', pending: 0 }, ended(0))).toBe('closed');
    expect(shown(...EDITED, ended(1), { type: 'reviewed', pending: 0 })).toBe('closed');
    expect(shown(...EDITED, ended(2), { type: 'reviewed', pending: 1 })).toBe('review: 1 change');
    expect(shown(ask('Change it'), ended(0, true))).toBe('closed');
    expect(shown(ask('Change it'), { type: 'closed' }, ask('again'), ended(1))).toBe('closed');
  });

  it('follows its lines while the user types, also once it is closed', () => {
    const above: InlineEditEvent = { type: 'typed', shift: { start: 0, end: 0, count: 2 } };
    expect(after(above).region).toEqual({ start: 7, end: 10 });
    expect(after(...EDITED.slice(0, 4), above, { type: 'closed' }, above, completed(1)).region).toEqual({ start: 9, end: 13 });
    expect(after(begun(), made('TWO', 'more'), above).live?.hunks).toMatchObject([{ line: 8, count: 2 }]);
  });

  it('is about the lines of before when hunks were taken back', () => {
    const state = after(begun(), made('TWO', 'more', 'and more'), { type: 'replacement_undone' }, { type: 'replacement_reverted' });
    expect(state).toMatchObject({ region: { start: 5, end: 8 }, live: undefined });
  });

  it('holds hunks of a file that saves itself until they are decided about, and lets go of them when it is asked again', () => {
    const staged = after(ask('Change it'), begun(false), made('TWO', 'more'), completed(1));
    expect(staged).toMatchObject({ region: { start: 5, end: 8 }, staged: { hunks: [{ id: 0, line: 6, count: 1 }] } });
    const decide = (decision: 'keep' | 'undo'): InlineEditState => reduceInlineEdit(staged, { type: 'staged_decided', ids: new Set([0]), decision });
    expect(decide('keep')).toMatchObject({ region: { start: 5, end: 9 }, staged: { hunks: [] } });
    expect(decide('undo')).toMatchObject({ region: { start: 5, end: 8 }, staged: { hunks: [] } });
    expect([ended(1), ask('again'), { type: 'sent', model: 'M' } as const].reduce<InlineEditState>(reduceInlineEdit, staged).staged).toBeUndefined();
  });
});
