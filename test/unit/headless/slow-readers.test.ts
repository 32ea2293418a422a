import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { TestEditor } from '../../support/acp-editor.js';
import { MODEL } from '../../support/entries/entry.js';
import type { RunningProgram } from '../../support/headless-program.js';
import { drivenProgram, ended, results, user } from '../../support/protocol-rig.js';
import { someNth } from '../../support/runs.js';

const driven = drivenProgram();
const PIECES = Array.from({ length: 10_000 }, (_, n) => `word ${n} `);
const ANSWER = PIECES.join('');
/** How much more memory may be needed, in bytes. */
const GROWTH = 20_000_000;
/** Answers whose reader is fast, until the program needs no more memory for one more. */
const FAST = 4;
/** Garbage is collected soon: by default, as much of it as is to be measured here may lie about or not. */
const SMALL_HEAP = { NODE_OPTIONS: '--max-semi-space-size=1' };

beforeEach(() => driven.says(...PIECES));

/** The most memory that a program has had so far, in bytes. Format: proc(5), `/proc/pid/status`, VmHWM. */
function mostMemory({ process: { pid = 0 } }: RunningProgram): number {
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1_024;
}

/** Reads nothing of what a program writes until all of the n-th answer was sent to it. */
async function readNothing({ process: { stdout } }: RunningProgram, n: number): Promise<void> {
  stdout.pause();
  await (
    await driven.server.request(n)
  ).closedByClient;
  stdout.resume();
}

/** Reads what a program writes from now on, a line every two milliseconds. */
async function readSlowly({ process: { stdout } }: RunningProgram): Promise<void> {
  stdout.pause();
  for await (const part of stdout) await delay(2 * (String(part).split('\n').length - 1));
}

/** By each way to the program one of them in turn, and both in the soak. */
const READINGS = [
  ['nothing is read until the end', readNothing],
  ['a line is read every two milliseconds', readSlowly],
] as const;

// What the program has had before says how much it needs for an answer whose reader is fast.
describe.skipIf(process.platform !== 'linux')('a program that is told ten thousand pieces of an answer', () => {
  it.each(someNth(READINGS, 2, 0))('by lines of JSON needs hardly more memory and loses nothing where %s', async (_how, read) => {
    const program = driven.driveWith(SMALL_HEAP, '--include-partial-messages');
    for (let count = 1; count <= FAST; count += 1) {
      program.send(user('Say much'));
      await results(program, count);
    }
    const [most, seen] = [mostMemory(program), program.messages.length];
    const reading = read(program, FAST);
    program.send(user('Again'));
    expect((await results(program, FAST + 1)).at(-1)).toMatchObject({ result: ANSWER });
    expect(mostMemory(program) - most).toBeLessThan(GROWTH);
    const texts = program.messages.slice(seen).map(({ event }) => (event as { readonly delta?: { readonly text?: string } } | undefined)?.delta?.text ?? '');
    expect(texts.join('')).toBe(ANSWER);
    expect((await ended(program)).code).toBe(0);
    await reading;
  });

  it.each(someNth(READINGS, 2, 1))('as the agent of an editor needs hardly more memory and loses nothing where %s', async (_how, read) => {
    const program = driven.start(['acp', '--model', MODEL], { env: SMALL_HEAP });
    const editor = new TestEditor(program);
    await editor.initialize();
    const { sessionId } = await editor.agent.request('session/new', { cwd: driven.folder, mcpServers: [] });
    for (let count = 0; count < FAST; count += 1) await editor.prompt(sessionId, 'Say much');
    const [most, seen] = [mostMemory(program), editor.notifications.length];
    const reading = read(program, FAST);
    expect(await editor.prompt(sessionId, 'Again')).toBe('end_turn');
    expect(mostMemory(program) - most).toBeLessThan(GROWTH);
    const said = editor.updates().slice(seen);
    const texts = said.map((update) => (update.sessionUpdate === 'agent_message_chunk' && update.content.type === 'text' ? update.content.text : ''));
    expect(texts.join('')).toBe(ANSWER);
    expect((await ended(program)).code).toBe(0);
    await reading;
  });
});
