import { describe, expect, test } from 'vitest';
import { offeredTo, promptFor } from '../../../src/engine/model-advice.js';
import { TEST_MODEL } from '../../support/scripted-provider/index.js';
import { testTool } from './rig.js';

const model = (id: string) => ({ ...TEST_MODEL, id });
const tools = [testTool('read'), { ...testTool('edit'), editing: 'replacements' as const }, { ...testTool('apply_patch'), editing: 'patches' as const }];
const names = (id: string): readonly string[] => offeredTo(tools, model(id)).map(({ spec }) => spec.name);

describe('what a model is told and offered', () => {
  test.each(['gpt-5.6-terra', 'gpt-4.1-mini', 'openai/gpt-5.1-codex', 'o4-mini', 'codex-mini-latest', 'gpt-10'])('%s writes patches', (id) => {
    expect(names(id)).toEqual(['read', 'apply_patch']);
  });

  test.each(['claude-opus-5', 'anthropic/claude-sonnet-4.5', 'gpt-4o', 'gpt-5-chat-latest', 'o1', 'gpt-oss:20b', 'gemini-2.5-pro', 'qwen3-coder', 'model-1'])(
    '%s writes texts to replace',
    (id) => {
      expect(names(id)).toEqual(['read', 'edit']);
    },
  );

  test('a session with only one of the two offers that', () => {
    expect(offeredTo(tools.slice(0, 2), model('gpt-5')).map(({ spec }) => spec.name)).toEqual(['read', 'edit']);
  });

  test.each([
    ['claude-opus-5', /Add no files/],
    ['openai/gpt-5.1', /apply_patch/],
    ['gpt-oss:20b', /parameters that a tool has/],
    ['google/gemini-3.8-flash', /never print code/],
    ['Qwen/Qwen3-Coder-30B', /Never write results/],
    ['mistral-small-latest', /Look at each result/],
  ])('%s gets the advice for its family behind what all get', (id, words) => {
    const prompt = promptFor('All of you.', model(id));
    expect(prompt.startsWith('All of you.\n\n# For you\n- ')).toBe(true);
    expect(prompt).toMatch(words);
  });

  test('a model that is not known gets none, and every request the same', () => {
    expect(promptFor('All of you.', model('model-1'))).toBe('All of you.');
    expect(promptFor('x', model('gpt-5'))).toBe(promptFor('x', model('gpt-5')));
  });
});
