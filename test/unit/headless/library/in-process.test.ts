import { expect, it } from 'vitest';
import {
  type CliStart,
  InProcessTransport,
  NotConnectedError,
  ProcessFailedError,
  ProcessTransport,
  query,
  Session,
  type Transport,
} from '../../../../src/headless/library/index.js';
import { allOf, failureOf, fakeProgram, libraryHere, outcomes, started } from '../../../support/library-rig.js';
import { gate, reply } from '../../../support/model-server/index.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const real = libraryHere();

it('A program in this process answers as one of its own does', async () => {
  const { options } = real;
  real.echoes();
  expect(outcomes(await allOf(started(query({ prompt: 'one', options }))))).toEqual(['You said one.']);
  const session = new Session(options);
  await session.send('two');
  for await (const message of session.events) {
    if (message.type !== 'result') continue;
    expect(outcomes([message])).toEqual(['You said two.']);
    break;
  }
  await session.close();
});

it('A program in this process fails with what it wrote, and is stopped in the middle of an answer', async () => {
  const { options } = real;
  const { error } = await failureOf(query({ prompt: 'x', options: { ...options, extraArgs: { nonsense: null } } }));
  expect(error).toBeInstanceOf(ProcessFailedError);
  expect(error).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--nonsense') as string });
  const held = gate();
  real.server.setScript(() => reply().text('I begin.').hold(held));
  const run = query({ prompt: 'x', options: { ...options, includePartialMessages: true } });
  for await (const message of run) if (message.type === 'stream_event') break;
  expect(await run.next()).toEqual({ done: true, value: undefined });
  held.open();
});

it.each([
  ['a process', (start: CliStart): Transport => new ProcessTransport(start, fakeProgram({}))],
  [
    'this process',
    (start: CliStart): Transport => new InProcessTransport(start, ({ input }) => new Promise((done) => input.resume().once('end', () => done(0)))),
  ],
])('A transport to %s is ready between its start and its end only', async (_where, make) => {
  const transport = make({ args: [], cwd: temporaryFolder(), env: process.env, maxBufferSize: 1_000 });
  expect(transport.isReady()).toBe(false);
  await expect(transport.write('{}\n')).rejects.toThrow(NotConnectedError);
  await expect(transport.readMessages()[Symbol.asyncIterator]().next()).rejects.toThrow(NotConnectedError);
  await transport.connect();
  await expect(transport.connect()).rejects.toThrow(NotConnectedError);
  expect(transport.isReady()).toBe(true);
  await transport.write('{"type":"keep_alive"}\n');
  await transport.endInput();
  expect(transport.isReady()).toBe(false);
  await expect(transport.write('{}\n')).rejects.toThrow(NotConnectedError);
  await transport.close();
  await transport.close();
  await expect(transport.connect()).rejects.toThrow(NotConnectedError);
});
