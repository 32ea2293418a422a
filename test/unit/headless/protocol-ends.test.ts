import { execFileSync, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RunningProgram } from '../../support/headless-program.js';
import { httpError, lastToolResults, reply, resultText } from '../../support/model-server/index.js';
import { ask, drivenProgram, ended, request, results, user } from '../../support/protocol-rig.js';
import { running } from '../../support/running-processes.js';

const driven = drivenProgram();
const BYPASS = '--permission-mode=bypassPermissions';

/** A command that starts another one, and waits for it. @returns the ids of both once they run */
async function commandRuns(): Promise<readonly number[]> {
  const pids = (): readonly number[] =>
    existsSync(driven.inFolder('pids')) ? readFileSync(driven.inFolder('pids'), 'utf8').split('\n').filter(Boolean).map(Number) : [];
  await expect.poll(() => pids().length, { timeout: 20_000 }).toBe(2);
  return pids();
}
const RUNS_LONG = { command: 'sleep 300 & echo $! > pids; echo $$ >> pids; wait' };

describe('a program that drives Gnomon by lines of JSON', () => {
  it('can send initialize and its message in one piece, and end its input at once: the turn is done, and nothing is lost', async () => {
    driven.server.setScript(() => reply().text('x'.repeat(500_000)));
    const program = driven.drive();
    program.process.stdin.end([request('1', { subtype: 'initialize', hooks: null }), user('Say much')].map((frame) => `${JSON.stringify(frame)}\n`).join(''));
    const { code } = await program.end;
    expect(code).toBe(0);
    expect(program.messages.map(({ type }) => type)).toEqual(expect.arrayContaining(['control_response', 'system', 'assistant', 'result']));
    expect(program.ofType('result')).toMatchObject([{ subtype: 'success', result: 'x'.repeat(500_000) }]);
    expect(await program.answerTo('1')).toMatchObject({ subtype: 'success', response: { hook_on_failure_supported: true } });
  });
});

it('K-04: a message that is cut off by the end of the input is an error, behind the results of those before it', async () => {
  driven.says('Fine.');
  const program = driven.drive();
  program.send(user('First'));
  program.process.stdin.end(JSON.stringify(user('Second')).slice(0, -9));
  expect((await program.end).code).toBe(1);
  const why = 'Nothing was sent: the input ended within a line, which is no whole JSON.';
  expect(program.ofType('result')).toMatchObject([{ subtype: 'success' }, { subtype: 'error_during_execution', is_error: true, errors: [why] }]);
  expect(driven.server.requests).toHaveLength(1);
  const whole = driven.drive();
  whole.process.stdin.end(JSON.stringify(user('Second')));
  expect((await whole.end).code).toBe(0);
});

describe('K-07: an interrupt in the middle of a command', () => {
  it('has its result within a second, the group of the command is dead, and the conversation goes on', async () => {
    driven.server.setScript((_request, n) => (n === 0 ? reply().toolCall('bash', RUNS_LONG) : reply().text('Fine.')));
    const program = driven.drive(BYPASS);
    program.send(user('Run it'));
    const pids = await commandRuns();
    // What a round trip takes now, on a machine with much else to do.
    const before = performance.now();
    await ask(program, { subtype: 'get_context_usage' });
    const roundTrip = performance.now() - before;
    const start = performance.now();
    program.send({ type: 'control_request', request_id: 'stop', request: { subtype: 'interrupt' } });
    expect(await results(program)).toMatchObject([{ subtype: 'error_during_execution', terminal_reason: 'aborted' }]);
    expect(performance.now() - start).toBeLessThan(1_000 + 10 * roundTrip);
    expect(running(pids)).toEqual([]);
    // The model server refuses a conversation in which a call has no result.
    program.send(user('Go on'));
    expect((await results(program, 2))[1]).toMatchObject({ subtype: 'success', result: 'Fine.' });
    expect((await ended(program)).code).toBe(0);
  });
});

describe('K-09: the end of a program', () => {
  const inCommand = async (): Promise<{ readonly program: RunningProgram; readonly pids: readonly number[] }> => {
    driven.server.setScript((_request, n) => (n === 0 ? reply().toolCall('bash', RUNS_LONG) : reply().text('Fine.')));
    const program = driven.drive(BYPASS, '--include-partial-messages');
    program.send(user('Run it'));
    return { program, pids: await commandRuns() };
  };

  it('comes when the reader of its output is gone, with what it runs', async () => {
    const { program, pids } = await inCommand();
    const start = performance.now();
    program.process.stdout.destroy();
    expect((await program.end).code).toBe(1);
    expect(performance.now() - start).toBeLessThan(5_000);
    expect(running(pids)).toEqual([]);
  });

  it('comes when what drives it has ended in the middle of a command', async () => {
    const { program, pids } = await inCommand();
    program.process.stdin.destroy();
    program.process.stdout.destroy();
    expect((await program.end).code).toBe(1);
    expect(running(pids)).toEqual([]);
  });

  it('comes by SIGTERM with 143, with what it runs, and a result', async () => {
    const { program, pids } = await inCommand();
    program.process.kill('SIGTERM');
    expect((await program.end).code).toBe(143);
    expect(running(pids)).toEqual([]);
    expect(program.ofType('result')).toMatchObject([{ subtype: 'error_during_execution' }]);
  });

  it('by SIGKILL leaves a session that is gone on with', async () => {
    const { program, pids } = await inCommand();
    const [init] = program.ofType('system');
    program.process.kill('SIGKILL');
    await program.end;
    // What holds commands dies with the program. Where nothing holds them, nobody is left to end them.
    spawnSync('kill', ['-9', ...pids.map(String)]);
    const later = driven.drive('--resume', String(init?.['session_id']));
    later.send(user('Go on'));
    expect(await results(later)).toMatchObject([{ subtype: 'success', result: 'Fine.', session_id: init?.['session_id'] }]);
    expect(driven.server.requests.at(-1)?.raw).toContain('Run it');
    await ended(later);
  });

  it('is not the end of its input: a question that is open is denied, and the turn has its result', async () => {
    driven.calls('bash', { command: 'touch made' });
    const program = driven.drive('--permission-prompt-tool=stdio');
    program.send(user('Run it'));
    await expect.poll(() => program.ofType('control_request').length, { timeout: 10_000 }).toBe(1);
    expect((await ended(program)).code).toBe(1);
    expect(program.ofType('result')).toHaveLength(1);
    expect(existsSync(driven.inFolder('made'))).toBe(false);
  });
});

describe('K-11: what is secret', () => {
  it('is in nothing that is written, and in no command line, whatever fails', async () => {
    const unique = randomUUID();
    const secrets = { key: `sk-canary-${unique}`, token: `variable-${unique}`, server: `server-${unique}` };
    const config = JSON.stringify({
      mcpServers: { broken: { command: 'sh', args: ['-c', 'echo "$SECRET_TOKEN" >&2; exit 1'], env: { SECRET_TOKEN: secrets.server } } },
    });
    writeFileSync(driven.inFolder('servers.json'), config);
    driven.server.setScript(({ body }, n) => {
      if (n === 0) return reply().toolCall('bash', { command: 'touch started; until [ -e go ]; do sleep 0.05; done' });
      if (n === 1) return reply().text(`Looked: ${lastToolResults(body).map(resultText).join('').length}`);
      return httpError(400, 'invalid_request_error', `The header x-api-key: ${secrets.key} is odd, and so is ${secrets.token}.`);
    });
    const program = driven.driveWith(
      { ANTHROPIC_API_KEY: secrets.key, MY_TOKEN: secrets.token },
      BYPASS,
      '--mcp-config=servers.json',
      '--replay-user-messages',
    );
    program.send(user('one'), user('two'));
    await expect.poll(() => existsSync(driven.inFolder('started')), { timeout: 20_000 }).toBe(true);
    const commands = execFileSync('ps', ['-ww', '-eo', 'args'], { encoding: 'utf8' });
    writeFileSync(driven.inFolder('go'), '');
    await results(program, 2);
    await ask(program, { subtype: 'mcp_status' });
    await ask(program, { subtype: 'get_settings' });
    await ended(program);
    for (const [name, secret] of Object.entries(secrets))
      expect([name, program.output.includes(secret), program.errors.includes(secret)]).toEqual([name, false, false]);
    for (const secret of Object.values(secrets)) expect(commands).not.toContain(secret);
    expect(commands).toContain('until [ -e go ]');
    const stored = readdirSync(driven.home, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    for (const entry of stored) expect(readFileSync(join(entry.parentPath, entry.name), 'utf8')).not.toContain(secrets.key);
  });
});
