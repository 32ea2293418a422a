import { describe, expect, test } from 'vitest';
import { replayTask } from '../../eval/main.js';
import { closestMatch } from '../../eval/recording.js';
import { runTask } from '../../eval/run-task.js';
import { tasks } from '../../eval/tasks/index.js';
import { anthropicModelInfo } from '../../../src/provider/anthropic/models.js';
import { writtenProvider } from '../../eval/providers.js';

describe('the coding tasks on recorded answers', () => {
  test.each(tasks)('$name', async (task) => {
    const { problem, turn } = await replayTask(task);
    expect(problem).toBeUndefined();
    expect(turn.rounds).toBe(task.answers.length);
  });

  test.each(tasks)('the check of $name fails when nothing is done', async (task) => {
    const model = anthropicModelInfo('');
    const { problem } = await runTask(task, () => ({ model, provider: writtenProvider({ ...task, answers: [{ say: 'Done.' }] }) }));
    expect(problem).toBeDefined();
  });

  test('there are at least 20, each with a name of its own', () => {
    expect(new Set(tasks.map(({ name }) => name)).size).toBeGreaterThanOrEqual(20);
  });

  test('a request without an answer is told from the closest recorded one', () => {
    const usage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
    const answer = { request: 'x', conversation: ['user: a', 'assistant: b'], text: '', calls: [], usage };
    expect(closestMatch({ model: 'written', answers: [answer] }, ['user: a', 'assistant: c'])).toContain('message 2');
  });
});
