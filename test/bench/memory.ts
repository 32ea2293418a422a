import { lastToolResults, reply, startModelServer } from '../support/model-server/index.js';
import { App } from '../e2e/app.js';
import type { Figure } from './figure.js';
import { askHost, PROBE } from './host-probe.js';

/** Turns after which all code is loaded, and those that are measured. */
const WARM_UP = 20;
const TURNS = 200;
/** How often memory is looked at. */
const LOOKS = 4;
const MEGABYTE = 1024 * 1024;

/** What the extension host keeps of a long afternoon: turns of one conversation, each of which reads a file and runs a command. */
export async function measureMemory(): Promise<readonly Figure[]> {
  const server = await startModelServer();
  server.setScript(({ body }) => {
    if (lastToolResults(body).length > 0) return reply().text('It is as you said.');
    return reply().text('I look.').toolCall('read', { file_path: 'package.json' }).toolCall('bash', { command: 'ls' });
  });
  const app = await App.start({
    own: { others: [PROBE] },
    settings: { 'gnomon.anthropic.baseUrl': server.url, 'gnomon.model': 'anthropic/claude-sonnet-5-5' },
  });
  try {
    const chat = await app.openChat();
    const used: number[] = [];
    for (let turn = 0; turn <= WARM_UP + TURNS; turn += 1) {
      if (turn >= WARM_UP && (turn - WARM_UP) % (TURNS / LOOKS) === 0) used.push((await askHost(app)).usedBytes / MEGABYTE);
      await chat.message.fill(`Look at number ${turn}`);
      await chat.message.press('Enter');
      await chat.mine
        .filter({ hasText: `number ${turn}` })
        .last()
        .waitFor();
      await chat.waitForIdle();
    }
    const note = `used after ${WARM_UP} turns and every ${TURNS / LOOKS} more: ${used.map((mb) => mb.toFixed(1)).join(', ')} MB`;
    return [{ name: 'host_growth_200_turns_mb', value: (used.at(-1) ?? NaN) - (used[0] ?? NaN), unit: 'MB', goal: 10, note }];
  } finally {
    await app.stop();
    await server.close();
  }
}
