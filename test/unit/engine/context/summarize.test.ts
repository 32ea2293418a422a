import { describe, expect, test } from 'vitest';
import { ProviderError } from '../../../../src/domain/errors.js';
import type { Message } from '../../../../src/domain/model/message.js';
import { mechanicalSummary, summarize } from '../../../../src/engine/context/summarize.js';
import { textTokens } from '../../../../src/text/text-tokens.js';
import { user } from '../rig.js';
import { pastTalk } from './long-talk.js';

const base = { earlier: undefined, instructions: undefined };

/** A model that takes so many tokens and counts its requests. */
function modelOf(limit: number) {
  const asked: string[] = [];
  const ask = (request: string): Promise<string> => {
    asked.push(request);
    return textTokens(request) > limit ? Promise.reject(new ProviderError('context_length', 'Too long.')) : Promise.resolve(`Summary ${asked.length}.`);
  };
  return { asked, ask };
}

describe('a summary of a conversation that is itself too long', () => {
  test('results are shortened first, the largest most', async () => {
    const { asked, ask } = modelOf(5_000);
    const summary = await summarize({ ...base, messages: pastTalk(6), limit: 5_000 }, ask);
    expect(summary).toBe('Summary 1.');
    expect(asked[0]).toMatch(/\[3,000 characters left out\]/);
    expect(asked[0]).toContain('Question 0');
  });

  test('then it is summarized in parts, each with the summary of those before', async () => {
    const { asked, ask } = modelOf(5_000);
    const summary = await summarize({ messages: pastTalk(40), earlier: 'The very beginning.', instructions: 'keep names', limit: 5_000 }, ask);
    expect(asked.length).toBeGreaterThan(1);
    expect(asked.length).toBeLessThanOrEqual(6);
    expect(summary).toBe(`Summary ${asked.length}.`);
    asked.forEach((request, index) => {
      expect(textTokens(request)).toBeLessThan(5_000);
      expect(request).toContain(index === 0 ? 'The very beginning.' : `Summary ${index}.`);
      expect(request).toContain('keep names');
    });
    for (let turn = 0; turn < 40; turn += 1) expect(asked.filter((request) => request.includes(`"Question ${turn}"`))).toHaveLength(1);
  });

  test('of what is older than all parts a list is made; the number of requests is bounded', async () => {
    const { asked, ask } = modelOf(5_000);
    await summarize({ ...base, messages: pastTalk(600), limit: 5_000 }, ask);
    expect(asked.length).toBeLessThanOrEqual(12);
    expect(asked[0]).toContain('put together without a model');
    expect(asked[0]).toContain('Question 0');
    expect(asked.at(-1)).toContain('Question 599');
  });

  test('a model that takes less than it says, or nothing: it still comes about', async () => {
    for (const real of [2_000, 0]) {
      const { asked, ask } = modelOf(real);
      const summary = await summarize({ ...base, messages: pastTalk(30), limit: 8_000 }, ask);
      expect(asked.length).toBeLessThanOrEqual(12);
      expect(summary).toMatch(real === 0 ? /without a model/ : /^Summary/);
    }
    const tiny = modelOf(100);
    expect(await summarize({ ...base, messages: pastTalk(3), limit: 500 }, tiny.ask)).toContain('without a model');
    expect(tiny.asked).toEqual([]);
  });

  test('another failure is passed on', async () => {
    const broken = (): Promise<string> => Promise.reject(new ProviderError('network', 'No connection.'));
    await expect(summarize({ ...base, messages: pastTalk(2), limit: 8_000 }, broken)).rejects.toThrow('No connection.');
  });
});

describe('a summary without a model', () => {
  test('names what the person said, the files, the plan and the last answer', () => {
    const plan = { type: 'tool_call' as const, id: 't', name: 'todo', arguments: '{"todos":[{"text":"Test it","status":"pending"}]}' };
    const [question, called, result, answer] = pastTalk(1);
    const messages = [question, called, result, { ...answer, content: [plan] }, user('And\nthis'), answer] as Message[];
    expect(mechanicalSummary(messages, 'Before that.')).toBe(
      [
        'This was put together without a model, because the conversation was too long for it.',
        '## Earlier summary\nBefore that.',
        '## What the user said, in order\n> Question 0\n\n> And\n> this',
        '## Files that calls named\n- read: "/ws/file0.ts"',
        '## The last to-do list\n{"todos":[{"text":"Test it","status":"pending"}]}',
        '## The last answer\nAnswer 0',
      ].join('\n\n'),
    );
  });

  test('is short, however much there was', () => {
    const messages = [...pastTalk(3_000), user('x'.repeat(1_000_000))];
    expect(mechanicalSummary(messages, 'y'.repeat(1_000_000)).length).toBeLessThan(40_000);
    expect(mechanicalSummary([])).toContain('without a model');
  });
});
