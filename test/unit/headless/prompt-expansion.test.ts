import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { programWithModelHere } from '../../support/entries/program-here.js';
import { messagesIn, type ProgramEnd, type WireMessage } from '../../support/headless-program.js';
import { lastUserText, reply } from '../../support/model-server/index.js';
import { writeAt } from '../../support/temporary-folder.js';

const program = programWithModelHere();

beforeEach(() => program.server.setScript(() => reply().text('Fine.')));

const file = (path: string, ...lines: readonly string[]): void => writeAt(path, `${lines.join('\n')}\n`);
const command = (root: string, name: string, ...lines: readonly string[]): void => file(join(root, '.claude', 'commands', `${name}.md`), ...lines);

const gnomon = (args: readonly string[], input = ''): Promise<ProgramEnd> => program.run(args, { input });
/** The text of the last message of the user, in the last request. */
const said = (): string =>
  program.server.requests
    .slice(-1)
    .map(({ body }) => lastUserText(body))
    .join('');
const results = ({ output }: ProgramEnd): readonly WireMessage[] => messagesIn(output).filter(({ type }) => type === 'result');

describe('a command of a file', () => {
  it('is expanded, with its arguments, with what stands in a pipe behind them, and with the files that it mentions', async () => {
    file(join(program.folder, 'guide.md'), 'The rules of this house');
    command(program.home, 'review', '---', 'description: Reviews', '---', 'Review $ARGUMENTS by @guide.md');
    expect(await gnomon(['-p', '/review src/a.ts'], 'a hunk with @guide.md and /review in it')).toMatchObject({ code: 0, output: 'Fine.\n', errors: '' });
    expect(said()).toContain('Review src/a.ts\n\na hunk with @guide.md and /review in it by @guide.md');
    expect(said().match(/The rules of this house/g)).toHaveLength(1);
  });

  it('of a repository is there only for those who trust it', async () => {
    command(program.folder, 'deploy', 'Deploy it');
    const untrusted = await gnomon(['-p', '/deploy', '--output-format', 'stream-json']);
    expect(untrusted.code).toBe(1);
    expect(results(untrusted)).toMatchObject([{ subtype: 'error_during_execution', errors: [untrusted.errors.split('\n')[0]] }]);
    expect(new Set(messagesIn(untrusted.output).map(({ session_id: id }) => id))).not.toContain('');
    expect(untrusted.errors).toContain(
      'This folder is not trusted, so its command /deploy (.claude/commands/deploy.md) is not used. If you trust it, add --trust-project.',
    );
    expect(program.server.requests).toEqual([]);
    expect(await gnomon(['-p', '/deploy', '--trust-project'])).toMatchObject({ code: 0 });
    expect(said()).toContain('Deploy it');
  });

  it('runs its command lines as calls: what would be asked about stops it, with the reason', async () => {
    command(program.home, 'status', 'The state is !`echo of-the-shell > made.txt; cat made.txt` now');
    const denied = await gnomon(['-p', '/status']);
    expect([denied.code, program.server.requests]).toEqual([1, []]);
    expect(denied.errors).toContain('echo of-the-shell');
    expect(await gnomon(['-p', '/status', '--allowedTools', 'Bash(echo:*),Bash(cat:*),Edit(made.txt)'])).toMatchObject({ code: 0 });
    expect(said()).toContain('The state is of-the-shell');
  });

  it('gets none of the rules that it asks for before they were approved, and says so', async () => {
    command(program.home, 'tidy', '---', 'allowed-tools: Bash(touch:*)', '---', 'Tidy up');
    expect((await gnomon(['-p', '/tidy'])).errors).toContain('The rules of tidy, a command of yours, wait for your approval and do not count: Bash(touch:*).');
  });

  it('says which values are missing', async () => {
    file(join(program.home, '.config', 'Code', 'User', 'prompts', 'ask.prompt.md'), 'Say ${input:what} to ${input:whom}');
    file(join(program.folder, '.github', 'prompts', 'ask.prompt.md'), 'Say ${input:what} to ${input:whom}');
    expect((await gnomon(['-p', '/ask hello', '--trust-project'])).errors).toBe('/ask needs values behind it, in this order: whom.\n');
    expect(program.server.requests).toEqual([]);
    expect((await gnomon(['-p', '/ask hello you', '--trust-project'])).code).toBe(0);
    expect(said()).toContain('Say hello to you');
  });
});

describe('other words at the start of a prompt', () => {
  it('activate a skill', async () => {
    file(
      join(program.home, '.claude', 'skills', 'notes', 'SKILL.md'),
      '---',
      'name: notes',
      'description: Writes notes',
      '---',
      'Write the notes about $ARGUMENTS.',
    );
    // Names that others have: they are offered as they are run.
    file(join(program.home, '.claude', 'skills', 'model', 'SKILL.md'), '---', 'name: model', 'description: Makes models', '---', 'Make one.');
    command(program.home, 'clear', 'Clear it');
    command(program.home, 'review', 'Review it');
    const run = await gnomon(['-p', '/notes 1.2', '--output-format', 'stream-json']);
    expect(messagesIn(run.output)[0]).toMatchObject({
      subtype: 'init',
      slash_commands: ['compact', 'user:model', 'notes', 'review', 'user:clear'],
      skills: ['user:model', 'notes'],
    });
    expect([run.code, run.errors]).toEqual([0, '']);
    expect(said()).toContain('Write the notes about 1.2.');
  });

  it('name a skill of a folder that is not trusted: it is not used, and what to do is said; any other name is unknown', async () => {
    file(join(program.folder, '.claude', 'skills', 'Ship', 'SKILL.md'), '---', 'name: ship', 'description: Ships', '---', 'Ship it.');
    const untrusted = await gnomon(['-p', '/ship 1.2']);
    expect([untrusted.code, untrusted.output, program.server.requests]).toEqual([1, '', []]);
    expect(untrusted.errors).toContain(
      'This folder is not trusted, so its skill /ship (.claude/skills/Ship/SKILL.md) is not used. If you trust it, add --trust-project.',
    );
    expect((await gnomon(['-p', '/shop'])).errors).toContain('Unknown command /shop.');
  });

  it('get a prompt of a server, and what is mentioned of its resources', async () => {
    const servers = JSON.stringify({
      mcpServers: { notes: { command: process.execPath, args: [join(import.meta.dirname, '../../support/mcp/modern-server.mjs')] } },
    });
    expect(await gnomon(['-p', '/notes:greet Ada', '--mcp-config', servers])).toMatchObject({ code: 0, errors: '' });
    expect(said()).toContain('Greet Ada.');
    expect((await gnomon(['-p', '/notes:greet', '--mcp-config', servers])).errors).toBe('/notes:greet needs values behind it: who.\n');
    expect(await gnomon(['-p', 'What is in @notes:note://one ?', '--mcp-config', servers])).toMatchObject({ code: 0 });
    expect(said()).toContain('first note');
  });

  it('are an error where there is no such command, and say how to send them as they are', async () => {
    const { code, errors } = await gnomon(['-p', '/reviw it']);
    expect([code, errors]).toEqual([1, 'Unknown command /reviw. To send this as a message, put a space in front of it.\n']);
    expect((await gnomon(['-p', '/model opus'])).errors).toContain('Choose it with --model.');
    expect(program.server.requests).toEqual([]);
    await gnomon(['-p', ' /reviw it']);
    await gnomon(['-p', '/usr/bin is large']);
    expect(program.server.requests.map(({ body }) => lastUserText(body))).toEqual([
      expect.stringContaining(' /reviw it'),
      expect.stringContaining('/usr/bin is large'),
    ]);
  });

  it('K-18: summarize a conversation that goes on, and are paid for', async () => {
    program.server.setScript(() => reply().text('x '.repeat(4_000)));
    for (const [words, ...more] of [['The first'], ['The second', '--continue'], ['The third', '--continue']]) await gnomon(['-p', String(words), ...more]);
    program.server.setScript(() =>
      reply()
        .text('They talked about x.')
        .usage({ input_tokens: 10, cache_creation_input_tokens: 500, cache_creation: { ephemeral_1h_input_tokens: 400 } }),
    );
    const summarized = await gnomon(['-p', '/compact keep the x', '--continue', '--output-format', 'stream-json']);
    const [init, boundary, result] = messagesIn(summarized.output);
    expect([init, boundary, result].map((message) => `${String(message?.['type'])} ${String(message?.['subtype'])}`)).toEqual([
      'system init',
      'system compact_boundary',
      'result success',
    ]);
    expect(boundary).toMatchObject({ compact_metadata: { trigger: 'manual' } });
    expect(program.server.requests.at(-1)?.raw).toContain('keep the x');
    expect(result?.['total_cost_usd']).toBeGreaterThan(0);
    expect(result).toMatchObject({
      usage: { cache_creation_input_tokens: 500, cache_creation: { ephemeral_5m_input_tokens: 100, ephemeral_1h_input_tokens: 400 } },
      modelUsage: { 'anthropic/claude-sonnet-5-5': { cacheCreationInputTokens: 500, cacheCreationEphemeral1hInputTokens: 400 } },
    });
    await gnomon(['-p', 'Go on', '--continue']);
    expect(program.server.requests.at(-1)?.raw).toContain('They talked about x.');
    expect(program.server.requests.at(-1)?.raw).not.toContain('The first');
  });

  it('fail to summarize what is too short', async () => {
    const { code, errors } = await gnomon(['-p', '/compact']);
    expect([code, errors, program.server.requests]).toEqual([1, expect.stringMatching(/\S/), []]);
  });
});

describe('what is mentioned behind an @', () => {
  it('is attached, but for what may not be shown: secrets, other folders, and what a rule of this run denies', async () => {
    file(join(program.folder, 'a.txt'), 'text of a');
    file(join(program.folder, 'b.txt'), 'text of b');
    file(join(program.folder, '.env'), 'PASSWORD=canary-in-env');
    file(join(program.home, 'private.txt'), 'canary-at-home');
    await gnomon(['-p', `Compare @a.txt @b.txt @.env @${join(program.home, 'private.txt')}`, '--disallowedTools', 'Read(b.txt)']);
    expect(said()).toContain('text of a');
    for (const hidden of ['text of b', 'canary-in-env', 'canary-at-home']) expect(program.server.requests[0]?.raw).not.toContain(hidden);
  });

  it('is not looked for in a pipe, which is data; without a prompt, the pipe is the prompt', async () => {
    file(join(program.folder, 'a.txt'), 'text of a');
    await gnomon(['-p', 'Explain'], '@a.txt\n');
    expect(said()).not.toContain('text of a');
    await gnomon([], '@a.txt\n');
    expect(said()).toContain('text of a');
  });
});
