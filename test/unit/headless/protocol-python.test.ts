import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { headlessProgram, type Run } from '../../support/headless-program.js';
import { gate, lastToolResults, reply, resultText } from '../../support/model-server/index.js';
import { type Answers, PythonLikeClient } from '../../support/python-like-client.js';
import { type Driven, drivenHere, drivenProgram, ended, type Message, request, results, user } from '../../support/protocol-rig.js';

const driven = drivenHere();
/** A process, where the end of its input and long lines go through pipes. */
const piped = drivenProgram();
const { run } = headlessProgram();
const client = (args: readonly string[] = [], answers: Answers = {}, by: Driven<Run> = driven): PythonLikeClient => new PythonLikeClient(by, args, answers);
const outcomes = (messages: readonly Message[]): readonly unknown[] =>
  messages.filter(({ type }) => type === 'result').map(({ subtype, result }) => (subtype === 'success' ? result : subtype));
const writes = (): void => driven.calls('write', { file_path: 'made.txt', content: 'made\n' });
const made = (): boolean => existsSync(driven.inFolder('made.txt'));
const told = (): string => driven.server.requests.map(({ body }) => lastToolResults(body).map(resultText).join('')).join('');

describe('K-02: a client that does as the Agent SDK for Python does', () => {
  it('asks for the version first, and gets nothing but that', async () => {
    expect(await run(['-v'], { folder: driven.folder, home: driven.home })).toEqual({
      code: 0,
      output: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) as string,
      errors: '',
    });
  });

  it('ends its input right behind the prompt, and gets the whole of a long answer', async () => {
    piped.says('x'.repeat(900_000));
    const python = client([], {}, piped);
    const messages = await python.all('Say much');
    expect([messages[0]?.['subtype'], outcomes(messages), await python.exit]).toEqual(['init', ['x'.repeat(900_000)], 0]);
  });

  it('is never given a line that it breaks on: longer texts are cut, and a result that is too long is an error', async () => {
    const long = `${'"\\é'.repeat(400_000)}end`;
    writeFileSync(piped.inFolder('long.txt'), long);
    piped.server.setScript(({ body }) =>
      lastToolResults(body).length === 0 ? reply().toolCall('write', { file_path: 'copy.txt', content: long }) : reply().text(long),
    );
    const messages = await client(['--permission-mode', 'acceptEdits'], {}, piped).all('Copy it');
    expect(readFileSync(piped.inFolder('copy.txt'), 'utf8')).toBe(long);
    expect(messages.map(({ type, subtype }) => subtype ?? type)).toEqual(['init', 'assistant', 'user', 'assistant', 'error_during_execution']);
    expect(JSON.stringify(messages[1])).toContain('more characters are left out here');
    expect(JSON.stringify(messages.at(-1))).toContain('longer than a line may be');
  });

  it('gets what would be asked about denied where it has ended its input', async () => {
    writes();
    const messages = await client(['--permission-prompt-tool', 'stdio']).all('Make it');
    expect([outcomes(messages), made()]).toEqual([['error_during_execution'], false]);
  });

  it('talks: each message has its result, and it is asked, and sets the mode and the model, between them', async () => {
    writes();
    const asked: Message[] = [];
    const answers: Answers = {
      can_use_tool: (body) => {
        asked.push(body);
        return asked.length === 1 ? { behavior: 'deny', message: 'Not yet.' } : { behavior: 'allow', updatedInput: body['input'] };
      },
    };
    const python = client(['--permission-prompt-tool', 'stdio'], answers);
    expect(await python.initialize()).toMatchObject({ commands: [{ name: 'compact' }] });
    python.say('Make it');
    expect([outcomes(await python.response()), made()]).toEqual([['Done.'], false]);
    expect(told()).toContain('Not yet.');
    python.say('Make it now');
    expect([outcomes(await python.response()), made(), asked.length]).toEqual([['Done.'], true, 2]);
    expect(await python.request({ subtype: 'set_permission_mode', mode: 'auto' })).toEqual({ mode: 'default' });
    await python.request({ subtype: 'set_model', model: 'anthropic/claude-haiku-4-5' });
    await expect(python.request({ subtype: 'set_permission_mode', mode: 'nonsense' })).rejects.toThrow('“nonsense”');
    driven.echoes();
    python.say('last');
    expect(outcomes(await python.response())).toEqual(['You said last.']);
    expect(driven.server.requests.at(-1)?.body.model).toBe('claude-haiku-4-5');
    python.endInput();
    expect(await python.exit).toBe(0);
  });

  it('guards by a hook without a matcher', async () => {
    driven.calls('write', { file_path: 'made.txt', content: 'made\n' });
    const denied = { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: 'Not today.' } };
    const python = client(['--permission-mode', 'acceptEdits'], { hook_callback: () => denied });
    await python.initialize({ hooks: { PreToolUse: [{ matcher: null, hookCallbackIds: ['hook_0'] }] } });
    python.say('Make it');
    expect([outcomes(await python.response()), made()]).toEqual([['Done.'], false]);
    expect(told()).toContain('Not today.');
    python.endInput();
    expect(await python.exit).toBe(0);
  });

  it('interrupts an answer, and goes on', async () => {
    const held = gate();
    driven.server.setScript((_request, n) => (n === 0 ? reply().text('I begin.').hold(held) : reply().text('Fine.')));
    const python = client();
    await python.initialize();
    python.say('one');
    await driven.server.request(0);
    await python.request({ subtype: 'interrupt' });
    expect(outcomes(await python.response())).toEqual(['error_during_execution']);
    held.open();
    python.say('two');
    expect(outcomes(await python.response())).toEqual(['Fine.']);
    python.endInput();
    expect(await python.exit).toBe(0);
  });

  it('goes on with a session, within its limits', async () => {
    driven.echoes();
    const [first] = (await client().all('first')).slice(-1);
    const again = await client(['--resume', String(first?.['session_id'])]).all('second');
    expect([outcomes(again), again.at(-1)?.['session_id']]).toEqual([['You said second.'], first?.['session_id']]);
    writes();
    expect(outcomes(await client(['--max-turns', '1', '--permission-mode', 'acceptEdits']).all('Make it'))).toEqual(['error_max_turns']);
  });

  it('hears why it is refused, and the program ends', async () => {
    const python = client();
    await expect(python.initialize({ agents: { a: { description: 'd', prompt: 'p' } } })).rejects.toThrow('“agents”');
    expect(await python.exit).toBe(2);
  });
});

describe('what a program writes', () => {
  it('may come in pieces of any size, with a byte-order mark, CRLF, empty lines, and bare scalars between', async () => {
    driven.echoes();
    const program = driven.drive();
    const lines = ['\uFEFF', JSON.stringify(request('1', { subtype: 'initialize' })), '', 'null', '7', '"text"', JSON.stringify(user('Grüße, 世界 🙂')), ''];
    const bytes = Buffer.from(lines.join('\r\n'));
    for (let at = 0; at < bytes.length; at += 3) program.process.stdin.write(bytes.subarray(at, at + 3));
    expect(await results(program)).toMatchObject([{ result: 'You said Grüße, 世界 🙂.' }]);
    await ended(program);
    expect(program.errors.match(/A line is no JSON object/g)).toHaveLength(3);
  });

  it('may be a message of more than a million characters, in one line without a line break at its end', async () => {
    piped.says('Fine.');
    const program = piped.drive();
    const long = 'long '.repeat(240_000);
    program.process.stdin.end(JSON.stringify(user(long)));
    expect((await program.end).code).toBe(0);
    expect(program.ofType('result')).toMatchObject([{ result: 'Fine.' }]);
    expect(piped.server.requests[0]?.raw).toContain(long.trim());
  });

  it('K-06: may be answers that nobody waits for, twice the same answer, and requests of one id: control frames are no messages', async () => {
    driven.says('Fine.');
    const program = driven.drive();
    const answer = { type: 'control_response', response: { subtype: 'success', request_id: 'nobody', response: {} } };
    const same = request('same', { subtype: 'get_context_usage' });
    program.send(answer, answer, { type: 'control_response' }, { type: 'control_cancel_request', request_id: 'nobody' }, same, same, user('x'));
    expect(await results(program)).toMatchObject([{ subtype: 'success' }]);
    expect((await ended(program)).code).toBe(0);
    const types = new Set(program.messages.map(({ type }) => type));
    expect([...types].sort()).toEqual(['assistant', 'control_response', 'result', 'system']);
  });
});
