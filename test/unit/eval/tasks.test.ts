import { execFile } from 'node:child_process';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { easyTasks, hardTasks, tasks } from '../../eval/tasks/index.js';
import type { EvalTask, Work } from '../../eval/tasks/task.js';
import { type RunIn, checkedWorkspace, makeWorkspace, startOf, writeFiles } from '../../eval/workspace.js';
import { sampled } from '../../support/runs.js';

const run: RunIn = (command, cwd) =>
  new Promise((resolve) => {
    execFile('bash', ['-c', command], { cwd, timeout: 30_000 }, (error, stdout, stderr) => resolve({ ok: error === null, output: stdout + stderr }));
  });

/** What the check of a task says about some work. */
async function problemOf(task: EvalTask, { files = {}, commands = [], said = 'Done.' }: Work): Promise<string | undefined> {
  const home = await realpath(await mkdtemp(join(tmpdir(), 'gnomon-task-')));
  const folder = join(home, 'workspace');
  try {
    await makeWorkspace(folder, task);
    await writeFiles(folder, files);
    for (const command of commands) await run(command, folder);
    return await task.check(checkedWorkspace(folder, { said, start: startOf(task) }, run));
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

describe('the check of a task', () => {
  test.concurrent.each(sampled(tasks))('$name: takes its solutions, and nothing that is none', async (task) => {
    for (const work of [task.solution, ...(task.alternatives ?? [])]) expect(await problemOf(task, work), JSON.stringify(work).slice(0, 300)).toBeUndefined();
    expect(await problemOf(task, {}), 'nothing done').toBeDefined();
    expect(task.wrong.length).toBeGreaterThan(0);
    for (const work of task.wrong) expect(await problemOf(task, work), JSON.stringify(work).slice(0, 300)).toBeDefined();
  });
});

test('there are easy and hard tasks, each with a name of its own', () => {
  expect(easyTasks.length).toBeGreaterThanOrEqual(20);
  expect(hardTasks.length).toBeGreaterThanOrEqual(20);
  expect(new Set(tasks.map(({ name }) => name)).size).toBe(tasks.length);
});
