import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Run } from '../../support/headless-program.js';
import { gate, lastToolResults, reply } from '../../support/model-server/index.js';
import { drivenHere, type Message, request, user } from '../../support/protocol-rig.js';

const driven = drivenHere();
const gnomon = (...args: readonly string[]): Run => driven.drive(...args);

describe('a program that drives Gnomon by lines of JSON', () => {
  it('gets one result for each of its messages, in one session', async () => {
    driven.echoes();
    const program = gnomon();
    program.send(user('one'), user('two'));
    await expect.poll(() => program.ofType('result').length).toBe(2);
    program.process.stdin.end();
    expect((await program.end).code).toBe(0);
    expect(program.ofType('result').map(({ result }) => result)).toEqual(['You said one.', 'You said two.']);
    expect(program.ofType('system').filter(({ subtype }) => subtype === 'init')).toHaveLength(1);
  });

  it('can send a picture that is none: that message fails, and the next one does not', async () => {
    driven.echoes();
    const program = gnomon();
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: '!' } };
    program.send({ type: 'user', message: { role: 'user', content: [image] } }, user('after'));
    program.process.stdin.end();
    await program.end;
    expect(program.ofType('result')).toMatchObject([{ is_error: true, errors: ['Nothing was sent: an image has no data.'] }, { subtype: 'success' }]);
  });

  it('steers no terminal by what is said of its mistakes, and of what it names', async () => {
    const HOSTILE = '\u001B]0;owned\u0007\u202E';
    const program = gnomon();
    const content = [{ type: HOSTILE }];
    program.send({ type: HOSTILE }, { type: 'user', message: { role: 'user', content } }, user(`/no-such-command-${HOSTILE}`));
    program.send(request('1', { subtype: 'initialize', [HOSTILE]: { a: 1 } }));
    program.process.stdin.end();
    await program.end;
    expect(program.errors.match(/owned/g)?.length).toBeGreaterThan(2);
    // oxlint-disable-next-line no-control-regex -- it is about them
    expect(program.errors).not.toMatch(/[\u001B\u0007\u202E]/);
  });

  describe('that answers for the user', () => {
    const writes = (): void =>
      driven.server.setScript(({ body }) =>
        lastToolResults(body).length === 0 ? reply().toolCall('write', { file_path: 'made.txt', content: 'made\n' }) : reply().text('Done.'),
      );

    it('is asked about a call, and can allow it with other arguments', async () => {
      writes();
      const program = gnomon('--permission-prompt-tool', 'stdio');
      program.send(user('Make it'));
      const { id, body } = await program.asked('can_use_tool');
      expect(body).toMatchObject({ tool_name: 'Write', input: { file_path: driven.inFolder('made.txt'), content: 'made\n' } });
      program.respond(id, { behavior: 'allow', updatedInput: { file_path: driven.inFolder('other.txt'), content: 'other\n' } });
      // The call is another one by that, and the program is asked about it as it is now.
      const next = await Promise.race([program.asked('can_use_tool', 1), expect.poll(() => program.ofType('result').length).toBe(1)]);
      if (next !== undefined && 'id' in next) program.respond(next.id, { behavior: 'allow', updatedInput: next.body['input'] });
      await expect.poll(() => program.ofType('result').length).toBe(1);
      program.process.stdin.end();
      await program.end;
      expect([existsSync(driven.inFolder('other.txt')), existsSync(driven.inFolder('made.txt'))]).toEqual([true, false]);
    });

    it('is shown what would run, and not what the model wrote: after its own change, and after that of a hook', async () => {
      driven.server.setScript(({ body }) =>
        lastToolResults(body).length === 0 ? reply().toolCall('bash', { command: 'touch made.txt' }) : reply().text('Done.'),
      );
      const program = gnomon('--permission-prompt-tool', 'stdio');
      program.send(request('1', { subtype: 'initialize', hooks: { PreToolUse: [{ matcher: 'Bash', hookCallbackIds: ['change'] }] } }), user('Make it'));
      const rewrite = async (nth: number, command: string): Promise<void> => {
        const { id } = await program.asked('hook_callback', nth);
        program.respond(id, { hookSpecificOutput: { hookEventName: 'PreToolUse', updatedInput: { command } } });
      };
      await rewrite(0, 'touch hooked.txt');
      const first = await program.asked('can_use_tool');
      expect(first.body).toMatchObject({ tool_name: 'Bash', input: { command: 'touch hooked.txt' } });
      program.respond(first.id, { behavior: 'allow', updatedInput: { command: 'sudo touch own.txt' } });
      const { id } = await program.asked('hook_callback', 1);
      program.respond(id, {});
      const second = await program.asked('can_use_tool', 1);
      expect(second.body).toMatchObject({ tool_name: 'Bash', input: { command: 'sudo touch own.txt' } });
      program.respond(second.id, { behavior: 'deny', message: 'No.' });
      await expect.poll(() => program.ofType('result').length).toBe(1);
      program.process.stdin.end();
      await program.end;
    });

    it('and gives arguments that are no object has allowed nothing', async () => {
      writes();
      const program = gnomon('--permission-prompt-tool', 'stdio');
      program.send(user('Make it'));
      const { id } = await program.asked('can_use_tool');
      program.respond(id, { behavior: 'allow', updatedInput: 5 });
      await expect.poll(() => program.ofType('result').length).toBe(1);
      program.process.stdin.end();
      await program.end;
      expect(existsSync(driven.inFolder('made.txt'))).toBe(false);
    });

    it('and gives the arguments back as they were has not changed the call', async () => {
      writeFileSync(driven.inFolder('a.txt'), 'one\n');
      const calls: readonly (readonly [tool: string, input: object])[] = [
        ['read', { file_path: 'a.txt' }],
        ['edit', { file_path: 'a.txt', old_string: 'one', new_string: 'ONE' }],
      ];
      driven.server.setScript(() => {
        const call = calls[driven.server.requests.length - 1];
        return call === undefined ? reply().text('Done.') : reply().toolCall(...call);
      });
      const program = gnomon('--permission-prompt-tool', 'stdio');
      program.send(user('Change it'));
      const { id, body } = await program.asked('can_use_tool');
      program.respond(id, { behavior: 'allow', updatedInput: body['input'] });
      await expect.poll(() => program.ofType('result').length).toBe(1);
      program.process.stdin.end();
      await program.end;
      expect(readFileSync(driven.inFolder('a.txt'), 'utf8')).toBe('ONE\n');
      expect(driven.server.requests.at(-1)?.raw).not.toContain('The user changed this call');
    });

    it('and wants a rule kept where none can be kept is told so, and asked again', async () => {
      writes();
      const program = gnomon('--permission-prompt-tool', 'stdio');
      program.send(user('Make it'));
      const rules = [{ toolName: 'Write' }];
      for (const [nth, destination, why] of [
        [
          0,
          'userSettings',
          'Rules cannot be kept in these settings here, so nothing was changed. Keep them for this session, or write them into a file such as',
        ],
        [1, 'projectSettings', 'This folder is not trusted, so no rules can be kept in it, and nothing was changed.'],
      ] as const) {
        const { id } = await program.asked('can_use_tool', nth);
        program.respond(id, { behavior: 'allow', updatedPermissions: [{ type: 'addRules', rules, behavior: 'allow', destination }] });
        expect((await program.asked('can_use_tool', nth + 1)).body['decision_reason']).toContain(why);
      }
      program.respond((await program.asked('can_use_tool', 2)).id, { behavior: 'allow' });
      await expect.poll(() => program.ofType('result').length).toBe(1);
      program.process.stdin.end();
      await program.end;
      expect(existsSync(driven.inFolder('made.txt'))).toBe(true);
    });

    it('and never gives an answer that can be followed has denied it after three', async () => {
      writes();
      const program = gnomon('--permission-prompt-tool', 'stdio');
      program.send(user('Make it'));
      const updatedPermissions = [{ type: 'addRules', rules: [{ toolName: 'Write' }], behavior: 'allow', destination: 'userSettings' }];
      for (const nth of [0, 1, 2]) program.respond((await program.asked('can_use_tool', nth)).id, { behavior: 'allow', updatedPermissions });
      await expect.poll(() => program.ofType('result')).toMatchObject([{ subtype: 'success', permission_denials: [{ tool_name: 'Write' }] }]);
      program.process.stdin.end();
      await program.end;
      expect([existsSync(driven.inFolder('made.txt')), program.ofType('control_request')]).toEqual([false, expect.objectContaining({ length: 3 })]);
      expect(driven.server.requests[1]?.raw).toContain('No answer could be followed. Rules cannot be kept');
    });

    it.each([
      ['updatedPermissions that are no list', { behavior: 'allow', updatedPermissions: 'x' }],
      ['a list', ['allow']],
      ['a text', 'allow'],
    ])('and gives %s has allowed nothing', async (_what, answer) => {
      writes();
      const program = gnomon('--permission-prompt-tool', 'stdio');
      program.send(user('Make it'));
      program.send({ type: 'control_response', response: { subtype: 'success', request_id: (await program.asked('can_use_tool')).id, response: answer } });
      await expect.poll(() => program.ofType('result').length).toBe(1);
      program.process.stdin.end();
      await program.end;
      expect(existsSync(driven.inFolder('made.txt'))).toBe(false);
    });

    it('can deny it with words for the model, and stop the turn', async () => {
      writes();
      const program = gnomon('--permission-prompt-tool', 'stdio');
      program.send(user('Make it'));
      const { id } = await program.asked('can_use_tool');
      program.respond(id, { behavior: 'deny', message: 'Not today.', interrupt: true });
      await expect.poll(() => program.ofType('result')).toMatchObject([{ subtype: 'error_during_execution', permission_denials: [{ tool_name: 'Write' }] }]);
      program.process.stdin.end();
      await program.end;
      expect(existsSync(driven.inFolder('made.txt'))).toBe(false);
      expect(driven.server.requests).toHaveLength(1);
    });

    it('is not asked once it has set the mode dontAsk, until it sets another', async () => {
      writes();
      const program = gnomon('--permission-prompt-tool', 'stdio');
      program.send(request('1', { subtype: 'set_permission_mode', mode: 'dontAsk' }), user('Make it'));
      await expect.poll(() => program.ofType('result')).toMatchObject([{ subtype: 'success', permission_denials: [{ tool_name: 'Write' }] }]);
      expect(program.ofType('control_request')).toEqual([]);
      driven.server.setScript(({ body }) =>
        lastToolResults(body).length === 0 ? reply().toolCall('write', { file_path: 'made.txt', content: 'made\n' }) : reply().text('Done.'),
      );
      program.send(request('2', { subtype: 'set_permission_mode', mode: 'default' }), user('Make it now'));
      const { id } = await program.asked('can_use_tool');
      program.respond(id, { behavior: 'allow' });
      await expect.poll(() => existsSync(driven.inFolder('made.txt'))).toBe(true);
      program.process.stdin.end();
      await program.end;
    });

    it('and ends its input while it is asked has the call denied and the turn stopped', async () => {
      writes();
      const program = gnomon('--permission-prompt-tool', 'stdio');
      program.send(user('Make it'));
      await program.asked('can_use_tool');
      program.process.stdin.end();
      const { code } = await program.end;
      expect(code).toBe(1);
      expect(program.ofType('result')).toHaveLength(1);
      expect(existsSync(driven.inFolder('made.txt'))).toBe(false);
      expect(driven.server.requests).toHaveLength(1);
    });

    it('is told that a call needs no answer any more when the turn is interrupted', async () => {
      writes();
      const program = gnomon('--permission-prompt-tool', 'stdio');
      program.send(user('Make it'));
      const { id } = await program.asked('can_use_tool');
      program.send(request('9', { subtype: 'interrupt' }));
      await expect.poll(() => program.ofType('control_cancel_request')).toMatchObject([{ request_id: id }]);
      await expect.poll(() => program.ofType('result')).toMatchObject([{ subtype: 'error_during_execution' }]);
      program.process.stdin.end();
      await program.end;
    });
  });

  it('can interrupt an answer', async () => {
    const held = gate();
    driven.server.setScript(() => reply().text('I begin.').hold(held));
    const program = gnomon('--include-partial-messages');
    program.send(user('x'));
    await expect.poll(() => program.output).toContain('I begin.');
    program.send(request('1', { subtype: 'interrupt' }));
    await expect.poll(() => program.ofType('result')).toMatchObject([{ subtype: 'error_during_execution', terminal_reason: 'aborted' }]);
    held.open();
    program.process.stdin.end();
    await program.end;
  });

  it('K-08: gets the mode that is in effect, and an error for one that is not known or not allowed', async () => {
    driven.server.setScript(() => reply().text('Fine.'));
    const program = gnomon();
    const modes = ['acceptEdits', 'auto', 'dontAsk', 'plan', 'bypassPermissions', 'nonsense'];
    program.send(...modes.map((mode) => request(mode, { subtype: 'set_permission_mode', mode })));
    const answers = await Promise.all(modes.map((mode) => program.answerTo(mode)));
    expect(answers.map(({ subtype, response }) => [subtype, (response as Message | undefined)?.['mode']])).toEqual([
      ['success', 'acceptEdits'],
      ['success', 'default'],
      ['success', 'default'],
      ['success', 'plan'],
      ['error', undefined],
      ['error', undefined],
    ]);
    program.process.stdin.end();
    await program.end;
  });

  it('gets a result for a message that cannot be read, and those behind it are answered', async () => {
    driven.server.setScript(() => reply().text('Fine.'));
    const program = gnomon();
    program.send({ type: 'user', message: { role: 'user', content: [{ type: 'video' }] } }, { type: 'user', message: {} }, user('x'));
    await expect.poll(() => program.ofType('result').length).toBe(3);
    program.process.stdin.end();
    expect((await program.end).code).toBe(0);
    expect(program.ofType('result')).toMatchObject([
      { subtype: 'error_during_execution', errors: [expect.stringContaining('“video”')], usage: { input_tokens: 0 } },
      { subtype: 'error_during_execution' },
      { subtype: 'success', result: 'Fine.' },
    ]);
    expect(driven.server.requests).toHaveLength(1);
  });

  it('gets a result, and the end, where there is no session to go on with', async () => {
    const program = gnomon('--resume', '1700000000000000000');
    program.send(user('one'), user('two'));
    expect((await program.end).code).toBe(1);
    expect(program.ofType('result').map(({ subtype }) => subtype)).toEqual(['error_during_execution']);
  });

  it('gets an error of its own for a request that there is not, and junk changes nothing', async () => {
    driven.server.setScript(() => reply().text('Fine.'));
    const program = gnomon();
    program.process.stdin.write('\uFEFF{"type":"keep_alive"}\r\n\nnull\n[1]\nno json\n{"type":"nonsense"}\n');
    program.send({ type: 'control_response', response: { subtype: 'success', request_id: 'nobody', response: {} } });
    program.send(request('1', { subtype: 'nonsense' }), user('x'));
    expect(await program.answerTo('1')).toMatchObject({ subtype: 'error', error_code: 'unsupported_request' });
    await expect.poll(() => program.ofType('result').length).toBe(1);
    program.process.stdin.end();
    expect((await program.end).code).toBe(0);
  });
});

describe('what the program that drives Gnomon brings', () => {
  it('guards with its own functions: a hook denies a call, and its words reach the model', async () => {
    driven.server.setScript(({ body }) =>
      lastToolResults(body).length === 0 ? reply().toolCall('write', { file_path: 'made.txt', content: 'made\n' }) : reply().text('Done.'),
    );
    const program = gnomon('--permission-mode', 'acceptEdits');
    const hooks = { PreToolUse: [{ matcher: 'Write', hookCallbackIds: ['guard'], timeout: 5 }], PostModelSwitch: [{ hookCallbackIds: ['other'] }] };
    program.send(request('1', { subtype: 'initialize', hooks }), user('Make it'));
    expect(await program.answerTo('1')).toMatchObject({ response: { hooks_not_applied: ['PostModelSwitch'] } });
    const { id, body } = await program.asked('hook_callback');
    expect(body).toMatchObject({ callback_id: 'guard', input: { hook_event_name: 'PreToolUse', tool_name: 'Write' } });
    program.respond(id, { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: 'Not today.' } });
    await expect.poll(() => program.ofType('result').length).toBe(1);
    program.process.stdin.end();
    await program.end;
    expect(existsSync(driven.inFolder('made.txt'))).toBe(false);
    expect(driven.server.requests[1]?.raw).toContain('Not today.');
  });

  it.each([[5], ['fine'], [[]], [true]])('guards where its answer is %j, which is none', async (answer) => {
    driven.writes();
    const program = gnomon('--permission-mode', 'acceptEdits');
    program.send(request('1', { subtype: 'initialize', hooks: { PreToolUse: [{ hookCallbackIds: ['guard'] }] } }), user('Make it'));
    program.send({ type: 'control_response', response: { subtype: 'success', request_id: (await program.asked('hook_callback')).id, response: answer } });
    await expect.poll(() => program.ofType('result').length).toBe(1);
    program.process.stdin.end();
    await program.end;
    expect(existsSync(driven.inFolder('made.txt'))).toBe(false);
    expect(driven.server.requests[1]?.raw).toContain('no object');
  });

  it('guards where it does not answer: what the hook was to decide is denied', async () => {
    driven.server.setScript(({ body }) =>
      lastToolResults(body).length === 0 ? reply().toolCall('write', { file_path: 'made.txt', content: 'made\n' }) : reply().text('Done.'),
    );
    const program = gnomon('--permission-mode', 'acceptEdits');
    program.send(request('1', { subtype: 'initialize', hooks: { PreToolUse: [{ hookCallbackIds: ['guard'], timeout: 0.2 }] } }), user('Make it'));
    await program.asked('hook_callback');
    await expect.poll(() => program.ofType('result').length).toBe(1);
    program.process.stdin.end();
    await program.end;
    expect(existsSync(driven.inFolder('made.txt'))).toBe(false);
  });
});
