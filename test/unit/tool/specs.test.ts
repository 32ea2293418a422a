import { describe, expect, it } from 'vitest';
import { z } from 'zod/mini';
import { ToolInputError } from '../../../src/domain/errors.js';
import { defineTool, textResult } from '../../../src/tool/calls/define.js';
import { createTools } from '../../../src/tool/index.js';
import { createMemoryWorkspace, toolContext } from '../../support/memory-workspace/index.js';
import { OpenQuestions } from '../../../src/chat/conversation/conversation.js';
import { rig } from './rig.js';
import { createScriptedJobs } from './scripted-jobs.js';

const NAMES = ['read', 'write', 'edit', 'apply_patch', 'grep', 'glob', 'list', 'bash', 'todo'];

describe('tool specs', () => {
  it('P52: come in a stable order under their names', () => {
    expect(createTools(createMemoryWorkspace()).map((tool) => tool.spec.name)).toEqual(NAMES);
  });

  it('with jobs and questions there are tools for them', () => {
    const ports = { ...createMemoryWorkspace(), jobs: createScriptedJobs(), questions: new OpenQuestions() };
    expect(createTools(ports).map((tool) => tool.spec.name)).toEqual([
      'read',
      'write',
      'edit',
      'apply_patch',
      'grep',
      'glob',
      'list',
      'bash',
      'jobs',
      'todo',
      'ask',
    ]);
  });

  it('cost few tokens: all together at most 1,300 (four characters each)', () => {
    const json = JSON.stringify(createTools(createMemoryWorkspace()).map((tool) => tool.spec));
    expect(json.length / 4).toBeLessThanOrEqual(1_300);
  });

  it('are frozen', () => {
    for (const { spec } of createTools(createMemoryWorkspace())) {
      expect(Object.isFrozen(spec)).toBe(true);
      expect(Object.isFrozen(spec.parameters['properties'])).toBe(true);
    }
  });
});

describe('arguments', () => {
  it.each([
    ['read', {}, /file_path: missing, must be a string/],
    ['read', { file_path: 1 }, /file_path: must be a string, not 1/],
    ['read', { file_path: '' }, /file_path: must not be empty/],
    ['read', { file_path: 'a', limit: 'ten' }, /limit: must be a number, not a string; write it without quotes/],
    ['read', { file_path: 'a', limit: 1.5 }, /limit: must be a whole number, not 1.5/],
    ['read', { file_path: 'a', line: 3 }, /unknown: line; the fields are file_path, offset, limit/],
    ['read', { file_path: 'a', path: 'b' }, /path and file_path mean the same here and hold different values; nothing was done\. Give file_path only/],
    ['edit', { file_path: 'a', old_string: 'x', new_string: null }, /new_string: missing, must be a string/],
    ['bash', { command: 'x', timeout_ms: '5 s' }, /timeout_ms: must be a number, not a string; write it without quotes/],
    ['bash', { command: 'x', background: 'yes' }, /background: must be a boolean, not a string; write it without quotes/],
    ['grep', 'text', /the arguments: must be an object, not a string/],
    ['grep', ['a'], /the arguments: must be an object, not a list/],
  ])('stream-18: %s %j is refused with what to do', async (name, args, problem) => {
    const planned = rig().tool(name).plan(args, toolContext());
    await expect(planned).rejects.toThrow(ToolInputError);
    await expect(planned).rejects.toThrow(problem);
  });

  it('names every problem at once', async () => {
    const planned = rig().tool('edit').plan({ old_string: 3, extra: true }, toolContext());
    await expect(planned).rejects.toThrow(/file_path: missing[\s\S]*old_string: must be[\s\S]*unknown: extra/);
  });
});

describe('defineTool', () => {
  const spec = { name: 'probe', description: '', parameters: { type: 'object' } };
  const probe = defineTool<{ list: string[] }, { seen: string[] }>({
    spec,
    schema: z.strictObject({ list: z.array(z.string()) }),
    plan: (args) => Promise.resolve({ subject: 'probe', accesses: [], state: { seen: args.list } }),
    execute: ({ seen }) => Promise.resolve(textResult(seen.join())),
  });

  it('freezes plans all the way down, apart from what the caller handed in', async () => {
    const args = { list: ['a'] };
    const plan = await probe.plan(args, toolContext());
    args.list.push('b');
    expect(Object.isFrozen(plan.accesses)).toBe(true);
    expect(() => (plan.args as { list: string[] }).list.push('c')).toThrow(TypeError);
    expect(await probe.execute(plan, toolContext())).toEqual(textResult('a'));
  });

  it('runs only the very plan that it made', async () => {
    const plan = await probe.plan({ list: ['a'] }, toolContext());
    await expect(probe.execute({ ...plan }, toolContext())).rejects.toThrow(/not a plan made by the tool probe/);
  });

  it('does nothing once it was stopped', async () => {
    const stopped = toolContext({ signal: AbortSignal.abort() });
    await expect(probe.plan({ list: [] }, stopped)).rejects.toThrow(/stopped/);
  });
});
