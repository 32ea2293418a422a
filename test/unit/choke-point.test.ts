import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { PermissionMode } from '../../src/domain/tool/permission.js';
import { AcpEntry } from '../support/entries/acp.js';
import { commandLine } from '../support/entries/command-line.js';
import type { Entry, Place } from '../support/entries/entry.js';
import { library } from '../support/entries/library.js';
import { callServed } from '../support/entries/mcp-client.js';
import { extension, panel } from '../support/entries/panel.js';
import { stubEnvironment } from '../support/entries/program-here.js';
import { lastToolResults, type ModelServer, reply, startModelServer } from '../support/model-server/index.js';
import { someNth } from '../support/runs.js';

// across.md 8.1: each cell is a real call that comes by a real way, and is decided by the real gate. What the layers do to each other is in
// engine/choke-point-matrix.test.ts, and that there is no other way to a tool in engine/choke-point.test.ts.

let server: ModelServer;
/** Has the home folder, and the folders of all cells. */
let root: string;
let environment: Place['environment'];

const acp = new AcpEntry();

/** A call, where it is made, and what the user answers. */
interface Call extends Place {
  readonly tool: string;
  readonly input: object;
}

/** The ways by which a call can come. Each makes it, and gives how often the user was asked. */
const WAYS: Readonly<Record<string, (call: Call) => Promise<number>>> = {
  'the panel': byModel(panel),
  'the API for extensions': byModel(extension),
  'the command line': byModel(commandLine),
  'the protocol of the SDKs': byModel(library),
  ACP: byModel(acp),
  'the MCP server': ({ tool, input, ...place }) => callServed(tool, input, place),
  'an agent of the panel': byAgent(panel),
  'an agent of the command line': byAgent(commandLine),
  'an agent of the protocol of the SDKs': byAgent(library),
  'an agent of ACP': byAgent(acp),
};

/** Calls that the model makes in a session. */
function byModel(entry: Entry): (call: Call) => Promise<number> {
  return async ({ tool, input, ...place }) => {
    const before = server.requests.length;
    server.setScript(() => (server.requests.length === before + 1 ? reply().toolCall(tool, input) : reply().text('Done.')));
    const work = await entry.begin(place);
    await work.say('Do it');
    await work.close();
    expect(server.requests.length).toBe(before + 2);
    return work.asked;
  };
}

/** Calls of an agent to which the model of a session gives its work. */
function byAgent(entry: Entry): (call: Call) => Promise<number> {
  const PROMPT = 'This is the part of an agent.';
  return async ({ tool, input, ...place }) => {
    let made = 0;
    server.setScript(({ body }) => {
      if (lastToolResults(body).length > 0) return reply().text('Done.');
      if (!JSON.stringify(body.messages[0]).includes(PROMPT)) return reply().toolCall('agent', { description: 'A part', prompt: PROMPT });
      made += 1;
      return reply().toolCall(tool, input);
    });
    const work = await entry.begin(place);
    await work.say('Do it');
    await work.close();
    // Where everything is asked about, so is the start of the agent, which the user denies there.
    expect(made).toBe(place.mode === 'ask' ? 0 : 1);
    return work.asked;
  };
}

/** What decides about a call, in the order in which it does. */
interface Layer {
  /** The file that the call makes. */
  readonly makes: string;
  readonly mode?: PermissionMode;
  /** What the user answers; absent: they must not be asked. */
  readonly answer?: 'allow' | 'deny';
  readonly runs: boolean;
}

const LAYERS: Readonly<Record<string, Layer>> = {
  'a hook that denies what a rule allows': { makes: 'hooked.txt', runs: false },
  'a deny rule for what another allows': { makes: 'denied.txt', runs: false },
  'a safety check of what rule and mode allow': { makes: '.vscode/settings.json', mode: 'acceptEdits', answer: 'deny', runs: false },
  'an ask rule for what another allows': { makes: 'asked.txt', answer: 'deny', runs: false },
  'the mode that plans, whatever a rule allows': { makes: 'allowed.txt', mode: 'plan', runs: false },
  'the mode that always asks, whatever a rule allows': { makes: 'allowed.txt', mode: 'ask', answer: 'deny', runs: false },
  'an allow rule': { makes: 'allowed.txt', runs: true },
  'the user, who denies': { makes: 'made.txt', answer: 'deny', runs: false },
  'the user, who allows': { makes: 'made.txt', answer: 'allow', runs: true },
};

/** The user’s own settings. */
const SETTINGS = {
  permissions: {
    allow: [...['hooked', 'denied', 'asked', 'allowed'].map((name) => `Bash(touch ${name}.txt)`), 'Edit(.vscode/**)'],
    deny: ['Bash(touch denied.txt)'],
    ask: ['Bash(touch asked.txt)'],
  },
  hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: '! grep -q hooked.txt || exit 2' }] }] },
};

beforeAll(async () => {
  server = await startModelServer();
  root = realpathSync(mkdtempSync(join(tmpdir(), 'gnomon-test-')));
  mkdirSync(join(root, 'home', '.gnomon'), { recursive: true });
  writeFileSync(join(root, 'home', '.gnomon', 'settings.json'), JSON.stringify(SETTINGS));
  environment = stubEnvironment(join(root, 'home'), server.url);
});
afterAll(async () => {
  await acp.close();
  vi.unstubAllEnvs();
  await server.close();
  rmSync(root, { recursive: true, force: true });
});

// Of each row every third cell, in the next column in each: every layer decides about calls that come by three or four of the ways. All of them in the soak.
describe.each(Object.entries(WAYS).map(([way, make], row) => [way, make, row] as const))('A call that comes by %s', (_way, make, row) => {
  it.each(someNth(Object.entries(LAYERS), 3, row))('is decided by %s', async (_layer, { makes, mode, answer, runs }) => {
    const folder = mkdtempSync(join(root, 'run-'));
    const call = makes.endsWith('.txt') ? { tool: 'bash', input: { command: `touch ${makes}` } } : { tool: 'write', input: { file_path: makes, content: '' } };
    const asked = await make({ ...call, folder, environment, ...(mode === undefined ? {} : { mode }), answer: answer ?? 'allow' });
    expect([existsSync(join(folder, makes)), asked]).toEqual([runs, answer === undefined ? 0 : 1]);
  });
});
