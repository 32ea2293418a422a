import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Run } from '../../support/headless-program.js';
import { httpError, type Reply, reply } from '../../support/model-server/index.js';
import { drivenHere, ended, listIn, type Message, results, user } from '../../support/protocol-rig.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const driven = drivenHere();
const BYPASS = '--permission-mode=bypassPermissions';

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
  const begin = async (jsonSchema: object, ...answers: readonly string[]): Promise<Run> => {
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
