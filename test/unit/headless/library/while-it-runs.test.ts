import { existsSync, readFileSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  AbortError,
  type AgentMessage,
  type CanUseTool,
  ControlRefusedError,
  NotConnectedError,
  query,
  Session,
  type UserFrame,
} from '../../../../src/headless/library/index.js';
import { allOf, failureOf, libraryHere, ofType, outcomes, realProgram, tracked, user } from '../../../support/library-rig.js';
import { gate, lastToolResults, reply, resultText } from '../../../support/model-server/index.js';
import { running } from '../../../support/running-processes.js';

const real = libraryHere();

describe('a call that needs permission', () => {
  const asked: Parameters<CanUseTool>[] = [];
  const answering =
    (...answers: readonly Awaited<ReturnType<CanUseTool>>[]): CanUseTool =>
    (...call) => {
      asked.push(call);
      return Promise.resolve(answers[Math.min(asked.length, answers.length) - 1] ?? { behavior: 'deny', message: '' });
    };
  beforeEach(() => {
    asked.length = 0;
    real.writes();
  });

  it('is asked about, and runs when that is allowed', async () => {
    const messages = await allOf(real.ask('Make it', { canUseTool: answering({ behavior: 'allow' }) }));
    expect(asked).toMatchObject([
      ['Write', { file_path: real.inFolder('made.txt'), content: 'made\n' }, { toolUseId: expect.any(String) as string, reason: expect.any(String) as string }],
    ]);
    expect(readFileSync(real.inFolder('made.txt'), 'utf8')).toBe('made\n');
    expect(outcomes(messages)).toEqual(['Done.']);
  });

  it('is not asked about again where the answer had the suggested rules', async () => {
    real.server.setScript(({ body }) => (lastToolResults(body).length < 1 ? reply().toolCall('bash', { command: 'touch made.txt' }) : reply().text('Done.')));
    const canUseTool: CanUseTool = (name, input, context) => {
      asked.push([name, input, context]);
      return Promise.resolve({ behavior: 'allow', updatedPermissions: context.suggestions });
    };
    async function* twice(): AsyncGenerator<UserFrame> {
      await Promise.resolve();
      yield user('Make it');
      yield user('Make it again');
    }
    expect(outcomes(await allOf(query({ prompt: twice(), options: { ...real.options, canUseTool } })))).toEqual(['Done.', 'Done.']);
    expect(asked.map(([name, , { suggestions }]) => [name, suggestions.length])).toEqual([['Bash', 1]]);
  });

  it('is denied with words for the model, and listed in the result', async () => {
    const messages = await allOf(real.ask('Make it', { canUseTool: answering({ behavior: 'deny', message: 'Not on a Friday.' }) }));
    expect(existsSync(real.inFolder('made.txt'))).toBe(false);
    expect(real.server.requests[1] === undefined ? '' : lastToolResults(real.server.requests[1].body).map(resultText).join('')).toContain('Not on a Friday.');
    expect(ofType(messages, 'result')).toMatchObject([{ subtype: 'success', permission_denials: [{ tool_name: 'Write' }] }]);
  });

  it('runs with other arguments where the answer has some', async () => {
    const other = { file_path: real.inFolder('other.txt'), content: 'other\n' };
    await allOf(real.ask('Make it', { canUseTool: answering({ behavior: 'allow', updatedInput: other }) }));
    expect([existsSync(real.inFolder('made.txt')), readFileSync(real.inFolder('other.txt'), 'utf8')]).toEqual([false, 'other\n']);
  });

  it('is denied, and the turn stopped, where the answer says so', async () => {
    const messages = await allOf(real.ask('Make it', { canUseTool: answering({ behavior: 'deny', message: 'Stop.', interrupt: true }) }));
    expect(ofType(messages, 'result')).toMatchObject([{ subtype: 'error_during_execution', terminal_reason: 'aborted' }]);
    expect(real.server.requests).toHaveLength(1);
  });

  it('is denied where the callback fails, and where it gives no answer that can be used', async () => {
    await allOf(real.ask('Make it', { canUseTool: () => Promise.reject(new Error('The door is locked.')) }));
    const told = (): string => real.server.requests.map(({ body }) => lastToolResults(body).map(resultText).join('')).join('');
    expect(told()).toContain('The door is locked.');
    // As a program in JavaScript could.
    await allOf(real.ask('Make it', { canUseTool: () => Promise.resolve(JSON.parse('{"behavior":"maybe"}') as { behavior: 'allow' }) }));
    expect(told()).toContain('canUseTool gave no answer');
    expect(existsSync(real.inFolder('made.txt'))).toBe(false);
  });

  it('is denied where there is no callback', async () => {
    const messages = await allOf(real.ask('Make it'));
    expect(ofType(messages, 'result')).toMatchObject([{ subtype: 'success', permission_denials: [{ tool_name: 'Write' }] }]);
  });

  it('needs no answer any more when the turn is interrupted', async () => {
    const run = real.ask('Make it', {
      canUseTool: (_name, _input, { signal }) => {
        void run.interrupt();
        return new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('never told')), { once: true }));
      },
    });
    expect(outcomes(await allOf(run))).toEqual([expect.stringMatching(/^error_during_execution: /)]);
  });
});

describe('while it runs', () => {
  it('an answer can be interrupted, and has a result', async () => {
    const held = gate();
    real.server.setScript(() => reply().text('I begin.').hold(held));
    const run = real.ask('x', { includePartialMessages: true });
    const messages: AgentMessage[] = [];
    for await (const message of run) {
      messages.push(message);
      if (message.type === 'stream_event' && message.event.type === 'content_block_delta') await run.interrupt();
    }
    expect(ofType(messages, 'result')).toMatchObject([{ subtype: 'error_during_execution', terminal_reason: 'aborted' }]);
    held.open();
  });

  it('the mode can be set, which tells the one that is in effect', async () => {
    real.writes();
    const run = real.ask('Make it');
    expect(await run.setPermissionMode('dontAsk')).toBe('default');
    await expect(run.setPermissionMode('bypassPermissions')).rejects.toThrow(ControlRefusedError);
    expect(await run.setPermissionMode('acceptEdits')).toBe('acceptEdits');
    expect(outcomes(await allOf(run))).toEqual(['Done.']);
    expect(existsSync(real.inFolder('made.txt'))).toBe(true);
    await expect(run.setPermissionMode('plan')).rejects.toThrow(NotConnectedError);
  });

  it('the model can be set, and one that there is not is refused', async () => {
    real.echoes();
    const run = real.ask('x');
    expect(await run.setModel('anthropic/claude-haiku-4-5')).toBe('anthropic/claude-haiku-4-5');
    await expect(run.setModel('nonsense')).rejects.toThrow('There is no model “nonsense”.');
    await allOf(run);
    expect(real.server.requests.map(({ body }) => body.model)).toEqual(['claude-haiku-4-5']);
  });

  it('thinking can be limited, files put back to before a message, and a command in the background ended', async () => {
    const calls: readonly (readonly [string, object] | undefined)[] = [
      ['write', { file_path: 'made.txt', content: 'made\n' }],
      ['bash', { command: 'sleep 300', background: true }],
    ];
    real.server.setScript(() => {
      const call = calls[real.server.requests.length - 1];
      return call === undefined ? reply().text('Done.') : reply().toolCall(...call);
    });
    const session = new Session({ ...real.options, model: 'anthropic/claude-haiku-4-5', permissionMode: 'bypassPermissions' });
    expect(await session.setMaxThinkingTokens(5_000)).toBe('low');
    await session.send({ ...user('x'), uuid: 'mine' });
    for await (const message of session.events) if (message.type === 'result') break;
    expect(real.server.requests[0]?.body.thinking).toEqual({ type: 'enabled', budget_tokens: 4_000 });
    await session.stopTask('job-1');
    await expect(session.stopTask('job-1')).rejects.toThrow(ControlRefusedError);
    expect(await session.rewindFiles('mine', { dryRun: true })).toMatchObject({ canRewind: true, filesChanged: [real.inFolder('made.txt')] });
    expect(existsSync(real.inFolder('made.txt'))).toBe(true);
    expect(await session.rewindFiles('mine')).toMatchObject({ canRewind: true });
    expect(existsSync(real.inFolder('made.txt'))).toBe(false);
    await expect(session.rewindFiles('nobody')).rejects.toThrow('There is no message of the user “nobody” in this session.');
    await session.close();
  });

  it('servers and the context window can be asked about', async () => {
    real.says('Fine.');
    const run = real.ask('x');
    expect(await run.mcpStatus()).toEqual([]);
    for await (const message of run) if (message.type === 'result') break;
    const session = new Session(real.options);
    await session.send('x');
    for await (const message of session.events) if (message.type === 'result') break;
    expect(await session.contextUsage()).toMatchObject({
      model: 'claude-sonnet-5-5',
      totalTokens: expect.any(Number) as number,
      rawMaxTokens: expect.any(Number) as number,
    });
    await session.close();
  });
});

describe('the process of a run', () => {
  const real = realProgram();

  it.each(['abortController', 'signal'] as const)('can be aborted by %s, and is not left then', async (name) => {
    const held = gate();
    real.server.setScript(() => reply().text('I begin.').hold(held));
    const { cliPath, isRunning } = tracked(real.path('gnomon.js'));
    const controller = new AbortController();
    const run = real.ask('x', {
      cliPath,
      includePartialMessages: true,
      ...(name === 'signal' ? { signal: controller.signal } : { abortController: controller }),
    });
    const { error } = await failureOf(
      (async function* (): AsyncGenerator<AgentMessage> {
        for await (const message of run) {
          yield message;
          if (message.type === 'stream_event') controller.abort();
        }
      })(),
    );
    expect(error).toBeInstanceOf(AbortError);
    expect(isRunning()).toBe(false);
    held.open();
  });

  it('ends with the command that it runs', async () => {
    real.server.setScript(() => reply().toolCall('bash', { command: 'echo $$ > pid; sleep 300' }));
    const run = real.ask('x', { permissionMode: 'bypassPermissions' });
    const all = allOf(run);
    await expect.poll(() => existsSync(real.inFolder('pid')) && readFileSync(real.inFolder('pid'), 'utf8').trim()).toBeTruthy();
    const pid = Number(readFileSync(real.inFolder('pid'), 'utf8'));
    await run.close();
    await all;
    expect(running([pid])).toEqual([]);
  });

  it('is not left where a loop is left', async () => {
    const held = gate();
    real.server.setScript(() => reply().text('I begin.').hold(held));
    const { cliPath, isRunning } = tracked(real.path('gnomon.js'));
    for await (const message of real.ask('x', { cliPath })) if (message.type === 'system') break;
    expect(isRunning()).toBe(false);
    held.open();
  });
});
