import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { ToolInputError } from '../../../../src/domain/errors.js';
import type { Job, JobOutput, Jobs } from '../../../../src/domain/workspace/jobs.js';
import { createJobs } from '../../../../src/node/process/jobs.js';
import type { Killable } from '../../../../src/node/process/command-run.js';
import { createProcesses } from '../../../../src/node/process/processes.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { eventually } from '../../../support/eventually.js';

const open: Jobs[] = [];
const never = new AbortController().signal;

function jobsIn(folder: string, env: Record<string, string | undefined> = process.env, running = new Set<Killable>()): Jobs {
  const jobs = createJobs({ logFolder: folder, env, running });
  open.push(jobs);
  return jobs;
}

function start(jobs: Jobs, cwd: string, command: string, timeoutMs = 60_000): Promise<Job> {
  return jobs.start({ command, cwd, timeoutMs });
}

/** A command that creates `ready` and waits until there is a file `go`. */
const WAITING = 'echo $$ > ready; while [ ! -e go ]; do sleep 0.01; done';

async function pidFrom(file: string): Promise<number> {
  await eventually(() => expect(readFileSync(file, 'utf8')).toMatch(/^\d+\n$/));
  return Number(readFileSync(file, 'utf8'));
}

/** Whether a process runs; one that has ended and was only not collected does not. */
function isRunning(pid: number): boolean {
  const path = `/proc/${pid}/stat`;
  return existsSync(path) && !/^\d+ \(.*\) Z/.test(readFileSync(path, 'utf8'));
}

/** All output of a job until a text comes. */
async function outputUntil(jobs: Jobs, id: string, text: string): Promise<string> {
  let all = '';
  await eventually(async () => expect((all += (await jobs.output(id)).text)).toContain(text));
  return all;
}

describe.runIf(process.platform === 'linux')('jobs', () => {
  afterEach(async () => {
    await Promise.all(open.splice(0).map((jobs) => jobs.close()));
  });

  it('start at once, and tell their output once and how they ended', async () => {
    const folder = temporaryFolder();
    const jobs = jobsIn(folder);
    const job = await start(jobs, folder, `echo one; ${WAITING}; echo two; exit 3`);
    expect(job).toMatchObject({ id: 'job-1', cwd: folder });
    expect(job.ended).toBeUndefined();
    expect(await outputUntil(jobs, job.id, 'one\n')).toBe('one\n');
    expect(jobs.news()).toEqual([]);
    writeFileSync(join(folder, 'go'), '');
    await jobs.settled(job.id, 20_000, never);
    const output = await jobs.output(job.id);
    expect(output).toMatchObject({ text: 'two\n', omittedBytes: 0, job: { ended: { exitCode: 3, signal: undefined, reason: 'exited' } } });
    expect(readFileSync(output.logFile ?? '', 'utf8')).toBe('one\ntwo\n');
    expect(jobs.list()).toEqual([output.job]);
    expect(jobs.news().map(({ id }) => id)).toEqual(['job-1']);
    expect(jobs.news()).toEqual([]);
  });

  it('waiting for the end of one is over after a time, or when that is stopped', async () => {
    const folder = temporaryFolder();
    const jobs = jobsIn(folder);
    const { id } = await start(jobs, folder, WAITING);
    await jobs.settled(id, 20, never);
    await jobs.settled(id, 60_000, AbortSignal.abort());
    expect(jobs.list()[0]?.ended).toBeUndefined();
  });

  it('tool-03: killing one ends its whole tree, also what left the group', async () => {
    const folder = temporaryFolder();
    const jobs = jobsIn(folder);
    const { id } = await start(jobs, folder, `setsid bash -c 'echo $$ > left; sleep 78; true' & bash -c "bash -c 'echo \\$\\$ > pid; sleep 77; true'; true"`);
    const pids = [await pidFrom(join(folder, 'pid')), await pidFrom(join(folder, 'left'))];
    expect(await jobs.kill(id)).toMatchObject({ ended: { exitCode: undefined, reason: 'killed' } });
    expect(pids.map(isRunning)).toEqual([false, false]);
    expect(await jobs.kill(id)).toMatchObject({ ended: { reason: 'killed' } });
  });

  it('are ended with the session; none can be started after it', async () => {
    const folder = temporaryFolder();
    const jobs = jobsIn(folder);
    await start(jobs, folder, WAITING);
    const pid = await pidFrom(join(folder, 'ready'));
    const late = start(jobs, folder, 'sleep 77');
    await jobs.close();
    expect(isRunning(pid)).toBe(false);
    expect((await late).id).toBe('job-2');
    expect(jobs.list().every(({ ended }) => ended?.reason === 'killed')).toBe(true);
    await expect(start(jobs, folder, 'true')).rejects.toThrow(/session has ended/);
  });

  it('are ended with the extension', async () => {
    const folder = temporaryFolder();
    const running = new Set<Killable>();
    const jobs = jobsIn(folder, process.env, running);
    const { id } = await start(jobs, folder, WAITING);
    const pid = await pidFrom(join(folder, 'ready'));
    createProcesses({ logFolder: folder, env: process.env, running }).dispose();
    await jobs.settled(id, 20_000, never);
    expect(isRunning(pid)).toBe(false);
    expect(jobs.list()[0]?.ended).toMatchObject({ signal: 'SIGKILL' });
    expect(running.size).toBe(0);
  });

  it('are ended when their life is over', async () => {
    const folder = temporaryFolder();
    const jobs = jobsIn(folder);
    const { id } = await start(jobs, folder, WAITING, 100);
    await jobs.settled(id, 20_000, never);
    expect(jobs.list()[0]?.ended).toMatchObject({ reason: 'time_limit' });
  });

  it('at most 16 run at a time; a place is free again when one has ended or could not start', async () => {
    const folder = temporaryFolder();
    const jobs = jobsIn(folder);
    await expect(start(jobs, join(folder, 'none'), 'true')).rejects.toThrow(/not a folder/);
    await Promise.all(Array.from({ length: 16 }, () => start(jobs, folder, 'exec sleep 77')));
    await expect(start(jobs, folder, 'true')).rejects.toThrow(/16 jobs are running/);
    await jobs.kill('job-7');
    expect((await start(jobs, folder, 'true')).id).toBe('job-17');
  });

  it('an unknown id is an error that names those that exist', async () => {
    const folder = temporaryFolder();
    const jobs = jobsIn(folder);
    await expect(jobs.output('job-1')).rejects.toThrow(/No job was started/);
    await start(jobs, folder, 'true');
    await expect(jobs.kill('x')).rejects.toThrow(new ToolInputError('There is no job "x". The jobs are: job-1.'));
  });

  it('tool-01: of a flood keep the end in memory and a bounded log', async () => {
    const folder = temporaryFolder();
    const jobs = jobsIn(folder);
    const { id } = await start(jobs, folder, 'yes | head -c 100M; echo end');
    await jobs.settled(id, 30_000, never);
    const output: JobOutput = await jobs.output(id);
    expect(output.text).toMatch(/^[\sy]*end\n$/);
    expect(output.text.length).toBeLessThanOrEqual(16 * 1024 + 1);
    expect(output.omittedBytes + Buffer.byteLength(output.text)).toBe(100 * 1024 * 1024 + 4);
    expect(output.logProblem).toBe('the log holds the first 33554432 bytes');
    expect(readFileSync(output.logFile ?? '').length).toBeLessThanOrEqual(33_554_600);
  }, 40_000);

  it('run without a log where none can be written', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'file'), '');
    const jobs = jobsIn(join(folder, 'file'));
    const { id } = await start(jobs, folder, 'echo hi');
    await jobs.settled(id, 20_000, never);
    expect(await jobs.output(id)).toMatchObject({ text: 'hi\n', logFile: undefined, logProblem: expect.stringMatching(/could not be written/) as string });
  });

  it('tool-19: get no keys', async () => {
    const folder = temporaryFolder();
    const jobs = jobsIn(folder, { ...process.env, ANTHROPIC_API_KEY: 'canary' });
    const { id } = await start(jobs, folder, 'env');
    await jobs.settled(id, 20_000, never);
    expect((await jobs.output(id)).text).not.toContain('canary');
  });
});
