import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  AbortError,
  CliNotFoundError,
  forkSession,
  InvalidInputError,
  JsonDecodeError,
  listSessions,
  MessageParseError,
  type Options,
  ProcessFailedError,
  query,
  type SessionsOptions,
} from '../../../../src/headless/library/index.js';
import { allOf, fakeProgram, idOf, outcomes, realProgram, started, WAYS } from '../../../support/library-rig.js';

const real = realProgram();

/** Sessions are looked after without a model. */
const withoutModel = (options: Options): SessionsOptions => Object.fromEntries(Object.entries(options).filter(([name]) => name !== 'model'));

describe.each(WAYS)('stored sessions, by a program that is run %s', (way) => {
  /** Options of runs, and those for their sessions. */
  const place = (): { readonly runs: Options; readonly sessions: SessionsOptions } => {
    const runs = real.by(way);
    return { runs, sessions: withoutModel(runs) };
  };

  it('are listed, the newest first, and copied for good', async () => {
    const { runs, sessions } = place();
    expect(await listSessions(sessions)).toEqual([]);
    real.echoes();
    const first = idOf(await allOf(started(query({ prompt: 'one', options: runs }))));
    const second = idOf(await allOf(started(query({ prompt: 'two', options: runs }))));
    const listed = await listSessions(sessions);
    expect(listed).toMatchObject([
      { id: second, title: 'two', messageCount: 2 },
      { id: first, title: 'one', messageCount: 2, model: 'anthropic/claude-sonnet-5-5', updatedAt: expect.any(String) as string },
    ]);
    const copy = await forkSession(first, sessions);
    expect(copy).toMatchObject({ messageCount: 2, parent: { id: first, count: 2 } });
    expect((await listSessions(sessions)).map(({ id }) => id).sort()).toEqual([copy.id, first, second].sort());
    expect(outcomes(await allOf(started(query({ prompt: 'three', options: { ...runs, resume: copy.id } }))))).toEqual(['You said three.']);
    expect(real.server.requests.at(-1)?.body.messages).toHaveLength(3);
    expect((await listSessions(sessions)).find(({ id }) => id === first)).toEqual(listed[1]);
  });

  it('that there are not fail with the reason of the program', async () => {
    const { sessions } = place();
    await expect(forkSession('nobody', sessions)).rejects.toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('There is no session “nobody”') as string,
    });
    await expect(listSessions({ ...sessions, sessionStorage: 'vscode' })).rejects.toThrow(ProcessFailedError);
  });
});

it('A copy has what can be restored of the session', async () => {
  real.writes();
  const options = real.by('in this process');
  const id = idOf(await allOf(started(query({ prompt: 'Make it', options: { ...options, permissionMode: 'acceptEdits' } }))));
  const copy = await forkSession(id, withoutModel(options));
  const kept = readdirSync(real.home, { recursive: true, encoding: 'utf8' }).filter((path) => path.includes(join('checkpoints', copy.id)));
  expect(kept.length).toBeGreaterThan(1);
});

describe('what is told of stored sessions', () => {
  it.each<[string, string, new (...args: never[]) => Error]>([
    ['is no JSON', 'raw("nonsense\\n")', JsonDecodeError],
    ['is no session', 'write({ id: 7 })', MessageParseError],
    ['is cut off', `raw('{"id": "a", "title": ')`, JsonDecodeError],
    ['is nothing', '', MessageParseError],
    ['comes with a failure', 'write({ id: "a", title: "", updatedAt: "", messageCount: 0 }); process.exitCode = 3', ProcessFailedError],
  ])('is an error where it %s', async (_what, start, error) => {
    await expect(forkSession('a', { cliPath: fakeProgram({ start }) })).rejects.toThrow(error);
  });

  it('is asked for in a way that cannot be taken for something else', async () => {
    await expect(forkSession('--permanently')).rejects.toThrow(InvalidInputError);
    await expect(forkSession('')).rejects.toThrow(InvalidInputError);
    // As a program in JavaScript could.
    await expect(forkSession(JSON.parse('null') as string)).rejects.toThrow(InvalidInputError);
    const options = { maxTurns: 3 };
    await expect(listSessions(options as SessionsOptions)).rejects.toThrow('“maxTurns”');
    await expect(listSessions({ cliPath: '/nowhere/gnomon.js' })).rejects.toThrow(CliNotFoundError);
  });

  it('is not waited for when it is aborted', async () => {
    const stop = new AbortController();
    const listed = listSessions({
      cliPath: fakeProgram({ start: 'process.stderr.write("here"); setInterval(() => undefined, 1_000);' }),
      signal: stop.signal,
      stderr: () => stop.abort(),
    });
    await expect(listed).rejects.toThrow(AbortError);
    await expect(listSessions({ signal: AbortSignal.abort() })).rejects.toThrow(AbortError);
  });
});
