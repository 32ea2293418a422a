import { describe, expect, it } from 'vitest';
import { programWithModelHere } from '../../support/entries/program-here.js';
import type { ProgramEnd } from '../../support/headless-program.js';
import { calls, givesAway, part, partOf, results, says, type Script, scripts as byWhom } from '../../support/gives-away.js';
import { gate, reply } from '../../support/model-server/index.js';

const program = programWithModelHere();
const scripts = (chat: Script, agent: Script): void => program.server.setScript(byWhom(chat, agent));
const gnomon = (...args: readonly string[]): Promise<ProgramEnd> => program.run(args);
const inBackground = (name: string): object => ({ ...part(name), background: true });

describe('an agent in the background', () => {
  it('works while who has started it goes on, and is waited for by its name', async () => {
    const held = gate();
    scripts(
      (request) => {
        const [result = ''] = results(request);
        if (result === '') return reply().toolCall('agent', inBackground('a'));
        if (result.startsWith('agent-1 works in the background')) {
          held.open();
          return reply().toolCall('agents', { action: 'wait', id: 'agent-1' });
        }
        return reply().text(`It found: ${result}`);
      },
      async () => {
        await held.pass();
        return reply().text('The parser is in a.ts.');
      },
    );
    expect((await gnomon('-p', 'Go')).output).toContain('It found: [agent-1]\nThe parser is in a.ts.');
  });

  it('is waited for at the end of a run, which then goes on with what it found', async () => {
    const held = gate();
    scripts(
      (request) => {
        const words = JSON.stringify(request.body.messages.at(-1));
        if (words.includes('have ended')) return reply().toolCall('agents', { action: 'result', id: 'agent-1' });
        const [result = ''] = results(request);
        if (result === '') return reply().toolCall('agent', inBackground('a'));
        if (!result.startsWith('agent-1 works')) return reply().text(`At last: ${result}`);
        held.open();
        return reply().text('Meanwhile.');
      },
      async () => {
        await held.pass();
        return reply().text('Found.');
      },
    );
    const end = await gnomon('-p', 'Go', '--output-format', 'json');
    expect(JSON.parse(end.output)).toMatchObject({ result: 'At last: Found.', is_error: false });
  });

  it('E-31, E-62: is counted in what the run has used, to the token', async () => {
    const held = gate();
    const usage = { input_tokens: 100, output_tokens: 10 };
    scripts(
      (request) => {
        const [result = ''] = results(request);
        if (JSON.stringify(request.body.messages.at(-1)).includes('have ended')) return reply().text('Done.').usage(usage, usage);
        if (result === '') return reply().toolCall('agent', inBackground('a')).usage(usage, usage);
        held.open();
        return reply().text('Meanwhile.').usage(usage, usage);
      },
      async () => {
        await held.pass();
        return reply().text('Found.').usage(usage, usage);
      },
    );
    const end = await gnomon('-p', 'Go', '--output-format', 'json');
    const { usage: used } = JSON.parse(end.output) as { readonly usage: { readonly output_tokens: number; readonly input_tokens: number } };
    expect([program.server.requests.length, used.output_tokens]).toEqual([4, 40]);
  });

  it('has what it was denied told with the result, also where it was denied that while no turn ran', async () => {
    const held = gate();
    scripts(
      (request) => {
        if (JSON.stringify(request.body.messages.at(-1)).includes('have ended')) return reply().text('Done.');
        return results(request).length === 0 ? reply().toolCall('agent', inBackground('a')) : reply().text('Meanwhile.');
      },
      async (request) => {
        await held.pass();
        return calls('write', { file_path: 'made.txt', content: 'x' })(request);
      },
    );
    const run = program.start(['-p', 'Go', '--output-format', 'stream-json'], { input: '' });
    await expect.poll(() => run.output).toContain('Meanwhile.');
    held.open();
    await run.end;
    expect(run.ofType('result')).toMatchObject([{ permission_denials: [{ tool_name: 'Write', agent_type: 'general' }] }]);
  });

  it('can be stopped, and is told of in a list', async () => {
    const held = gate();
    const steps: object[] = [{ action: 'list' }, { action: 'stop', id: 'agent-1' }, { action: 'wait', id: 'agent-1' }, { action: 'list' }];
    const said: string[] = [];
    scripts(
      (request) => {
        said.push(...results(request).slice(-1));
        const next = said.length === 0 ? undefined : steps.shift();
        if (said.length === 0) return reply().toolCall('agent', inBackground('a'));
        return next === undefined ? reply().text('End.') : reply().toolCall('agents', next);
      },
      async () => {
        await held.pass();
        return reply().text('Never.');
      },
    );
    await gnomon('-p', 'Go');
    held.open();
    expect(said[1]).toMatch(/^agent-1 \(general: Look at a\): (pending|running)$/);
    expect(said.slice(2)).toEqual(['agent-1 was stopped.', '[agent-1]\nThe agent was stopped.', 'agent-1 (general: Look at a): cancelled']);
  });
});

describe('an agent that has ended', () => {
  it('goes on with what it is told, and knows what it did', async () => {
    scripts(
      (request) => {
        const [result = ''] = results(request);
        if (result === '') return reply().toolCall('agent', part('a'));
        return result === 'First.' ? reply().toolCall('agent', { description: 'More', prompt: 'And then?', agent_id: 'agent-1' }) : reply().text(result);
      },
      (request) => reply().text(JSON.stringify(request.body.messages).includes('And then?') ? 'Second.' : 'First.'),
    );
    expect((await gnomon('-p', 'Go')).output).toContain('Second.');
    const last = program.server.requests.filter((request) => partOf(request) !== '').at(-1);
    expect(last?.body.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
  });

  it('is named where there is no such agent', async () => {
    scripts(
      (request) =>
        results(request).length === 0
          ? reply().toolCall('agent', { description: 'More', prompt: 'And?', agent_id: 'agent-7' })
          : reply().text(results(request).join()),
      says('Never.'),
    );
    expect((await gnomon('-p', 'Go')).output).toContain('There is no agent “agent-7”. None was started.');
  });
});

describe('the model of an agent', () => {
  const agents = (): readonly string[] => program.server.requests.filter((request) => partOf(request) !== '').map(({ body }) => body.model);

  it('E-60: that only finds things out is a cheaper one of the same provider, which is said, without a question', async () => {
    scripts(givesAway(part('a', 'explore'), part('b')), says('Found.'));
    const { code, errors } = await gnomon('-p', 'Go', '--model', 'anthropic/claude-opus-4-8');
    expect(code).toBe(0);
    expect(agents().toSorted()).toEqual([expect.stringContaining('haiku'), 'claude-opus-4-8']);
    expect(errors).toMatch(/explore: Look at a \(with anthropic\/claude-haiku/);
  });

  it('can be chosen for a call: a more expensive one is asked about, and is not started where nobody can be', async () => {
    scripts(givesAway({ ...part('a'), model: 'anthropic/claude-opus-4-8' }), says('Found.'));
    const { output } = await gnomon('-p', 'Go', '--model', 'anthropic/claude-haiku-4-5');
    expect(output).toMatch(/more expensive/);
    expect(agents()).toEqual([]);
  });

  it('is nobody’s where there is none of that name', async () => {
    scripts(givesAway({ ...part('a'), model: 'nobody/nothing' }), says('Found.'));
    expect((await gnomon('-p', 'Go')).output).toContain('wants the model “nobody/nothing”, which is not there');
  });
});
