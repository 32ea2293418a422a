import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { AbortError } from '../../../src/domain/errors.js';
import type { Question, QuestionAnswer } from '../../../src/domain/tool/interaction.js';
import { isReadOnly } from '../../../src/domain/tool/tool.js';
import { createAskTool } from '../../../src/tool/ask.js';
import { OpenQuestions } from '../../../src/chat/conversation/conversation.js';
import { toolContext } from '../../support/memory-workspace/index.js';
import { textOf } from './rig.js';

const args = { question: 'Which one?', choices: ['a', 'b'] };

async function answered(answer: QuestionAnswer): Promise<string> {
  const asked: [string, Question][] = [];
  const tool = createAskTool({
    questions: {
      ask(callId, question) {
        asked.push([callId, question]);
        return Promise.resolve(answer);
      },
    },
  });
  const result = await tool.execute(await tool.plan(args, toolContext()), toolContext({ callId: 'call-7' }));
  expect(asked).toEqual([['call-7', { ...args, multiple: false }]]);
  expect(result.isError).toBe(false);
  return textOf(result);
}

describe('ask', () => {
  const tool = createAskTool({ questions: new OpenQuestions() });

  it('plans a question that is shown whole, runs without being allowed, and in order', async () => {
    const plan = await tool.plan({ ...args, multiple: true }, toolContext());
    expect(plan).toMatchObject({
      subject: 'Which one?',
      accesses: [{ kind: 'interact', target: 'chat' }],
      preview: { kind: 'question', question: { ...args, multiple: true } },
    });
    expect(isReadOnly(plan)).toBe(false);
  });

  it('asks an open question without choices', async () => {
    const plan = await tool.plan({ question: 'What for?' }, toolContext());
    expect(plan.preview).toEqual({ kind: 'question', question: { question: 'What for?', choices: [], multiple: false } });
  });

  it('tells the answer in words', async () => {
    expect(await answered({ type: 'answered', choices: ['b'] })).toBe('The user chose: “b”.');
    expect(await answered({ type: 'answered', choices: ['a', 'b'], text: ' but later ' })).toBe('The user chose: “a”, “b”.\nThe user wrote: but later');
    expect(await answered({ type: 'answered', choices: [], text: 'neither' })).toBe('The user wrote: neither');
    expect(await answered({ type: 'answered', choices: [] })).toBe('The user chose none of them.');
  });

  it('a person who does not want to answer is no error', async () => {
    expect(await answered({ type: 'dismissed' })).toMatch(/does not want to answer. Go on with your best judgment, or stop/);
  });

  it('waits for the chat, and ends with the turn', async () => {
    const questions = new OpenQuestions();
    const waiting = createAskTool({ questions });
    const plan = await waiting.plan(args, toolContext());
    const first = waiting.execute(plan, toolContext({ callId: 'one' }));
    questions.answer('one', { type: 'answered', choices: ['a'] });
    expect(textOf(await first)).toBe('The user chose: “a”.');
    const controller = new AbortController();
    const second = waiting.execute(plan, toolContext({ callId: 'two', signal: controller.signal }));
    controller.abort();
    await expect(second).rejects.toThrow(AbortError);
  });

  it.each([
    [{ ...args, choices: ['a'] }, /choices: must be 2 to 6 choices/],
    [{ ...args, choices: ['a', 'b', 'c', 'd', 'e', 'f', 'g'] }, /choices: must be 2 to 6 choices/],
    [{ ...args, choices: ['a', 'a '] }, /choices: must all be different/],
    [{ ...args, choices: ['a', ' '] }, /choices\.1: must not be empty/],
    [{ ...args, choices: ['a', 'b'.repeat(201)] }, /choices\.1: must be at most 200 characters/],
    [{ ...args, question: '\n' }, /question: must not be empty/],
    [{ ...args, question: 'x'.repeat(2_001) }, /question: must be at most 2000 characters/],
    [{ ...args, multiple: 'often' }, /multiple: must be a boolean, not a string; write it without quotes/],
  ])('refuses what cannot be asked: %#', async (wrong, problem) => {
    await expect(tool.plan(wrong, toolContext())).rejects.toThrow(problem);
  });

  it('costs at most 90 tokens', () => {
    expect(encode(JSON.stringify(tool.spec)).length).toBeLessThanOrEqual(90);
  });
});
