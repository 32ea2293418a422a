import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { headlessProgram, type RunningProgram } from '../../support/headless-program.js';
import { gate, lastToolResults, lastUserText, type ModelServer, reply, startModelServer } from '../../support/model-server/index.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const { start } = headlessProgram();

type Message = Readonly<Record<string, unknown>>;

let server: ModelServer;
let folder: string;
let home: string;

beforeEach(async () => {
  server = await startModelServer();
  [folder, home] = [temporaryFolder(), temporaryFolder()];
});
afterEach(() => server.close());

const PROTOCOL = ['--output-format', 'stream-json', '--verbose', '--input-format', 'stream-json', '--model', 'anthropic/claude-sonnet-5-5'];
const gnomon = (...args: readonly string[]): RunningProgram =>
  start([...PROTOCOL, ...args], { folder, home, env: { ANTHROPIC_API_KEY: 'sk-test-1234567890', ANTHROPIC_BASE_URL: server.url } });

const user = (content: string): object => ({ type: 'user', message: { role: 'user', content }, parent_tool_use_id: null, session_id: '' });
const request = (id: string, body: object): object => ({ type: 'control_request', request_id: id, request: body });
const ofType = ({ messages }: RunningProgram, type: string): readonly Message[] => messages.filter((message) => message['type'] === type);
/** What a request was answered with, once it was. */
async function answerTo(program: RunningProgram, id: string): Promise<Message> {
  const find = (): Message | undefined =>
    ofType(program, 'control_response')
      .map(({ response }) => response as Message)
      .find((response) => response['request_id'] === id);
  await expect.poll(find).toBeDefined();
  return find() ?? {};
}
/** The first request of a kind that the program makes, once it does. */
async function asked(program: RunningProgram, subtype: string, n = 0): Promise<{ readonly id: string; readonly body: Message }> {
  const find = (): Message | undefined => ofType(program, 'control_request').filter((frame) => (frame['request'] as Message)['subtype'] === subtype)[n];
  await expect.poll(find).toBeDefined();
  const frame = find() ?? {};
  return { id: String(frame['request_id']), body: frame['request'] as Message };
}
const respond = (program: RunningProgram, id: string, response: object): void =>
  program.send({ type: 'control_response', response: { subtype: 'success', request_id: id, response } });

describe('a program that drives Gnomon by lines of JSON', () => {
  it('can send initialize and its message in one piece, and end its input at once: the turn is done, and nothing is lost', async () => {
    server.setScript(() => reply().text('x'.repeat(500_000)));
    const program = gnomon();
    program.process.stdin.end([request('1', { subtype: 'initialize', hooks: null }), user('Say much')].map((frame) => `${JSON.stringify(frame)}\n`).join(''));
    const { code } = await program.end;
    expect(code).toBe(0);
    expect(program.messages.map(({ type }) => type)).toEqual(expect.arrayContaining(['control_response', 'system', 'assistant', 'result']));
    expect(ofType(program, 'result')).toMatchObject([{ subtype: 'success', result: 'x'.repeat(500_000) }]);
    expect(await answerTo(program, '1')).toMatchObject({ subtype: 'success', response: { hook_on_failure_supported: true } });
  });

  it('gets one result for each of its messages, in one session', async () => {
    server.setScript(({ body }) => reply().text(`You said ${lastUserText(body).split('\n').at(-1) ?? ''}.`));
    const program = gnomon();
    program.send(user('one'), user('two'));
    await expect.poll(() => ofType(program, 'result').length).toBe(2);
    program.process.stdin.end();
    expect((await program.end).code).toBe(0);
    expect(ofType(program, 'result').map(({ result }) => result)).toEqual(['You said one.', 'You said two.']);
    expect(ofType(program, 'system').filter(({ subtype }) => subtype === 'init')).toHaveLength(1);
  });

  describe('that answers for the user', () => {
    const writes = (): void =>
      server.setScript(({ body }) =>
        lastToolResults(body).length === 0 ? reply().toolCall('write', { file_path: 'made.txt', content: 'made\n' }) : reply().text('Done.'),
      );

    it('is asked about a call, and can allow it with other arguments', async () => {
      writes();
      const program = gnomon('--permission-prompt-tool', 'stdio');
      program.send(user('Make it'));
      const { id, body } = await asked(program, 'can_use_tool');
      expect(body).toMatchObject({ tool_name: 'Write', input: { file_path: join(folder, 'made.txt'), content: 'made\n' } });
      respond(program, id, { behavior: 'allow', updatedInput: { file_path: join(folder, 'other.txt'), content: 'other\n' } });
      // The call is another one by that, and the program is asked about it as it is now.
      const next = await Promise.race([asked(program, 'can_use_tool', 1), expect.poll(() => ofType(program, 'result').length).toBe(1)]);
      if (next !== undefined && 'id' in next) respond(program, next.id, { behavior: 'allow', updatedInput: next.body['input'] });
      await expect.poll(() => ofType(program, 'result').length).toBe(1);
      program.process.stdin.end();
      await program.end;
      expect([existsSync(join(folder, 'other.txt')), existsSync(join(folder, 'made.txt'))]).toEqual([true, false]);
    });

    it('can deny it with words for the model, and stop the turn', async () => {
      writes();
      const program = gnomon('--permission-prompt-tool', 'stdio');
      program.send(user('Make it'));
      const { id } = await asked(program, 'can_use_tool');
      respond(program, id, { behavior: 'deny', message: 'Not today.', interrupt: true });
      await expect.poll(() => ofType(program, 'result')).toMatchObject([{ subtype: 'error_during_execution', permission_denials: [{ tool_name: 'Write' }] }]);
      program.process.stdin.end();
      await program.end;
      expect(existsSync(join(folder, 'made.txt'))).toBe(false);
      expect(server.requests).toHaveLength(1);
    });

    it('and ends its input while it is asked has the call denied and the turn stopped', async () => {
      writes();
      const program = gnomon('--permission-prompt-tool', 'stdio');
      program.send(user('Make it'));
      await asked(program, 'can_use_tool');
      program.process.stdin.end();
      const { code } = await program.end;
      expect(code).toBe(1);
      expect(ofType(program, 'result')).toHaveLength(1);
      expect(existsSync(join(folder, 'made.txt'))).toBe(false);
      expect(server.requests).toHaveLength(1);
    });

    it('is told that a call needs no answer any more when the turn is interrupted', async () => {
      writes();
      const program = gnomon('--permission-prompt-tool', 'stdio');
      program.send(user('Make it'));
      const { id } = await asked(program, 'can_use_tool');
      program.send(request('9', { subtype: 'interrupt' }));
      await expect.poll(() => ofType(program, 'control_cancel_request')).toMatchObject([{ request_id: id }]);
      await expect.poll(() => ofType(program, 'result')).toMatchObject([{ subtype: 'error_during_execution' }]);
      program.process.stdin.end();
      await program.end;
    });
  });

  it('can interrupt an answer', async () => {
    const held = gate();
    server.setScript(() => reply().text('I begin.').hold(held));
    const program = gnomon('--include-partial-messages');
    program.send(user('x'));
    await expect.poll(() => program.output).toContain('I begin.');
    program.send(request('1', { subtype: 'interrupt' }));
    await expect.poll(() => ofType(program, 'result')).toMatchObject([{ subtype: 'error_during_execution', terminal_reason: 'aborted' }]);
    held.open();
    program.process.stdin.end();
    await program.end;
  });

  it('gets the mode that is in effect, and an error for one that is not known or not allowed', async () => {
    server.setScript(() => reply().text('Fine.'));
    const program = gnomon();
    const modes = ['acceptEdits', 'auto', 'dontAsk', 'plan', 'bypassPermissions', 'nonsense'];
    program.send(...modes.map((mode) => request(mode, { subtype: 'set_permission_mode', mode })));
    const answers = await Promise.all(modes.map((mode) => answerTo(program, mode)));
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

  it('gets an error of its own for a request that there is not, and junk changes nothing', async () => {
    server.setScript(() => reply().text('Fine.'));
    const program = gnomon();
    program.process.stdin.write('\uFEFF{"type":"keep_alive"}\r\n\nnull\n[1]\nno json\n{"type":"nonsense"}\n');
    program.send({ type: 'control_response', response: { subtype: 'success', request_id: 'nobody', response: {} } });
    program.send(request('1', { subtype: 'nonsense' }), user('x'));
    expect(await answerTo(program, '1')).toMatchObject({ subtype: 'error', error_code: 'unsupported_request' });
    await expect.poll(() => ofType(program, 'result').length).toBe(1);
    program.process.stdin.end();
    expect((await program.end).code).toBe(0);
  });
});
