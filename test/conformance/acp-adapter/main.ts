import assert from 'node:assert/strict';
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { methods } from '@agentclientprotocol/sdk';
import { selected, TestEditor } from '../../support/acp-editor.js';
import { gate, lastToolResults, type ModelServer, reply, startModelServer } from '../../support/model-server/index.js';

/** What became of a scenario. */
export interface Result {
  readonly name: string;
  readonly passed: boolean;
  readonly ms: number;
  readonly why?: string;
}

/** Programs that scenarios run with: absolute paths of a Node.js that the adapter runs on, of the adapter, and of Gnomon’s program. */
export interface Programs {
  readonly node: string;
  readonly adapter: string;
  readonly gnomon: string;
}

/** Milliseconds for one scenario, on a machine with much else to do. */
const TIMEOUT_MS = 60_000;

/** An editor that has started the adapter, which starts Gnomon, with a model server and folders of its own. */
interface Scene {
  readonly editor: TestEditor<{ readonly process: ChildProcessWithoutNullStreams }>;
  readonly server: ModelServer;
  readonly folder: string;
  readonly sessionId: string;
}

const SCENARIOS: Readonly<Record<string, (scene: Scene) => Promise<void>>> = {
  'a prompt is answered': async ({ editor, server, sessionId }) => {
    server.setScript(() => reply().text('It is ', '42.'));
    assert.equal(await editor.prompt(sessionId, 'What is it?'), 'end_turn');
    assert.equal(editor.words('agent_message_chunk', sessionId), 'It is 42.');
  },
  'a call runs once it is allowed, and not where it is rejected': async ({ editor, server, sessionId, folder }) => {
    for (const [name, option] of [
      ['allowed.txt', 'allow_once'],
      ['rejected.txt', 'reject_once'],
    ] as const) {
      editor.choose = ({ options }) => selected(options.find(({ kind }) => kind === option)?.optionId ?? '');
      server.setScript(({ body }) =>
        lastToolResults(body).length === 0 ? reply().toolCall('write', { file_path: join(folder, name), content: 'made\n' }) : reply().text('Done.'),
      );
      assert.equal(await editor.prompt(sessionId, `Make ${name}`), 'end_turn');
      assert.equal(existsSync(join(folder, name)), option === 'allow_once');
    }
    assert.equal(editor.asked.length, 2);
    const ended = editor.ofKind('tool_call_update', sessionId).flatMap(({ status }) => (status === 'completed' || status === 'failed' ? [status] : []));
    assert.deepEqual(ended, ['completed', 'failed']);
  },
  'a cancellation ends the turn, and the next prompt is answered': async ({ editor, server, sessionId }) => {
    const held = gate();
    server.setScript((_request, n) => (n === 0 ? reply().text('I begin', held, 'never said') : reply().text('Here.')));
    const turn = editor.prompt(sessionId, 'Speak');
    await held.reached;
    await editor.agent.notify(methods.agent.session.cancel, { sessionId });
    assert.equal(await turn, 'cancelled');
    held.open();
    assert.equal(await editor.prompt(sessionId, 'Are you there?'), 'end_turn');
  },
  'a mode counts for what is called next': async ({ editor, server, sessionId, folder }) => {
    await editor.agent.request(methods.agent.session.setMode, { sessionId, modeId: 'plan' });
    server.setScript(({ body }) =>
      lastToolResults(body).length === 0 ? reply().toolCall('write', { file_path: join(folder, 'made.txt'), content: 'made\n' }) : reply().text('Done.'),
    );
    await editor.prompt(sessionId, 'Make it');
    assert.deepEqual([existsSync(join(folder, 'made.txt')), editor.asked], [false, []]);
    await editor.agent.request(methods.agent.session.setMode, { sessionId, modeId: 'acceptEdits' });
    assert.equal(await editor.prompt(sessionId, 'Make it now'), 'end_turn');
    assert.deepEqual([existsSync(join(folder, 'made.txt')), editor.asked], [true, []]);
  },
};

/** Runs the scenarios, one after the other. */
export async function runAll(programs: Programs): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (const [name, scenario] of Object.entries(SCENARIOS)) results.push(await runOne(programs, name, scenario));
  return results;
}

async function runOne(programs: Programs, name: string, scenario: (scene: Scene) => Promise<void>): Promise<Result> {
  const start = performance.now();
  const server = await startModelServer();
  const [folder, home] = [await mkdtemp(join(tmpdir(), 'gnomon-work-')), await mkdtemp(join(tmpdir(), 'gnomon-home-'))];
  const adapter = startAdapter(programs, { server, folder, home });
  let errors = '';
  adapter.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  let late: NodeJS.Timeout | undefined;
  try {
    const over = new Promise<never>((_, reject) => (late = setTimeout(() => reject(new Error(`It took longer than ${TIMEOUT_MS / 1_000} s.`)), TIMEOUT_MS)));
    const editor = new TestEditor({ process: adapter });
    const run = async (): Promise<void> => {
      await editor.initialize({ fs: { readTextFile: false, writeTextFile: false } });
      const { sessionId } = await editor.agent.request(methods.agent.session.new, { cwd: folder, mcpServers: [] });
      await scenario({ editor, server, folder, sessionId });
    };
    await Promise.race([run(), over]);
    return { name, passed: true, ms: performance.now() - start };
  } catch (error) {
    const why = error instanceof Error ? (error.stack ?? error.message) : JSON.stringify(error);
    return { name, passed: false, ms: performance.now() - start, why: `${why}\n${errors}` };
  } finally {
    clearTimeout(late);
    const ended = new Promise((resolve) => adapter.once('exit', resolve));
    adapter.kill();
    await ended;
    await server.close();
    // Gnomon, which the adapter has started, still stores its session for a moment.
    for (const path of [folder, home]) await rm(path, { recursive: true, force: true, maxRetries: 50 });
  }
}

function startAdapter(
  { node, adapter, gnomon }: Programs,
  { server, folder, home }: { readonly server: ModelServer; readonly folder: string; readonly home: string },
): ChildProcessWithoutNullStreams {
  const { PATH = '', SystemRoot, TMPDIR } = process.env;
  return spawn(node, [adapter], {
    cwd: folder,
    env: {
      ...{ PATH, SystemRoot, TMPDIR, HOME: home, USERPROFILE: home, XDG_DATA_HOME: join(home, 'data'), LANG: 'C.UTF-8' },
      ...{ ANTHROPIC_API_KEY: 'sk-test-1234567890', ANTHROPIC_BASE_URL: server.url, CLAUDE_CODE_EXECUTABLE: gnomon },
    },
  });
}
