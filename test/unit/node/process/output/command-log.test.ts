import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createCommandLog, FileLog, removeLogsOf, removeOldLogs } from '../../../../../src/node/process/output/command-log.js';
import { createJobs } from '../../../../../src/node/process/jobs.js';
import { CommandOutput, createProcesses } from '../../../../../src/node/process/processes.js';
import { temporaryFolder } from '../../../../support/temporary-folder.js';

describe('createCommandLog', () => {
  it('stops at its limit and says so in the file', async () => {
    const log = await createCommandLog(join(temporaryFolder(), 'new'), 10);
    await log.append('12345');
    expect(log.full).toBe(false);
    await log.append('678901');
    await log.append('more');
    await log.close();
    expect(log.full).toBe(true);
    expect(readFileSync(log.path, 'utf8')).toBe('12345\n[The log ends here: it has reached its limit of 10 bytes.]\n');
  });

  it('removes logs of more than a week, and nothing else', async () => {
    const folder = temporaryFolder();
    for (const name of ['command-old.log', 'command-young.log', 'notes.txt']) {
      writeFileSync(join(folder, name), '');
      if (name !== 'command-young.log') utimesSync(join(folder, name), 1, 1);
    }
    const log = await createCommandLog(folder, 10);
    await log.close();
    expect(
      readdirSync(folder)
        .filter((name) => join(folder, name) !== log.path)
        .sort(),
    ).toEqual(['command-young.log', 'notes.txt']);
  });

  it.runIf(process.platform === 'linux')('tool-01: on a full disk the log ends, the output does not, and the result says so', async () => {
    const full = new FileLog(await open('/dev/full', 'w'), '/logs/full.log', 1_000_000);
    const output = new CommandOutput(() => Promise.resolve(full));
    for (let index = 0; index < 10; index++) await output.add(`${index}`.repeat(10_000));
    const kept = await output.finish();
    expect(kept).toMatchObject({ logFile: '/logs/full.log', omittedBytes: 100_000 - 32 * 1024 });
    expect(kept.logProblem).toMatch(/^the log could not be written: ENOSPC/);
    expect(kept.output).toMatch(/^0+[^]*left out; the log could not be written: ENOSPC[^]*9$/);
  });
});

describe('removeLogsOf', () => {
  const request = (cwd: string, command: string) => ({ command, cwd, timeoutMs: 20_000 });

  it('removes what the commands of a deleted session wrote, those in the background too, and nothing else', async () => {
    const folder = temporaryFolder();
    const settings = (session?: string) => ({ logFolder: folder, env: process.env, ...(session === undefined ? {} : { session }) });
    const run = async (session?: string): Promise<void> => {
      await createProcesses(settings(session)).run(request(folder, 'seq 1 20000'), new AbortController().signal, () => undefined);
    };
    await run('17');
    await run('171');
    await run();
    const jobs = createJobs(settings('17'));
    await jobs.start(request(folder, 'echo job'));
    await jobs.close();
    writeFileSync(join(folder, 'notes.of-17.txt'), '');
    const logs = (): string[] => readdirSync(folder).filter((name) => name.endsWith('.log'));
    expect(logs()).toHaveLength(4);
    await removeLogsOf(folder, '17');
    expect(logs().filter((name) => name.includes('.of-'))).toEqual([expect.stringMatching(/^command-\d+-\w+\.of-171\.log$/)]);
    expect(logs()).toHaveLength(2);
    expect(readdirSync(folder)).toContain('notes.of-17.txt');
    await removeLogsOf(join(folder, 'none'), '17');
  });
});

describe('removeOldLogs', () => {
  /** Writes a log of 100 bytes, so many minutes old. */
  function logFile(folder: string, name: string, minutes: number): void {
    writeFileSync(join(folder, name), 'x'.repeat(100));
    const seconds = Date.now() / 1_000 - minutes * 60;
    utimesSync(join(folder, name), seconds, seconds);
  }

  it('removes the oldest until the rest is small enough', async () => {
    const folder = temporaryFolder();
    for (const [name, minutes] of [
      ['command-a.log', 3],
      ['command-b.log', 1],
      ['command-c.log', 2],
    ] as const)
      logFile(folder, name, minutes);
    logFile(folder, 'other.txt', 9);
    await removeOldLogs(folder, 250);
    expect(readdirSync(folder).sort()).toEqual(['command-b.log', 'command-c.log', 'other.txt']);
  });

  it('keeps those that are being written, here and by another process', async () => {
    const folder = temporaryFolder();
    const other = spawn('sleep', ['77']);
    try {
      const log = await createCommandLog(folder, 1_000);
      await log.append('running');
      utimesSync(log.path, 1, 1);
      logFile(folder, `command-${other.pid ?? 0}-a.log`, 60 * 24 * 30);
      await removeOldLogs(folder, 0);
      expect(readdirSync(folder)).toHaveLength(2);
      await log.close();
      await removeOldLogs(folder, 0);
      expect(readdirSync(folder)).toEqual([`command-${other.pid ?? 0}-a.log`]);
    } finally {
      other.kill();
    }
  });

  it('does nothing where there is no folder, and goes on past what cannot be removed', async () => {
    const folder = temporaryFolder();
    await removeOldLogs(join(folder, 'none'));
    mkdirSync(join(folder, 'command-a.log'));
    logFile(folder, 'command-b.log', 1);
    await removeOldLogs(folder, 0);
    expect(readdirSync(folder)).toEqual(['command-a.log']);
  });
});
