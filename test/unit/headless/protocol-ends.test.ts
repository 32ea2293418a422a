import { execFileSync, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RunningProgram } from '../../support/headless-program.js';
import { httpError, lastToolResults, type Reply, reply, resultText } from '../../support/model-server/index.js';
import { ask, drivenProgram, ended, listIn, type Message, results, user } from '../../support/protocol-rig.js';
import { running } from '../../support/running-processes.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

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

describe('K-04: a message of the user', () => {
  it('has exactly one result, in one session that began with init, however it ends', async () => {
    const ends: readonly (readonly [said: string, ...replies: (() => Reply)[]])[] = [
      ['a request that is refused', () => httpError(400, 'invalid_request_error', 'something odd')],
      ['an answer that breaks off', () => reply().text('I begin').stop('refusal')],
      ['arguments that are no JSON', () => reply().toolCall('read', '{"file_path": '), () => reply().text('Fine.')],
      ['a tool that there is not', () => reply().toolCall('fly', {}), () => reply().text('Fine.')],
      ['a command that kills itself', () => reply().toolCall('bash', { command: 'kill -9 $$' }), () => reply().text('Fine.')],
      ['a limit', ...Array.from({ length: 3 }, (_, n) => () => reply().toolCall('read', { file_path: `${n}.txt` }))],
      ['nothing but the end', () => reply().text('')],
    ];
    const all = ends.flatMap(([, ...replies]) => replies);
    driven.server.setScript((_request, n) => all[n]?.() ?? reply().text('Fine.'));
    const program = driven.drive(BYPASS, '--max-turns=3');
    program.send(...ends.map(([said]) => user(said)));
    const found = await results(program, ends.length);
    expect((await ended(program)).code).toBe(0);
    expect(ends.map(([said], index) => [said, found[index]?.['subtype']])).toEqual([
      ['a request that is refused', 'error_during_execution'],
      ['an answer that breaks off', expect.any(String)],
      ['arguments that are no JSON', 'success'],
      ['a tool that there is not', 'success'],
      ['a command that kills itself', 'success'],
      ['a limit', 'error_max_turns'],
      ['nothing but the end', expect.any(String)],
    ]);
    expect(program.messages[0]).toMatchObject({ type: 'system', subtype: 'init' });
    expect(program.ofType('system').filter(({ subtype }) => subtype === 'init')).toHaveLength(1);
    expect(new Set(program.messages.map(({ session_id: id }) => id)).size).toBe(1);
    const ids = program.messages.map(({ uuid }) => uuid);
    expect(new Set(ids).size).toBe(ids.length);
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

describe('K-13: a limit', () => {
  it.each([
    ['1', 1],
    ['2', 2],
  ])('of %s requests is kept for each message', async (most, asked) => {
    driven.server.setScript((_request, n) => reply().toolCall('read', { file_path: `${n}.txt` }));
    const program = driven.drive(`--max-turns=${most}`);
    program.send(user('one'), user('two'));
    const found = await results(program, 2);
    await ended(program);
    expect(found.map(({ subtype, num_turns: turns }) => [subtype, turns])).toEqual([
      ['error_max_turns', asked],
      ['error_max_turns', asked],
    ]);
    expect(driven.server.requests).toHaveLength(2 * asked);
  });

  it.each(['0', '-1', '1.5', 'x'])('of %s requests is none: nothing is asked', async (most) => {
    const program = driven.drive(`--max-turns=${most}`);
    expect((await program.end).code).toBe(2);
    expect(program.errors).toContain('--max-turns');
    expect(driven.server.requests).toEqual([]);
  });

  it('of money ends a turn in its middle, and those behind it before they begin', async () => {
    driven.server.setScript((_request, n) =>
      reply()
        .usage({ output_tokens: 1_000_000 })
        .toolCall('read', { file_path: `${n}.txt` }),
    );
    const program = driven.drive('--max-budget-usd=0.5');
    program.send(user('one'), user('two'));
    expect((await results(program, 2)).map(({ subtype }) => subtype)).toEqual(['error_max_budget_usd', 'error_max_budget_usd']);
    await ended(program);
    expect(driven.server.requests).toHaveLength(1);
  });
});

describe('K-14: a session to go on with', () => {
  const one = async (...args: readonly string[]): Promise<Message> => {
    const program = driven.drive(...args);
    program.send(user('x'));
    const [result] = await results(program);
    await ended(program);
    return result ?? {};
  };

  it('is none of another folder, none that is damaged, and none that there is not', async () => {
    driven.says('Fine.');
    const { session_id: id } = await one();
    const elsewhere = await driven.another();
    Object.assign(elsewhere, { home: driven.home, folder: temporaryFolder() });
    const program = elsewhere.drive('--resume', String(id));
    program.send(user('x'));
    expect(await results(program)).toMatchObject([{ subtype: 'error_during_execution', errors: [expect.stringContaining(String(id))] }]);
    await ended(program);
    const path = readdirSync(driven.home, { recursive: true, encoding: 'utf8' }).find((name) => name.endsWith(`${String(id)}.json`)) ?? '';
    writeFileSync(join(driven.home, path), '{"version":1,');
    expect(await one('--resume', String(id))).toMatchObject({ subtype: 'error_during_execution', errors: [expect.stringContaining('damaged')] });
    expect(await one('--resume', 'nobody')).toMatchObject({ subtype: 'error_during_execution', errors: [expect.stringContaining('nobody')] });
    expect(elsewhere.server.requests).toEqual([]);
    expect(driven.server.requests).toHaveLength(1);
  });

  it('is the newest of the folder, and stays as it is where a copy is gone on with', async () => {
    driven.says('Fine.');
    const [first, second] = [await one(), await one()];
    const file = (): Buffer => {
      const path = readdirSync(driven.home, { recursive: true, encoding: 'utf8' }).find((name) => name.endsWith(`${String(second['session_id'])}.json`)) ?? '';
      return readFileSync(join(driven.home, path));
    };
    const before = file();
    const copy = await one('--continue', '--fork-session');
    expect(new Set([first, second, copy].map(({ session_id: id }) => id)).size).toBe(3);
    expect(file().equals(before)).toBe(true);
    expect((await one('--continue'))['session_id']).toBe(copy['session_id']);
  });
});

it('K-16: what would be asked about is denied with its reason where nobody can be asked, and listed', async () => {
  driven.calls('bash', { command: 'touch made' });
  const program = driven.drive();
  program.send(user('Run it'));
  const [result] = await results(program);
  expect((await ended(program)).code).toBe(0);
  expect(listIn(result, 'permission_denials')).toMatchObject([
    { tool_name: 'Bash', tool_input: { command: 'touch made' }, reason: expect.any(String) as string },
  ]);
  expect(driven.server.requests[1]?.raw).toContain('Nobody can be asked here');
  expect(existsSync(driven.inFolder('made'))).toBe(false);
});

it('K-22b: modes of others become stricter ones, which init tells, and an invented one is refused with the list', async () => {
  driven.says('Fine.');
  for (const mode of ['auto', 'manual', 'dontAsk']) {
    const program = driven.drive(`--permission-mode=${mode}`);
    program.send(user('x'));
    await results(program);
    await ended(program);
    expect(program.messages[0]).toMatchObject({ subtype: 'init', permissionMode: 'default' });
  }
  const program = driven.drive('--permission-mode=yolo');
  expect((await program.end).code).toBe(2);
  expect(program.errors).toMatch(/“yolo” is not known. It can be .*plan.*bypassPermissions/);
  expect(driven.server.requests).toHaveLength(3);
});

describe('K-17: a form of the answer that comes with initialize', () => {
  const begin = async (jsonSchema: object, ...answers: readonly string[]): Promise<RunningProgram> => {
    driven.server.setScript((_request, n) => reply().text(answers[n] ?? answers.at(-1) ?? ''));
    const program = driven.drive();
    program.send({ type: 'control_request', request_id: '1', request: { subtype: 'initialize', jsonSchema } }, user('x'));
    await results(program);
    program.process.stdin.end();
    return program;
  };
  const schema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'], additionalProperties: false };

  it('is data, which is asked for again, and is an error where none comes', async () => {
    const program = await begin(schema, 'It is 7.', '{"n":7}');
    expect((await program.end).code).toBe(0);
    expect(program.ofType('result')).toMatchObject([{ subtype: 'success', structured_output: { n: 7 }, num_turns: 2 }]);
    const failed = await begin(schema, 'It is 7.');
    expect((await failed.end).code).toBe(1);
    expect(failed.ofType('result')).toMatchObject([{ subtype: 'error_max_structured_output_retries', is_error: true }]);
  });

  it('ends the run before anything is asked where it cannot be read', async () => {
    const program = await begin({ type: 1 }, 'Fine.');
    expect((await program.end).code).toBe(2);
    expect(program.ofType('result')).toMatchObject([{ subtype: 'error_during_execution' }]);
    expect(driven.server.requests).toEqual([]);
  });
});
