import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  CliConnectionError,
  CliNotFoundError,
  GnomonError,
  InvalidInputError,
  JsonDecodeError,
  MessageParseError,
  NotConnectedError,
  type Options,
  ProcessFailedError,
  query,
  Session,
} from '../../../../src/headless/library/index.js';
import { allOf, failureOf, fakeProgram, fakeQuery, hurried, outcomes, started } from '../../../support/library-rig.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const FINE = `write(INIT); write(answerOf('Fine.')); write(resultOf('Fine.'));`;
const runOf = (options: Options): ReturnType<typeof query> => started(query({ prompt: 'x', options }));

describe('a program that cannot be started', () => {
  it('because it is not there says where it was looked for', async () => {
    const cliPath = join(temporaryFolder(), 'gone.js');
    const { error } = await failureOf(runOf({ cliPath }));
    expect(error).toBeInstanceOf(CliNotFoundError);
    expect(error).toMatchObject({ path: cliPath, message: expect.stringContaining(cliPath) as unknown });
    expect((await failureOf(runOf({ cliPath: 'gnomon-that-nobody-has' }))).error).toMatchObject({ name: 'CliNotFoundError', path: 'gnomon-that-nobody-has' });
  });

  it('because it may not be run is an error of the connection', async () => {
    const cliPath = join(temporaryFolder(), 'not-executable');
    writeFileSync(cliPath, 'no program');
    chmodSync(cliPath, 0o644);
    expect((await failureOf(runOf({ cliPath }))).error).toBeInstanceOf(CliConnectionError);
  });

  it('because of its folder blames the folder', async () => {
    const { error } = await failureOf(fakeQuery({}, { cwd: join(temporaryFolder(), 'gone') }));
    expect(error).toBeInstanceOf(InvalidInputError);
    expect(error).toMatchObject({ message: expect.stringContaining('cwd') as unknown });
  });

  it('fails again whenever something is asked of it', async () => {
    const session = new Session({ cliPath: join(temporaryFolder(), 'gone.js') });
    await expect(session.send('x')).rejects.toThrow(CliNotFoundError);
    await expect(session.setModel('a/b')).rejects.toThrow(NotConnectedError);
    await expect(allOf(session.events)).rejects.toThrow(CliNotFoundError);
    await expect(allOf(session.events)).rejects.toThrow(CliNotFoundError);
    await session.close();
  });
});

describe('K-10: a program that fails', () => {
  it('gives its exit code, and what it wrote to standard error without credentials; the callback gets all of it', async () => {
    const secret = 'hunter2-hunter2-hunter2';
    let heard = '';
    const { error, before } = await failureOf(
      fakeQuery(
        { user: `write(INIT); process.stderr.write('boom api_key=sk-abcdefghijklmnop1234 and ' + process.env.MY_TOKEN + '\\n', () => process.exit(3));` },
        { env: { MY_TOKEN: secret }, stderr: (text) => (heard += text) },
      ),
    );
    expect(error).toBeInstanceOf(ProcessFailedError);
    expect(error).toBeInstanceOf(GnomonError);
    expect(error).toMatchObject({ exitCode: 3, signal: null, stderr: 'boom api_key=[redacted] and [redacted]' });
    expect(String(error)).not.toMatch(/sk-abc|hunter2/);
    expect(heard).toContain(secret);
    expect(before.map(({ type }) => type)).toEqual(['system']);
  });

  it('in the middle of a line says so, with the line as its cause', async () => {
    const { error } = await failureOf(fakeQuery({ user: `process.stdout.write('{"type":"assis', () => process.exit(3));` }));
    expect(error).toBeInstanceOf(ProcessFailedError);
    expect(error).toMatchObject({ exitCode: 3, cause: { name: 'JsonDecodeError', line: '{"type":"assis' } });
  });

  it('after its results fails all the same', async () => {
    const { error, before } = await failureOf(fakeQuery({ user: `${FINE} process.stdout.write('', () => process.exit(4));` }));
    expect(error).toMatchObject({ name: 'ProcessFailedError', exitCode: 4 });
    expect(outcomes(before)).toEqual(['Fine.']);
  });

  it.each([
    ['before its result', `write(INIT); process.exitCode = 0; process.stdout.write('', () => process.exit(0));`],
    ['before it has said anything', 'process.exit(0);'],
  ])('%s without saying so is an error', async (_when, user) => {
    const { error } = await failureOf(fakeQuery({ user }));
    expect(error).toBeInstanceOf(CliConnectionError);
    expect(error).toMatchObject({ message: expect.stringContaining('without the result') as unknown });
  });

  it('between the messages of a session is an error', async () => {
    const session = new Session({ cliPath: fakeProgram({ user: `${FINE} process.stdout.write('', () => process.exit(0));` }) });
    await session.send('x');
    expect((await failureOf(session.events)).error).toBeInstanceOf(CliConnectionError);
    await expect(session.send('x')).rejects.toThrow(NotConnectedError);
  });

  it('to read its input is an error for who writes', async () => {
    const start = `import { closeSync } from 'node:fs'; process.stdin.destroy(); closeSync(0); setTimeout(() => write(INIT), 200); setInterval(() => undefined, 1_000);`;
    const session = new Session(hurried(fakeProgram({ start })));
    const events = session.events[Symbol.asyncIterator]();
    await events.next();
    await expect(session.send('x')).rejects.toThrow(CliConnectionError);
    await session.close();
  });
});

describe('K-10: a line of a program', () => {
  it.each([
    ['that is cut off at the end', `process.stdout.write(JSON.stringify(resultOf('Fine.')).slice(0, -9), () => process.exit(0));`, '{"session_id":'],
    ['that is garbage', `write(INIT); raw('Segmentation fault\\n'); ${FINE}`, 'Segmentation fault'],
    ['with garbage before it', `raw('log: '); ${FINE}`, 'log: {'],
  ])('%s is an error that shows it', async (_what, user, shown) => {
    const { error } = await failureOf(fakeQuery({ user }));
    expect(error).toBeInstanceOf(JsonDecodeError);
    expect(error).toMatchObject({ line: expect.stringContaining(shown) as unknown, cause: expect.any(SyntaxError) as unknown });
  });

  it('is shown in part, and without credentials', async () => {
    const { error } = await failureOf(fakeQuery({ user: `raw('{"token":"sk-abcdefghijklmnop1234", ' + 'x'.repeat(100_000) + '\\n');` }));
    expect(error).toBeInstanceOf(JsonDecodeError);
    expect(String(error)).toMatch(/\[redacted\].*…$/);
    expect(String(error).length).toBeLessThan(400);
  });

  it('that is no UTF-8 is an error', async () => {
    const { error } = await failureOf(fakeQuery({ user: `process.stdout.write(Buffer.from([0x7b, 0xff, 0xfe, 0x7d, 0x0a]));` }));
    expect(error).toBeInstanceOf(JsonDecodeError);
  });

  it.each(['null', '[1]', '"text"', '3'])('that is %s is an error', async (line) => {
    const { error } = await failureOf(fakeQuery({ user: `raw('${line}\\n');` }));
    expect(error).toBeInstanceOf(MessageParseError);
  });

  it('can end as on Windows, begin with a byte-order mark, be empty, and be the last without a line break', async () => {
    const start = `raw('\\uFEFF\\r\\n\\n{"type":"keep_alive"}\\r\\n');`;
    const user = `raw(JSON.stringify(INIT) + '\\r\\n\\r\\n' + JSON.stringify(answerOf('Fine.')) + '\\n'); process.stdout.write(JSON.stringify(resultOf('Fine.')), () => process.exit(0));`;
    expect(outcomes(await allOf(fakeQuery({ start, user })))).toEqual(['Fine.']);
  });

  it('can be cut anywhere, in its characters too', async () => {
    const text = 'Grüße 👋🏽 \u2028 日本語\r\n"quoted"';
    const user = `
      const bytes = Buffer.from([INIT, answerOf(${JSON.stringify(text)}), resultOf(${JSON.stringify(text)})].map((each) => JSON.stringify(each) + '\\r\\n').join(''));
      const next = (at) => { if (at < bytes.length) process.stdout.write(bytes.subarray(at, at + 1), () => setImmediate(next, at + 1)); };
      next(0);`;
    expect(outcomes(await allOf(fakeQuery({ user })))).toEqual([text]);
  });

  const big = `write(INIT); write(resultOf('x'.repeat(20_000_000)));`;
  it('can have 20 million characters', async () => {
    expect(outcomes(await allOf(fakeQuery({ user: big }))).map(({ length }) => length)).toEqual([20_000_000]);
  });

  it('that is longer than it may be is an error', async () => {
    const { error, before } = await failureOf(fakeQuery({ user: big }, { maxBufferSize: 1_000_000 }));
    expect(error).toBeInstanceOf(JsonDecodeError);
    expect(error).toMatchObject({ cause: expect.any(RangeError) as unknown, line: expect.stringMatching(/^.{199}…$/) as unknown });
    expect(before).toHaveLength(1);
  });
});
