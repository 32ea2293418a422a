import { createRequire } from 'node:module';
import { expect, it, onTestFinished, vi } from 'vitest';
import manifest from '../../../../package.json' with { type: 'json' };
import { main } from '../../../../src/headless/index.js';
import {
  type CliStart,
  InProcessTransport,
  NotConnectedError,
  type Options,
  ProcessFailedError,
  ProcessTransport,
  query,
  Session,
  type Transport,
} from '../../../../src/headless/library/index.js';
import { environmentOf, headlessProgram } from '../../../support/headless-program.js';
import { allOf, failureOf, fakeProgram, outcomes, started } from '../../../support/library-rig.js';
import { gate, lastUserText, type ModelServer, reply, startModelServer } from '../../../support/model-server/index.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const program = headlessProgram();

const ripgrep = (): Promise<string> =>
  Promise.resolve(
    createRequire(import.meta.url).resolve(`@vscode/ripgrep-${process.platform}-${process.arch}/bin/${process.platform === 'win32' ? 'rg.exe' : 'rg'}`),
  );

/** The program in this process, which gets what it reads of the environment from that. */
async function inProcess(): Promise<{ readonly server: ModelServer; readonly options: Options }> {
  const server = await startModelServer();
  onTestFinished(() => server.close());
  const [folder, home] = [temporaryFolder(), temporaryFolder()];
  const environment = environmentOf(home, { ANTHROPIC_API_KEY: 'sk-test-1234567890', ANTHROPIC_BASE_URL: server.url });
  for (const [name, value] of Object.entries(environment)) if (value !== undefined) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
  const transport = (start: CliStart): Transport =>
    new InProcessTransport(start, ({ args, input, output, errors, folder: cwd, onTerminate }) =>
      main({
        args,
        streams: { input, output, errors, environment },
        stops: { onInterrupt: () => () => undefined, onTerminate },
        folder: cwd,
        version: manifest.version,
        program: { grammars: program.path('../wasm'), ripgrep, manifest },
      }),
    );
  return { server, options: { cwd: folder, model: 'anthropic/claude-sonnet-5-5', transport } };
}

it('A program in this process answers as one of its own does', async () => {
  const { server, options } = await inProcess();
  server.setScript(({ body }) => reply().text(`You said ${lastUserText(body).split('\n').at(-1) ?? ''}.`));
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
  const { server, options } = await inProcess();
  const { error } = await failureOf(query({ prompt: 'x', options: { ...options, extraArgs: { nonsense: null } } }));
  expect(error).toBeInstanceOf(ProcessFailedError);
  expect(error).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--nonsense') as string });
  const held = gate();
  server.setScript(() => reply().text('I begin.').hold(held));
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
