import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { programWithModel, type RunningProgram } from '../../support/headless-program.js';
import { gate, lastUserText, reply } from '../../support/model-server/index.js';
import { running } from '../../support/running-processes.js';

const program = programWithModel();
const BEGINNING = 'the beginning of it';

/** Whether a text is in a file of a session, finished or journal. */
function isStored(text: string): boolean {
  const data = join(program.home, 'data');
  const names = existsSync(data) ? readdirSync(data, { recursive: true, encoding: 'utf8' }) : [];
  return names.some((name) => /sessions.*\.jsonl?$/.test(name) && readFileSync(join(data, name), 'utf8').includes(text));
}

/** Ends the program as a power failure would. */
async function kill({ process, end }: RunningProgram): Promise<void> {
  process.kill('SIGKILL');
  expect((await end).code).toBeNull();
}

describe('a program that is killed by kill -9', () => {
  it('keeps a partial answer, which the next one goes on with', async () => {
    const hold = gate();
    program.server.setScript(({ body }) =>
      lastUserText(body).includes('Go on') ? reply().text('And this is the rest.') : reply().text('This is ', `${BEGINNING} `, hold, 'never seen'),
    );
    const first = program.start(['-p', 'Tell me about the end'], { input: '' });
    await expect.poll(() => isStored(BEGINNING)).toBe(true);
    await kill(first);
    hold.open();
    expect(await program.run(['-p', 'Go on', '--continue'])).toMatchObject({ code: 0, output: 'And this is the rest.\n' });
    const latest = program.server.requests.at(-1);
    const messages = JSON.stringify(latest?.body.messages);
    expect(latest?.problem).toBeUndefined();
    expect([messages.split('Tell me about the end').length, messages.includes(BEGINNING), messages.includes('never seen')]).toEqual([2, true, false]);
  });

  it('asks again for nothing that it asked, and runs nothing of it: the model is told', async () => {
    program.server.setScript(({ body }) =>
      lastUserText(body).includes('What') ? reply().text('It was never run.') : reply().toolCall('bash', { command: 'touch never-made' }),
    );
    const protocol = ['--output-format', 'stream-json', '--verbose', '--input-format', 'stream-json', '--permission-prompt-tool', 'stdio'];
    const first = program.start(protocol);
    first.send({ type: 'user', message: { role: 'user', content: 'Make a file' }, parent_tool_use_id: null, session_id: '' });
    await first.asked('can_use_tool');
    await kill(first);
    const next = program.start([...protocol, '--continue']);
    next.send({ type: 'user', message: { role: 'user', content: 'What happened?' }, parent_tool_use_id: null, session_id: '' });
    await expect.poll(() => next.ofType('result')).toMatchObject([{ subtype: 'success', result: 'It was never run.' }]);
    next.process.stdin.end();
    await next.end;
    expect(next.ofType('control_request')).toEqual([]);
    const latest = program.server.requests.at(-1);
    expect(latest?.problem).toBeUndefined();
    expect(JSON.stringify(latest?.body.messages)).toMatch(/Cancelled|not run again/);
    expect(existsSync(join(program.folder, 'never-made'))).toBe(false);
  });

  it('leaves no command running that no sandbox holds, with what left its group', async () => {
    const [group, left] = [join(program.folder, 'group'), join(program.folder, 'left')];
    const command = 'sleep 300 & setsid sleep 301 & echo $! > left; echo $$ $PPID > group; wait';
    program.server.setScript(() => reply().toolCall('bash', { command }));
    const run = program.start(['-p', 'Run it', '--permission-mode', 'bypassPermissions'], { input: '', sandbox: false });
    const numbers = (path: string): readonly number[] => (existsSync(path) ? readFileSync(path, 'utf8').trim().split(' ').map(Number) : []);
    await expect.poll(() => numbers(group).length, { timeout: 20_000 }).toBe(2);
    const [shell = 0, host = 0] = numbers(group);
    const pids = [shell, ...numbers(left)];
    expect(running([...pids, host])).toHaveLength(3);
    process.kill(host, 'SIGKILL');
    await run.end;
    await expect.poll(() => running(pids), { timeout: 10_000 }).toEqual([]);
  });
});
