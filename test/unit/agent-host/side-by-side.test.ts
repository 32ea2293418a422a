import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { running } from '../../support/running-processes.js';
import { runs } from '../../support/runs.js';
import { quickFolder, temporaryFolder } from '../../support/temporary-folder.js';
import { checkChanges, checkEnds, checkGates, checkMoney, checkSecrets } from './side-by-side/checks.js';
import { type WorldPlan, worlds } from './side-by-side/plan.js';
import { backgroundOf, processesOf } from './side-by-side/processes.js';
import { type World, createWorld } from './side-by-side/world.js';

/** Worlds that are tried; most of the time of one is spent waiting for its background commands. */
const WORLDS = 50;

let root: string;
let kept: string;
let count = 0;
beforeEach(() => {
  // What is kept is written often; the sandbox shows no files in memory to commands.
  [root, kept] = [temporaryFolder(), quickFolder()];
  vi.stubEnv('HOME', root);
  vi.stubEnv('USERPROFILE', root);
  vi.stubEnv('ANTHROPIC_API_KEY', 'sk-test');
});
afterEach(() => vi.unstubAllEnvs());

/** Milliseconds that all of them may take on a machine with much else to do. */
const TIME_LIMIT_MS = WORLDS * 10_000;

test(
  'sessions of one host work side by side: each pays, asks, and changes what is its own, and nothing of them is left',
  { timeout: TIME_LIMIT_MS },
  async () => {
    await fc.assert(
      fc.asyncProperty(worlds, (plan) => tried(plan)),
      // A world takes long to be tried: the first that fails is told of with its seed, and no smaller one is looked for.
      { numRuns: runs(WORLDS), endOnFailure: true },
    );
  },
);

async function tried(plan: WorldPlan): Promise<void> {
  count += 1;
  const folders = { root: join(root, String(count)), storage: join(kept, String(count)) };
  for (const folder of Object.values(folders)) mkdirSync(folder);
  const before = open();
  const world = await createWorld(plan, folders);
  try {
    await Promise.all(world.talks.map(played));
    checkEnds(world);
    checkMoney(world);
    await checkGates(world);
    await checkChanges(world);
    await closedOneByOne(world);
    checkSecrets(world);
  } finally {
    await Promise.all(world.talks.map((talk) => talk.close()));
    await world.end();
  }
  await handlesClosed(before);
}

/** What keeps this process from ending, by kind. */
function open(): readonly string[] {
  return process.getActiveResourcesInfo();
}

/** Milliseconds that what is being closed may take, and those between two looks. */
const CLOSING_MS = 5_000;
const LOOK_MS = 10;

/** Waits until nothing is open that was not before. As timers are counted, too, none may run while it is looked. */
async function handlesClosed(before: readonly string[]): Promise<void> {
  const end = performance.now() + CLOSING_MS;
  while (more(before).length > 0 && performance.now() < end) await delay(LOOK_MS);
  expect(more(before)).toEqual([]);
}

/** What is open beyond what was before. */
function more(before: readonly string[]): readonly string[] {
  const rest = [...before];
  return open().filter((kind) => {
    const at = rest.indexOf(kind);
    if (at >= 0) rest.splice(at, 1);
    return at < 0;
  });
}

async function played(talk: World['talks'][number]): Promise<void> {
  await talk.play();
  if (talk.closing === undefined) return;
  await talk.closing;
  expect(running(processesOf(talk))).toEqual([]);
}

/** Closing a session ends all of its processes, and nobody else's. */
async function closedOneByOne({ talks, plan, host }: World): Promise<void> {
  const order = [...talks.slice(plan.closing % talks.length), ...talks.slice(0, plan.closing % talks.length)].filter(({ closing }) => closing === undefined);
  const background = new Map(await Promise.all(order.map(async (talk) => [talk, await backgroundOf(talk)] as const)));
  for (const talk of order) {
    const left = [...background.values()].flat();
    expect(running(left)).toEqual(left);
    await talk.close();
    background.delete(talk);
    expect(running(processesOf(talk))).toEqual([]);
  }
  expect(host.host.sessions.asks).toEqual([]);
}
