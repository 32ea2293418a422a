import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import type { Tool, ToolContext, ToolResult } from '../../../src/domain/tool/tool.js';
import { createBashTool } from '../../../src/tool/bash.js';
import { createJobsTool } from '../../../src/tool/jobs.js';
import { createMemoryWorkspace, toolContext } from '../../support/memory-workspace/index.js';
import { textOf } from './rig.js';
import { type ScriptedJobs, createScriptedJobs } from './scripted-jobs.js';

const STATE = 'running since 2025-01-01T00:00:00.000Z';
const EXITED = { exitCode: 1, signal: undefined, reason: 'exited' } as const;

function rig(jobs: ScriptedJobs = createScriptedJobs()) {
  const memory = createMemoryWorkspace();
  memory.processes.on('ls', { output: 'a\n', durationMs: 100 });
  const bash = createBashTool({ ...memory, jobs });
  const tool = createJobsTool({ jobs });
  const call = async (which: Tool, args: unknown, context: ToolContext): Promise<ToolResult> => which.execute(await which.plan(args, context), context);
  return {
    jobs,
    bash: (args: object, context: ToolContext = toolContext()) => call(bash, args, context),
    ask: (args: object) => call(tool, args, toolContext()),
    bashTool: bash,
    jobsTool: tool,
  };
}

describe('bash with background', () => {
  it('plans a command that is seen to go on, for a day unless told otherwise', async () => {
    const { bashTool } = rig();
    const plan = await bashTool.plan({ command: 'npm run dev', background: true }, toolContext());
    expect(plan).toMatchObject({
      subject: 'npm run dev (in the background)',
      accesses: [{ kind: 'execute', target: 'npm run dev' }],
      preview: { kind: 'command', command: 'npm run dev', cwd: '/ws', timeoutMs: 86_400_000 },
    });
  });

  it('starts a job and returns its id, its first output and its log', async () => {
    const { bash, jobs } = rig();
    jobs.whileWaiting = (id) => jobs.write(id, 'listening\n');
    const context = toolContext();
    const result = await bash({ command: 'npm run dev', background: true, timeout_ms: 5_000 }, context);
    expect(jobs.requests).toEqual([{ command: 'npm run dev', cwd: '/ws', timeoutMs: 5_000 }]);
    expect(result.isError).toBe(false);
    expect(textOf(result)).toBe(`Started job-1 in the background.\nlistening\n[job-1 ${STATE}; log: /logs/job-1.log]`);
    expect(context.chunks).toEqual(['listening\n']);
  });

  it('one that fails at once is an error, and not told of again', async () => {
    const { bash, jobs } = rig();
    jobs.whileWaiting = (id) => jobs.end(id, EXITED);
    const result = await bash({ command: 'x', background: true });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toBe('Started job-1 in the background.\n(no new output)\n[job-1 ended: exit code 1; log: /logs/job-1.log]');
    expect(textOf(await bash({ command: 'ls' }))).not.toContain('job-1');
  });

  it('stream-19: a call that is stopped leaves no job behind', async () => {
    const { bash, jobs } = rig();
    const controller = new AbortController();
    jobs.whileWaiting = () => controller.abort();
    await bash({ command: 'x', background: true }, toolContext({ signal: controller.signal }));
    expect(jobs.list()[0]?.ended?.reason).toBe('killed');
  });

  it('is refused in words where there are no jobs', async () => {
    const bash = createBashTool(createMemoryWorkspace());
    await expect(bash.plan({ command: 'x', background: true }, toolContext())).rejects.toThrow(/no background jobs here.*without background/);
    await expect(bash.plan({ command: 'x', background: 'later' }, toolContext())).rejects.toThrow(
      /background: must be a boolean, not a string; write it without quotes/,
    );
  });
});

describe('jobs', () => {
  it('stays within Gnomon, so that nobody is asked', async () => {
    const { jobsTool } = rig();
    expect(await jobsTool.plan({ action: 'list' }, toolContext())).toMatchObject({ subject: 'list', accesses: [{ kind: 'interact', target: 'jobs' }] });
    expect(await jobsTool.plan({ action: 'kill', id: 'job-1' }, toolContext())).toMatchObject({
      subject: 'kill job-1',
      accesses: [{ kind: 'interact', target: 'job-1' }],
    });
    expect(await jobsTool.plan({ action: 'output', id: 'a\u202eb' }, toolContext())).toMatchObject({ subject: 'output a\\u{202e}b' });
  });

  it('lists all with how they stand', async () => {
    const { ask, bash, jobs } = rig();
    expect(textOf(await ask({ action: 'list' }))).toBe('No job was started in this session.');
    for (const command of ['a', 'b\nc', 'd', 'e', 'f']) await bash({ command, background: true });
    jobs.end('job-2', EXITED);
    jobs.end('job-3', { exitCode: undefined, signal: 'SIGSEGV', reason: 'exited' });
    jobs.end('job-4', { exitCode: undefined, signal: 'SIGTERM', reason: 'time_limit' });
    jobs.end('job-5', { exitCode: undefined, signal: undefined, reason: 'exited' });
    expect(textOf(await ask({ action: 'list' })).split('\n')).toEqual([
      `job-1 ${STATE}: a`,
      'job-2 ended: exit code 1: b ⏎ c',
      'job-3 ended: killed by SIGSEGV: d',
      'job-4 ended: time limit reached, killed: e',
      'job-5 ended: exit code unknown: f',
    ]);
    expect(textOf(await bash({ command: 'ls' }))).not.toContain('job-');
  });

  it('gives new output once, with the log and what it lacks', async () => {
    const { ask, bash, jobs } = rig(createScriptedJobs({ omittedBytes: 7, logProblem: 'the log holds the first 9 bytes' }));
    await bash({ command: 'x', background: true });
    jobs.write('job-1', 'tail\n');
    expect(textOf(await ask({ action: 'output', id: 'job-1' }))).toBe(
      `[7 bytes before this left out]\ntail\n[job-1 ${STATE}; log: /logs/job-1.log, incomplete: the log holds the first 9 bytes]`,
    );
    expect(textOf(await ask({ action: 'output', id: 'job-1' }))).toContain('(no new output)');
  });

  it('kills one and says so', async () => {
    const { ask, bash } = rig();
    await bash({ command: 'x', background: true });
    expect(textOf(await ask({ action: 'kill', id: 'job-1' }))).toBe('(no new output)\n[job-1 ended: killed on request; log: /logs/job-1.log]');
    expect(textOf(await bash({ command: 'ls' }))).toBe('a\n[exit code 0 after 0.1 s]');
  });

  it('the end of a job is told once, with the next result', async () => {
    const { ask, bash, jobs } = rig();
    for (const command of ['x', 'y', 'z']) await bash({ command, background: true });
    jobs.end('job-1', EXITED);
    expect(textOf(await bash({ command: 'ls' }))).toBe('a\n[exit code 0 after 0.1 s]\n[job-1 ended: exit code 1]');
    expect(textOf(await bash({ command: 'ls' }))).toBe('a\n[exit code 0 after 0.1 s]');
    jobs.end('job-2', EXITED);
    expect(textOf(await ask({ action: 'output', id: 'job-3' }))).toMatch(/\[job-2 ended: exit code 1\]$/);
  });

  it('an unknown job is an error for the model; an id that is missing too', async () => {
    const { ask, jobsTool } = rig();
    expect(await ask({ action: 'output', id: 'nope' })).toMatchObject({ isError: true });
    await expect(jobsTool.plan({ action: 'kill' }, toolContext())).rejects.toThrow(/needs the id of a job/);
    await expect(jobsTool.plan({ action: 'pause' }, toolContext())).rejects.toThrow(/action: must be one of list, output, kill/);
  });

  it('cost few tokens: bash at most 185, jobs at most 70', () => {
    const { bashTool, jobsTool } = rig();
    expect(encode(JSON.stringify(bashTool.spec)).length).toBeLessThanOrEqual(185);
    expect(encode(JSON.stringify(jobsTool.spec)).length).toBeLessThanOrEqual(70);
  });
});
