import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { reply } from '../../support/model-server/index.js';
import { ask, drivenHere, ended, type Message, results, user } from '../../support/protocol-rig.js';
import { running } from '../../support/running-processes.js';

const driven = drivenHere();
const thinking = (): readonly unknown[] => driven.server.requests.map(({ body }) => body.thinking);

describe('set_max_thinking_tokens', () => {
  it('limits how much the next request thinks, and null takes that back', async () => {
    driven.says('Fine.');
    const program = driven.drive('--model=anthropic/claude-haiku-4-5', '--effort=high');
    const answers: unknown[] = [];
    for (const [n, tokens] of [undefined, 0, 5_000, 1_000, 2_000_000, null].entries()) {
      if (tokens !== undefined) answers.push((await ask(program, { subtype: 'set_max_thinking_tokens', max_thinking_tokens: tokens }))['response']);
      program.send(user('x'));
      await results(program, n + 1);
    }
    await ended(program);
    const budget = (tokens: number): object => ({ type: 'enabled', budget_tokens: tokens });
    expect(thinking()).toEqual([budget(24_000), undefined, budget(4_000), undefined, budget(24_000), budget(24_000)]);
    expect(answers).toEqual([{ effort: 'off' }, { effort: 'low' }, { effort: 'off' }, { effort: 'high' }, { effort: 'high' }]);
  });

  it('is refused with a reason where it is none', async () => {
    const program = driven.drive();
    const bodies: readonly (readonly [object, string])[] = [
      ...[-1, 1.5, '5000'].map((tokens) => [{ max_thinking_tokens: tokens }, 'whole number'] as const),
      [{ thinking_display: 'omitted' }, 'summary'],
    ];
    for (const [body, why] of bodies)
      expect(await ask(program, { subtype: 'set_max_thinking_tokens', ...body })).toMatchObject({ error: expect.stringContaining(why) as string });
    await ended(program);
  });

  it('has the same meaning as the flags at the start, which are no more than --effort', async () => {
    driven.says('Fine.');
    for (const args of [['--max-thinking-tokens=12000'], ['--max-thinking-tokens=12000', '--effort=low'], ['--thinking=disabled', '--effort=high']]) {
      const program = driven.drive('--model=anthropic/claude-haiku-4-5', ...args);
      program.send(user('x'));
      await ended(program);
    }
    expect(thinking()).toEqual([{ type: 'enabled', budget_tokens: 10_000 }, { type: 'enabled', budget_tokens: 4_000 }, undefined]);
  });
});

describe('set_model', () => {
  it('is refused where it names none', async () => {
    const program = driven.drive();
    for (const model of [{ id: 'opus' }, 7, ['opus'], true])
      expect(await ask(program, { subtype: 'set_model', model })).toMatchObject({
        subtype: 'error',
        error: expect.stringContaining('name of a model') as string,
      });
    expect(await ask(program, { subtype: 'set_model', model: null })).toMatchObject({ response: { model: 'anthropic/claude-sonnet-5-5' } });
    await ended(program);
  });
});

describe('what is too long for a line', () => {
  it('is not asked about in parts, but denied', async () => {
    driven.calls('write', { file_path: 'made.txt', content: 'a line of a file\n'.repeat(80_000) });
    const program = driven.drive('--permission-prompt-tool=stdio');
    program.send(user('x'));
    await results(program);
    await ended(program);
    expect([existsSync(driven.inFolder('made.txt')), program.ofType('control_request')]).toEqual([false, []]);
    expect(driven.results.join('')).toContain('cannot be asked, as this is too long');
  });
});

describe('get_settings', () => {
  it('K-11: tells what counts and where it is from, and nothing that can be a key', async () => {
    const secrets = ['sk-canary-in-a-header-1234567890', 'canary-in-an-address-1', 'sk-canary-in-a-rule-1234567890', 'sk-canary-in-words-1234567890'];
    const settings = {
      effortLevel: 'low',
      maxTurns: 7,
      systemPromptAddition: `The key is ${secrets[3] ?? ''}.`,
      permissions: { deny: ['Read(private/**)', `Bash(curl -H ${secrets[2] ?? ''})`] },
      providers: { other: { baseUrl: 'https://a.example/v1', headers: { authorization: `Bearer ${secrets[0] ?? ''}` } } },
      webSearch: { searxngUrl: `https://user:${secrets[1] ?? ''}@search.example` },
    };
    const program = driven.drive('--settings', JSON.stringify(settings), '--permission-mode=acceptEdits');
    const answer = await ask(program, { subtype: 'get_settings' });
    await ended(program);
    expect(answer).toMatchObject({ subtype: 'success' });
    const { effective, sources, applied } = answer['response'] as { effective: Message; sources: readonly Message[]; applied: Message };
    expect(effective).toMatchObject({ thinkingEffort: 'low', maxTurns: 7, permissions: { deny: expect.arrayContaining(['Read(private/**)']) as unknown } });
    expect(sources).toContainEqual({ setting: 'maxTurns', source: 'flag', path: expect.any(String) as string });
    expect(applied).toEqual({ model: 'anthropic/claude-sonnet-5-5', effort: 'low', permissionMode: 'acceptEdits' });
    for (const secret of [...secrets, 'sk-test-1234567890']) expect(JSON.stringify(answer)).not.toContain(secret);
  });
});

describe('rewind_files', () => {
  const edits = (): void => {
    const calls: readonly (readonly [string, object] | undefined)[] = [
      ['read', { file_path: 'a.txt' }],
      ['edit', { file_path: 'a.txt', old_string: 'one', new_string: 'two' }],
      undefined,
      ['edit', { file_path: 'a.txt', old_string: 'two', new_string: 'three' }],
      ['write', { file_path: 'made.txt', content: 'made\n' }],
      undefined,
    ];
    driven.server.setScript(() => {
      const call = calls[driven.server.requests.length - 1];
      return call === undefined ? reply().text('Done.') : reply().toolCall(...call);
    });
  };
  const content = (): string => readFileSync(driven.inFolder('a.txt'), 'utf8');

  it('puts files back to before a message, as it is named or repeated, and a dry run only says so', async () => {
    writeFileSync(driven.inFolder('a.txt'), 'one\n');
    edits();
    const program = driven.drive('--permission-mode=acceptEdits', '--replay-user-messages');
    program.send(user('first'), user('second', { uuid: 'my-second' }));
    await results(program, 2);
    expect(content()).toBe('three\n');
    const [first, second] = program.ofType('user').filter(({ isReplay }) => isReplay === true);
    expect(second?.['uuid']).toBe('my-second');
    const rewind = (id: unknown, dry = false): Promise<Message> => ask(program, { subtype: 'rewind_files', user_message_id: id, dry_run: dry });

    expect(await rewind('my-second', true)).toMatchObject({
      response: { canRewind: true, filesChanged: [driven.inFolder('a.txt'), driven.inFolder('made.txt')] },
    });
    expect([content(), existsSync(driven.inFolder('made.txt'))]).toEqual(['three\n', true]);
    expect(await rewind('my-second')).toMatchObject({ subtype: 'success', response: { canRewind: true } });
    expect([content(), existsSync(driven.inFolder('made.txt'))]).toEqual(['two\n', false]);
    expect(await rewind('my-second')).toMatchObject({ subtype: 'error', error: 'Nothing is recorded that was changed since this message.' });
    expect(await rewind('my-second', true)).toMatchObject({ subtype: 'success', response: { canRewind: false } });
    expect(await rewind(first?.['uuid'])).toMatchObject({ subtype: 'success' });
    expect(content()).toBe('one\n');
    for (const id of ['nobody', '', 7]) expect(await rewind(id)).toMatchObject({ subtype: 'error' });
    await ended(program);
  });

  it('leaves what the user has changed since, and says so; in a later run, too', async () => {
    writeFileSync(driven.inFolder('a.txt'), 'one\n');
    edits();
    const program = driven.drive('--permission-mode=acceptEdits', '--replay-user-messages');
    program.send(user('first'));
    const [result] = await results(program);
    const id = program.ofType('user').find(({ isReplay }) => isReplay === true)?.['uuid'];
    await ended(program);
    writeFileSync(driven.inFolder('a.txt'), 'mine\n');
    const later = driven.drive('--resume', String(result?.['session_id']));
    expect(await ask(later, { subtype: 'rewind_files', user_message_id: id })).toMatchObject({
      response: { canRewind: false, filesChanged: [], filesKept: [driven.inFolder('a.txt')] },
    });
    expect(content()).toBe('mine\n');
    await ended(later);
  });
});

describe('stop_task', () => {
  it('ends a command in the background with all that it started, once', async () => {
    driven.calls('bash', { command: 'echo $$ > pid; sleep 300', background: true });
    const program = driven.drive('--permission-mode=bypassPermissions');
    program.send(user('x'));
    await results(program);
    await expect.poll(() => existsSync(driven.inFolder('pid')) && readFileSync(driven.inFolder('pid'), 'utf8').trim()).toBeTruthy();
    const pid = Number(readFileSync(driven.inFolder('pid'), 'utf8'));
    expect(running([pid])).toEqual([pid]);
    expect(await ask(program, { subtype: 'stop_task', task_id: 'job-7' })).toMatchObject({
      subtype: 'error',
      error: expect.stringContaining('job-1') as string,
    });
    expect(await ask(program, { subtype: 'stop_task', task_id: 'job-1' })).toMatchObject({ subtype: 'success' });
    expect(running([pid])).toEqual([]);
    expect(program.ofType('system')).toContainEqual(expect.objectContaining({ subtype: 'task_notification', task_id: 'job-1', status: 'stopped' }));
    expect(await ask(program, { subtype: 'stop_task', task_id: 'job-1' })).toMatchObject({
      subtype: 'error',
      error: expect.stringContaining('ended already') as string,
    });
    await ended(program);
  });

  it('is refused where nothing was started', async () => {
    const program = driven.drive();
    for (const id of ['job-1', undefined]) expect(await ask(program, { subtype: 'stop_task', task_id: id })).toMatchObject({ subtype: 'error' });
    await ended(program);
  });
});

it('K-08: a mode that is set is told in a status', async () => {
  const program = driven.drive();
  for (const mode of ['acceptEdits', 'acceptEdits', 'plan']) await ask(program, { subtype: 'set_permission_mode', mode });
  await ended(program);
  expect(program.ofType('system').map(({ subtype, permissionMode }) => [subtype, permissionMode])).toEqual([
    ['init', 'default'],
    ['status', 'acceptEdits'],
    ['status', 'plan'],
  ]);
});
