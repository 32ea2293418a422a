import fc from 'fast-check';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import type { TodoItem } from '../../../src/domain/tool/interaction.js';
import { createTodoTool } from '../../../src/tool/todo.js';
import { readTodos } from '../../../src/tool/calls/todo-items.js';
import { toolContext } from '../../support/memory-workspace/index.js';
import { textOf } from './rig.js';

const tool = createTodoTool();
const step = (status: string, text = 'Write tests'): object => ({ text, status });

describe('todo', () => {
  it('shows the whole plan, without asking, and answers shortly', async () => {
    const todos = [step('done'), step('in_progress'), step('pending'), step('done'), step('pending')];
    const plan = await tool.plan({ todos }, toolContext());
    expect(plan).toMatchObject({ subject: '5 steps', accesses: [{ kind: 'interact', target: 'chat' }], preview: { kind: 'todos', items: todos } });
    expect(textOf(await tool.execute(plan, toolContext()))).toBe('Plan updated: 2 of 5 done.');
  });

  it('an empty list clears the plan', async () => {
    expect(textOf(await tool.execute(await tool.plan({ todos: [] }, toolContext()), toolContext()))).toBe('Plan cleared.');
  });

  it.each([
    [{ todos: Array.from({ length: 51 }, () => step('done')) }, /todos: must be at most 50 steps/],
    [{ todos: [step('done', 'x'.repeat(501))] }, /todos\.0\.text: must be at most 500 characters/],
    [{ todos: [step('done', ' ')] }, /todos\.0\.text: must not be empty/],
    [{ todos: [step('finished')] }, /todos\.0\.status: must be one of pending, in_progress, done/],
    [{ todos: 'Write tests' }, /todos: must be an array, not a string; send the value itself, not JSON text of it/],
    [{ todos: [{ text: 'x' }] }, /todos\.0\.status: must be one of/],
    [{}, /todos: missing/],
  ])('refuses what is no plan: %#', async (args, problem) => {
    await expect(tool.plan(args, toolContext())).rejects.toThrow(problem);
    expect(readTodos(args)).toBeUndefined();
  });

  it('a stored call is read by the same rules', async () => {
    const item = fc.record({ text: fc.string({ minLength: 1, maxLength: 20 }), status: fc.constantFrom('pending', 'in_progress', 'done', 'other') });
    await fc.assert(
      fc.asyncProperty(fc.array(item, { maxLength: 60 }), async (todos) => {
        const raw = JSON.stringify({ todos });
        const planned = await tool.plan(JSON.parse(raw), toolContext()).then(
          ({ preview }) => (preview.kind === 'todos' ? preview.items : undefined),
          (): readonly TodoItem[] | undefined => undefined,
        );
        expect(readTodos(JSON.parse(raw))).toEqual(planned);
      }),
    );
    expect(readTodos(null)).toBeUndefined();
    expect(readTodos({ todos: [step('completed')], plan: [step('pending')] })).toBeUndefined();
  });

  it('costs at most 95 tokens', () => {
    expect(encode(JSON.stringify(tool.spec)).length).toBeLessThanOrEqual(95);
  });
});
