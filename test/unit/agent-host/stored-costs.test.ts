import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { reply, startModelServer } from '../../support/model-server/index.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { MemoryLog } from '../engine/rig.js';
import { nodeHost } from './node-host.js';

test('a chat whose cost is not stored is priced again from its answers, each with the price of its model', async () => {
  const server = await startModelServer({ lenient: true });
  onTestFinished(() => server.close());
  server.setScript(() => reply().usage({ input_tokens: 100_000 }, { output_tokens: 1_000 }).text('Hi.'));
  const home = temporaryFolder();
  for (const [name, value] of Object.entries({ HOME: home, USERPROFILE: home, ANTHROPIC_API_KEY: 'sk-test' })) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
  const place = { folder: temporaryFolder(), storage: temporaryFolder(), log: new MemoryLog() };
  const host = await nodeHost({ ...place, settings: { 'gnomon.anthropic.baseUrl': server.url, 'gnomon.maxCostUsd': 5 } });
  const ids = ['claude-opus-4-5', 'claude-haiku-4-5'];
  const session = await host.start();
  for (const id of ids) {
    const { provider, model } = await host.host.models.choose(`anthropic/${id}`);
    session.setModel(provider, model);
    await session.send([{ type: 'text', text: 'hello' }]).turn;
  }
  const { id, costUsd = NaN } = session;
  await session.close();

  // As an earlier version left it that did not come to the end of its first turn, or a branch of a part of it.
  const sidecar = join(place.storage, 'sessions', `${id}.meta.json`);
  const { costUsd: stored, byModel, ...rest } = JSON.parse(readFileSync(sidecar, 'utf8')) as Record<string, unknown>;
  expect([stored, Object.keys(byModel as object)]).toEqual([costUsd, ids.map((each) => `anthropic/${each}`)]);
  writeFileSync(sidecar, JSON.stringify(rest));

  const again = await host.reopen(id);
  expect(again.costUsd).toBeCloseTo(costUsd, 9);
  expect(await again.send([{ type: 'text', text: 'go on' }]).turn).toMatchObject({ end: 'end_turn' });
  await again.close();
  await host.close();
});
