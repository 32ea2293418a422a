import { describe, expect, it } from 'vitest';
import { ToolInputError } from '../../../src/domain/errors.js';
import { forModel } from '../../../src/domain/tool/for-model.js';
import { notedText, textsForUser, withNoteBehind, withNotesBefore } from '../../../src/domain/tool/model-notes.js';
import { firstSentence } from '../../../src/domain/tool/outcome.js';
import { SENTENCES_FOR_MODELS } from '../../support/outcome-sentences.js';
import { OUTCOME_KINDS } from '../../support/outcomes.js';

/** Kinds that the result of the tool tells of, word for word. */
const TOLD_BY_RESULT = ['done', 'created', 'found', 'found_tools', 'answered', 'not_answered', 'ran'];

describe('what models are told of an outcome', () => {
  it.each(SENTENCES_FOR_MODELS)('is as it always was: %j', (outcome, detail, sentence) => {
    expect(forModel(outcome, detail)).toBe(sentence);
  });

  it('is known of every kind', () => {
    expect(new Set([...TOLD_BY_RESULT, ...SENTENCES_FOR_MODELS.map(([{ kind }]) => kind)])).toEqual(new Set(OUTCOME_KINDS));
  });
});

describe('a refused call', () => {
  it('that is told as a text says to the user what is in its first sentence', () => {
    const problem = (told: string): unknown => new ToolInputError(told).outcome;
    expect(problem('The pattern is empty. Give one.')).toEqual({ kind: 'rejected', problem: 'The pattern is empty.' });
    expect(problem('ripgrep cannot search: regex parse error.\n  ( ')).toEqual({ kind: 'rejected', problem: 'ripgrep cannot search: regex parse error.' });
    expect(firstSentence('a.ts is a.b')).toBe('a.ts is a.b');
    expect(firstSentence(`${'x'.repeat(199)}😀`)).toBe(`${'x'.repeat(199)}…`);
  });

  it('names a file as the model knows it, in the text and in the outcome, wherever the name stands', () => {
    const named = new ToolInputError({ kind: 'ambiguous', file: '/ws/a$&.ts', found: 2 }, { detail: 'See /ws/a$&.ts.' }).renamed('/ws/a$&.ts', 'a$&.ts');
    expect(named.outcome).toEqual({ kind: 'ambiguous', file: 'a$&.ts', found: 2 });
    expect(named.message).toMatch(/ in a\$&\.ts;[^]*See a\$&\.ts\.$/);
    const text = new ToolInputError('/ws/x is on a read-only file system. Ask.', { cause: named }).renamed('/ws/x', 'x');
    expect(text).toMatchObject({ message: 'x is on a read-only file system. Ask.', outcome: { problem: 'x is on a read-only file system.' }, cause: named });
  });
});

describe('what only the model is to read of a result', () => {
  const shown = (lines: Parameters<typeof notedText>[0]): readonly string[] => {
    const { block, marks } = notedText(lines);
    return textsForUser([block], marks);
  };

  it('is left out with its line, wherever that is', () => {
    const note = { note: '[note]' };
    expect(shown([note, 'a', note, note, 'b', note, note])).toEqual(['a\nb']);
    expect(shown(['a', note, '', 'b'])).toEqual(['a\n\nb']);
    expect(shown([note, note])).toEqual([]);
    expect(shown([])).toEqual(['']);
    expect(notedText([note, 'a']).block.text).toBe('[note]\na');
  });

  it('stays left out behind what is put before it, and with what is put behind it', () => {
    const { block, marks } = notedText(['a', { note: '[note]' }]);
    const result = { content: [block], isError: false, outcome: { kind: 'done', ...marks } as const };
    const told = withNoteBehind(withNotesBefore(result, [{ type: 'text', text: 'The user changed it.' }]), '[Stop that.]');
    expect(told.content).toHaveLength(3);
    expect(textsForUser(told.content, told.outcome ?? {})).toEqual(['a']);
  });

  it('cannot be more than there is', () => {
    expect(
      textsForUser([{ type: 'text', text: 'abc' }], {
        notes: [
          { block: 0, from: 1, to: 99 },
          { block: 0, from: 0, to: 1 },
          { block: 7, from: 0, to: 9 },
        ],
      }),
    ).toEqual([]);
  });
});
