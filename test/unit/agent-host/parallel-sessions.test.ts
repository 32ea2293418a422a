import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi, onTestFinished } from 'vitest';
import { reply, startModelServer } from '../../support/model-server/index.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { MemoryLog } from '../engine/rig.js';
import { nodeHost } from './node-host.js';

test('one session writes while a command of another one runs: each has what it changed itself under review, and only that', async () => {
  const server = await startModelServer();
  onTestFinished(() => server.close());
  const [home, folder, storage, signals] = [temporaryFolder(), temporaryFolder(), temporaryFolder(), temporaryFolder()];
  vi.stubEnv('HOME', home);
  vi.stubEnv('USERPROFILE', home);
  vi.stubEnv('ANTHROPIC_API_KEY', 'sk-test');
  onTestFinished(() => void vi.unstubAllEnvs());
  execFileSync('git', ['init', '-q'], { cwd: folder });
  writeFileSync(join(folder, 'log.txt'), 'begin\n');

  const all = await nodeHost({ folder, storage, settings: { 'gnomon.anthropic.baseUrl': server.url }, log: new MemoryLog(), git: true });
  const { host, ledger } = all;
  onTestFinished(() => all.close());
  host.sessions.onDidChangeAsks(() => {
    for (const ask of host.sessions.asks)
      if (ask.kind === 'permission') host.sessions.find(ask.who.session)?.answer(ask.callId, { type: 'allow' }, ask.revision);
  });
  const command = `echo ran >> log.txt; mkfifo ${signals}/go; touch ${signals}/started; read -r _ < ${signals}/go`;
  server.setScript(({ raw }) => {
    if (raw.includes('tool_result')) return reply().text('Done.');
    return raw.includes('Run it') ? reply().toolCall('bash', { command }) : reply().toolCall('write', { file_path: 'new.txt', content: 'written\n' });
  });
  const [runs, writes] = [await all.start(), await all.start()];
  const running = runs.send([{ type: 'text', text: 'Run it.' }]).turn;
  await expect.poll(() => existsSync(join(signals, 'started')), { timeout: 10_000 }).toBe(true);
  expect(await writes.send([{ type: 'text', text: 'Write it.' }]).turn).toMatchObject({ end: 'end_turn' });
  writeFileSync(join(signals, 'go'), '\n');
  expect(await running).toMatchObject({ end: 'end_turn' });

  expect(readFileSync(join(folder, 'log.txt'), 'utf8')).toBe('begin\nran\n');
  expect(ledger.files().map(({ path, sessions }) => [path.slice(folder.length + 1), sessions])).toEqual([
    ['log.txt', [runs.id]],
    ['new.txt', [writes.id]],
  ]);
  await runs.close();
  await writes.close();
}, 30_000);
