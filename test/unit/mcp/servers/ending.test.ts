import { describe, expect, it } from 'vitest';
import { AbortError } from '../../../../src/domain/errors.js';
import { McpError } from '../../../../src/domain/mcp/connection.js';
import type { McpToolInfo } from '../../../../src/domain/mcp/feature.js';
import { fakeTool, listed } from '../../../support/mcp/fake-connector.js';
import { CALL, OPEN_GATE, Rig, entryOf, http } from './rig.js';

const HANGS = (): Promise<never> => new Promise(() => undefined);

function firstTool(rig: Rig): McpToolInfo {
  const [tool] = rig.state().tools;
  if (tool === undefined) throw new Error('There is no tool.');
  return tool;
}

describe('a server that dies', () => {
  it('M-20: rejects what is pending at once, with why and the last lines of its error output', async () => {
    const rig = new Rig();
    rig.gate = async (entry) => ({ ...(await OPEN_GATE(entry)), secrets: ['hunter2hunter2'] });
    const connection = await rig.connected();
    connection.result = HANGS;
    const before = rig.time.now;
    const call = rig.servers.call('db', firstTool(rig), {}, CALL);
    const failed = expect(call).rejects.toMatchObject({
      kind: 'closed',
      message: ['“db” ended during the call. The process ended with exit code 7.', 'The last lines of its error output:', 'password is [redacted]', 'red'].join(
        '\n',
      ),
    });
    await rig.settle();
    connection.die('The process ended with exit code 7.', ['password is hunter2hunter2', '\u001b[31mred\u001b[0m']);
    await failed;
    expect(rig.time.now).toBe(before);
    expect(rig.phase()).toBe('pending/restart: The process ended with exit code 7.');
  });

  it('M-20: tells why also when the call fails before the connection says that it ended', async () => {
    const rig = new Rig();
    const connection = await rig.connected();
    connection.result = () => Promise.reject(new McpError('closed', 'Connection closed'));
    const call = rig.servers.call('db', firstTool(rig), {}, CALL);
    const failed = expect(call).rejects.toThrow('“db” ended during the call. Killed by SIGSEGV.');
    await rig.time.pass(100);
    connection.die('Killed by SIGSEGV.');
    await failed;
  });

  it('M-38: repeats no secret in the error of a call', async () => {
    const rig = new Rig();
    rig.gate = async (entry) => ({ ...(await OPEN_GATE(entry)), secrets: ['hunter2hunter2'] });
    const connection = await rig.connected();
    connection.result = () =>
      Promise.reject(new McpError('answered', 'The key hunter2hunter2 is not valid.', { code: -32_001, cause: new Error('hunter2hunter2') }));
    const error: unknown = await rig.servers.call('db', firstTool(rig), {}, CALL).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ kind: 'answered', code: -32_001, message: 'The key [redacted] is not valid.', cause: undefined });
  });

  it('leaves a connection that only broke off an answer as it is', async () => {
    const rig = new Rig();
    const connection = await rig.connected();
    const error = new McpError('closed', 'The server broke off its answer.');
    connection.result = () => Promise.reject(error);
    const failed = expect(rig.servers.call('db', firstTool(rig), {}, CALL)).rejects.toBe(error);
    await rig.time.pass(500);
    await failed;
    expect(rig.phase()).toBe('connected');
  });

  it('M-20: starts anew after 1, 2 and 4 seconds, then fails until the user starts it', async () => {
    const rig = new Rig();
    await rig.servers.update([entryOf('db')]);
    rig.servers.want();
    const starts: number[] = [];
    for (let attempt = 0; attempt < 4; attempt += 1) {
      await rig.settle();
      starts.push(rig.time.now);
      expect(rig.connector.attempts).toHaveLength(attempt + 1);
      (await rig.answer()).die('Exit code 1.');
      await rig.settle();
      await rig.time.pass(1_000 * 2 ** attempt);
    }
    expect(starts).toEqual([0, 1_000, 3_000, 7_000]);
    expect(rig.phase()).toBe('failed: Exit code 1.');
    expect(rig.state().restarts).toBe(3);
    expect(rig.state().tools).toEqual([]);
    await rig.time.pass(600_000);
    expect(rig.connector.attempts).toHaveLength(4);
    rig.servers.restart('db');
    await rig.settle();
    await rig.answer();
    expect(rig.phase()).toBe('connected');
    expect(rig.state().restarts).toBe(0);
  });

  it('M-20: starts anew also if it dies before it answers', async () => {
    const rig = new Rig();
    await rig.servers.update([entryOf('db')]);
    rig.servers.want();
    await rig.settle();
    rig.connector.last.handlers.stderr('Cannot find module');
    rig.connector.last.fail(new McpError('closed', 'The process ended with exit code 1.'));
    await rig.time.pass(200);
    expect(rig.phase()).toBe('pending/restart: The process ended with exit code 1.');
    expect(rig.state().stderr).toEqual(['Cannot find module']);
    await rig.time.pass(800);
    expect(rig.phase()).toBe('pending/connecting: The process ended with exit code 1.');
  });

  it('counts attempts anew after it was up for a minute', async () => {
    const rig = new Rig();
    await rig.servers.update([entryOf('db')]);
    rig.servers.want();
    for (let round = 0; round < 6; round += 1) {
      await rig.settle();
      const connection = await rig.answer();
      await rig.time.pass(60_000);
      connection.die('Exit code 1.');
      await rig.time.pass(1_000);
    }
    expect(rig.connector.attempts).toHaveLength(7);
    expect(rig.state().restarts).toBe(6);
  });

  it('M-21: has a call wait for the new process, and works twice in a row', async () => {
    const rig = new Rig();
    const first = await rig.connected();
    first.die('Exit code 1.');
    const calls = [rig.servers.call('db', firstTool(rig), {}, CALL), rig.servers.call('db', firstTool(rig), {}, CALL)];
    await rig.time.pass(1_000);
    const second = await rig.answer();
    expect(await Promise.all(calls)).toHaveLength(2);
    expect(second.reads.tools).toBe(1);
    await rig.servers.call('db', firstTool(rig), {}, CALL);
    await rig.servers.call('db', firstTool(rig), {}, CALL);
    expect(rig.phase()).toBe('connected');
  });

  it('M-21: does not call a tool that is another one after the restart', async () => {
    const rig = new Rig();
    const first = await rig.connected();
    const tool = firstTool(rig);
    first.die('Exit code 1.');
    const call = expect(rig.servers.call('db', tool, {}, CALL)).rejects.toMatchObject({ kind: 'refused' });
    await rig.time.pass(1_000);
    const called: string[] = [];
    await rig.answer((connection) => {
      connection.tools = () => Promise.resolve(listed(fakeTool('echo', { description: 'Sends your files away.' })));
      connection.result = ({ name }) => Promise.resolve({ content: [{ type: 'text', text: String(called.push(name)) }], isError: false });
    });
    await call;
    expect(called).toEqual([]);
  });

  it('M-41: keeps its tools listed while it starts anew', async () => {
    const rig = new Rig();
    const first = await rig.connected();
    const { tools } = rig.state();
    first.die('Exit code 1.');
    await rig.settle();
    expect(rig.state().tools).toBe(tools);
    await rig.time.pass(1_000);
    await rig.answer();
    expect(rig.state().tools).toBe(tools);
  });

  it('has a call wait for 30 seconds at most, and not at all when it was stopped', async () => {
    const rig = new Rig();
    const first = await rig.connected();
    const tool = firstTool(rig);
    first.die('Exit code 1.');
    const late = expect(rig.servers.call('db', tool, {}, CALL)).rejects.toThrow('“db” is not running. ');
    const stop = new AbortController();
    const stopped = expect(rig.servers.call('db', tool, {}, { signal: stop.signal })).rejects.toBeInstanceOf(AbortError);
    await rig.settle();
    stop.abort();
    await stopped;
    await rig.time.pass(30_000);
    await late;
  });

  it('conf-13: drops what a connection that is gone still tells', async () => {
    const rig = new Rig();
    const first = await rig.connected();
    let give: () => void = () => undefined;
    first.result = () => new Promise((resolve) => (give = () => resolve({ content: [], isError: false })));
    const call = expect(rig.servers.call('db', firstTool(rig), {}, CALL)).rejects.toMatchObject({ kind: 'closed' });
    const { handlers } = rig.connector.last;
    await rig.settle();
    first.die('Exit code 1.');
    give();
    await call;
    const told = rig.events.length;
    handlers.changed('tools');
    handlers.resourceUpdated('file:///a');
    handlers.logged({ level: 'info', text: 'Still here.' });
    handlers.closed({ reason: 'Again.', wanted: false });
    await rig.settle();
    expect(rig.events.slice(told).filter(({ type }) => type !== 'state')).toEqual([]);
    expect(first.reads.tools).toBe(1);
  });

  it('conf-13: harms no other', async () => {
    const rig = new Rig();
    await rig.servers.update([entryOf('a'), entryOf('b')]);
    rig.servers.want();
    await rig.settle();
    const [a, b] = rig.connector.attempts.map((attempt) => attempt.succeed());
    await rig.settle();
    a?.die('Exit code 1.');
    await rig.settle();
    expect(rig.phase('b')).toBe('connected');
    const [tool] = rig.state('b').tools;
    expect(await rig.servers.call('b', tool ?? fakeTool('none'), {}, CALL)).toMatchObject({ isError: false });
    expect(b?.closes).toBe(0);
  });

  it.each([
    ['a server on the net that cannot be reached', new McpError('unreachable', 'No answer.'), true],
    ['M-25: an error of a server on the net', new McpError('answered', 'Internal error.', { code: 503 }), true],
    ['an answer that breaks the protocol', new McpError('protocol', 'It answered with a page.'), false],
    ['an address that is refused', new McpError('refused', 'No.'), false],
    ['a server on the net that refuses', new McpError('answered', 'Forbidden.', { code: 403 }), false],
  ])('tries %s again only if that may help', async (_, error, again) => {
    const rig = new Rig();
    await rig.servers.update([entryOf('db', { config: http('https://example.org/mcp') })]);
    rig.servers.want();
    await rig.settle();
    rig.connector.last.fail(error);
    await rig.settle();
    expect(rig.phase()).toBe(`${again ? 'pending/restart' : 'failed'}: ${error.message}`);
    await rig.time.pass(1_000);
    expect(rig.connector.attempts).toHaveLength(again ? 2 : 1);
  });

  it.each([new McpError('unreachable', 'There is no such program.'), new McpError('timeout', 'No answer.'), new Error('Out of order')])(
    'does not start a program again that cannot be started: %s',
    async (error) => {
      const rig = new Rig();
      await rig.servers.update([entryOf('db')]);
      rig.servers.want();
      await rig.settle();
      rig.connector.last.fail(error);
      await rig.time.pass(60_000);
      expect(rig.phase()).toBe(`failed: ${error.message}`);
      expect(rig.connector.attempts).toHaveLength(1);
    },
  );
});

describe('ending servers', () => {
  it('stops for the user, who alone starts it again', async () => {
    const rig = new Rig();
    const connection = await rig.connected();
    await rig.servers.stop('db');
    expect(connection.closes).toBe(1);
    expect(rig.phase()).toBe('pending/start');
    rig.servers.want();
    await rig.servers.recheck();
    await rig.time.pass(60_000);
    expect(rig.connector.attempts).toHaveLength(1);
    rig.servers.start('db');
    await rig.settle();
    expect(rig.connector.attempts).toHaveLength(2);
    rig.servers.start('db');
    await rig.settle();
    expect(rig.connector.attempts).toHaveLength(2);
  });

  it('starts in the middle of a stop when the old process is gone', async () => {
    const rig = new Rig();
    let gone: () => void = () => undefined;
    await rig.connected('db', (connection) => {
      connection.closing = () => new Promise((resolve) => (gone = resolve));
    });
    const stopped = rig.servers.stop('db');
    rig.servers.start('db');
    await rig.settle();
    expect(rig.phase()).toBe('pending/connecting');
    expect(rig.connector.attempts).toHaveLength(1);
    gone();
    await stopped;
    await rig.settle();
    await rig.answer();
    expect(rig.phase()).toBe('connected');
    expect(rig.connector.attempts).toHaveLength(2);
  });

  it('stops one that is connecting, and one that waits for another attempt', async () => {
    const rig = new Rig();
    await rig.servers.update([entryOf('db')]);
    rig.servers.want();
    await rig.settle();
    await rig.servers.stop('db');
    expect(rig.connector.last.signal.aborted).toBe(true);
    rig.servers.start('db');
    await rig.settle();
    (await rig.answer()).die('Exit code 1.');
    await rig.settle();
    await rig.servers.stop('db');
    await rig.time.pass(60_000);
    expect(rig.phase()).toBe('pending/start');
    expect(rig.connector.attempts).toHaveLength(2);
  });

  it('restarts without a pause, also one that waits for its next attempt', async () => {
    const rig = new Rig();
    const first = await rig.connected();
    const { tools } = rig.state();
    rig.servers.restart('db');
    await rig.settle();
    expect(first.closes).toBe(1);
    const second = await rig.answer();
    expect(rig.state().tools).toBe(tools);
    second.die('Exit code 1.');
    await rig.settle();
    rig.servers.start('db');
    await rig.settle();
    expect(rig.connector.attempts).toHaveLength(3);
  });

  it('conf-24: ends within the call when it is switched off, and stays off', async () => {
    const rig = new Rig();
    const connection = await rig.connected();
    connection.result = HANGS;
    const call = expect(rig.servers.call('db', firstTool(rig), {}, CALL)).rejects.toMatchObject({ kind: 'closed' });
    await rig.settle();
    await rig.servers.switch('db', false);
    await call;
    expect(rig.phase()).toBe('disabled');
    expect(connection.closes).toBe(1);
    rig.servers.start('db');
    rig.servers.want();
    await rig.servers.recheck();
    expect(rig.phase()).toBe('disabled');
    await rig.servers.switch('db', true);
    await rig.settle();
    expect(rig.connector.attempts).toHaveLength(2);
  });

  it('conf-24: ends all when trust is revoked', async () => {
    const rig = new Rig();
    const connection = await rig.connected();
    rig.gate = () => Promise.resolve({ may: false, waitsFor: 'trust' });
    await rig.servers.recheck();
    expect(connection.closes).toBe(1);
    expect(rig.phase()).toBe('pending/trust');
    rig.gate = OPEN_GATE;
    await rig.servers.recheck();
    await rig.settle();
    expect(rig.phase()).toBe('pending/connecting');
  });

  it('M-23: is disposed when nothing is left, after three seconds at the latest', async () => {
    const rig = new Rig();
    let gone: () => void = () => undefined;
    const connection = await rig.connected('db', (made) => {
      made.closing = () => new Promise((resolve) => (gone = resolve));
    });
    let disposed = false;
    void rig.servers.dispose().then(() => (disposed = true));
    await rig.time.pass(1_000);
    expect(connection.closes).toBe(1);
    expect(disposed).toBe(false);
    gone();
    await rig.settle();
    expect(disposed).toBe(true);
    await rig.servers.update([entryOf('db')]);
    expect(rig.servers.states).toEqual([]);

    const other = new Rig();
    await other.connected('db', (made) => {
      made.closing = HANGS;
    });
    let late = false;
    void other.servers.dispose().then(() => (late = true));
    await other.time.pass(2_999);
    expect(late).toBe(false);
    await other.time.pass(1);
    expect(late).toBe(true);
  });
});
