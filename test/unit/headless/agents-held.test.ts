import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { selected } from '../../support/acp-editor.js';
import { editorHere } from '../../support/acp-here.js';
import { programWithModelHere } from '../../support/entries/program-here.js';
import { calls, givesAway, part, partOf, results, says, type Script, scripts } from '../../support/gives-away.js';
import { messagesIn } from '../../support/headless-program.js';
import { httpError, reply } from '../../support/model-server/index.js';
import { writeAt } from '../../support/temporary-folder.js';

// What the user has set for a chat holds for the agents that it starts, whatever way it was set.

const program = programWithModelHere();
const here = (name: string): string => join(program.folder, name);
const own = (name: string): string => join(program.home, '.claude', name);
const ofAgents = (): readonly string[] => program.server.requests.map(partOf).filter((name) => name !== '');
const saysOf = async (chat: Script, agent: Script, ...args: readonly string[]): Promise<string> => {
  program.server.setScript(scripts(chat, agent));
  return (await program.run(['-p', ...args])).output;
};
const writes = calls('write', { file_path: 'made.txt', content: 'x' });

describe('hooks of the chat', () => {
  const blocks = (matcher: string): string =>
    `hooks:\n  PreToolUse:\n    - matcher: "${matcher}"\n      hooks:\n        - type: command\n          command: "echo Not today >&2; exit 2"\n`;

  it.each([
    ['an agent', '.claude/agents/guard.md', ['Go', '--agent', 'guard']],
    ['a command', '.claude/commands/guard.md', ['/guard']],
    ['a skill', '.claude/skills/guard/SKILL.md', ['/guard']],
  ])('of %s that it works with hold for the agents that it starts', async (_, file, args) => {
    writeAt(here(file), `---\nname: guard\ndescription: Guards.\n${blocks('Write')}---\nYou are guarded.\n`);
    expect(await saysOf(givesAway(part('a')), writes, ...args, '--trust-project', '--permission-mode', 'acceptEdits')).toContain('Not today');
    expect(existsSync(here('made.txt'))).toBe(false);
  });

  it.each(['Agent', 'Task'])('match the start of an agent by the name %s', async (matcher) => {
    writeAt(own('settings.json'), { hooks: { PreToolUse: [{ matcher, hooks: [{ type: 'command', command: 'echo Not today >&2; exit 2' }] }] } });
    expect(await saysOf(givesAway(part('a')), says('Done.'), 'Go')).toContain('Not today');
    expect(ofAgents()).toEqual([]);
  });
});

describe('rules and limits', () => {
  it('name one of two agents that have the same name', async () => {
    const agent = (body: string): string => `---\nname: rev\ndescription: Reviews.\n---\n${body}\n`;
    writeAt(own('agents/rev.md'), agent('Mine.'));
    writeAt(here('.claude/agents/rev.md'), agent('Theirs.'));
    const denied = async (rule: string): Promise<readonly string[]> => {
      const before = ofAgents().length;
      await saysOf(givesAway(part('a', 'user:rev'), part('b', 'rev')), says('Done.'), 'Go', '--trust-project', '--disallowedTools', rule);
      return ofAgents().slice(before);
    };
    expect(await denied('Agent(user:rev)')).toEqual(['PART b']);
    expect(await denied('Agent(rev)')).toEqual(['PART a']);
  });

  it('of the servers that the agent of the chat may use are those of the agents that it starts', async () => {
    const server = { command: process.execPath, args: [resolve(import.meta.dirname, '../../support/mcp/modern-server.mjs')], toolLoading: 'defer' };
    writeAt(own('agents/lim.md'), '---\nname: lim\ndescription: One server.\ntools: Read, Agent, mcp__one__*\n---\nYou are limited.\n');
    writeAt(here('servers.json'), { mcpServers: { one: server, two: server } });
    const adds = (name: string): Script => calls(`mcp__${name}__add`, { a: 20, b: 22 });
    const agent: Script = (request) => adds(partOf(request).slice(5))(request);
    const servers = ['--mcp-config', 'servers.json', '--strict-mcp-config', '--allowedTools', 'mcp__one__add', 'mcp__two__add', '--trust-project'];
    const output = await saysOf(givesAway(part('one'), part('two')), agent, 'Go', ...servers, '--agent', 'lim');
    const [one, two] = output.split(' | ');
    expect(one).toContain('42');
    expect(two).toContain('There is no tool named “mcp__two__add”');
  });

  it('of requests for a message are those of each agent', async () => {
    let round = 0;
    const agent: Script = () => reply().toolCall('read', { file_path: `${(round += 1)}.txt` });
    await saysOf(givesAway(part('a')), agent, 'Go', '--max-turns', '2');
    expect(round).toBe(2);
  });

  it('leave an agent that explores no skills', async () => {
    writeAt(own('skills/deploy/SKILL.md'), '---\nname: deploy\ndescription: Deploys.\nallowed-tools: Write, Bash\n---\nDeploy it.\n');
    await saysOf(givesAway(part('a', 'explore')), says('Done.'), 'Go');
    const agent = program.server.requests.find((request) => partOf(request) !== '');
    expect(agent?.body.tools?.map(({ name }) => name).sort()).toEqual(['glob', 'grep', 'list', 'read']);
  });

  it('are said for fifty agents of a session, also when it goes on later', async () => {
    const many = (name: string): Script => givesAway(...Array.from({ length: 30 }, (_, n) => part(`${name}${n}`)));
    program.server.setScript(scripts(many('a'), says('Done.')));
    const { session_id: id } = JSON.parse((await program.run(['-p', 'Go', '--output-format', 'json'])).output) as { readonly session_id: string };
    const more = many('b');
    const asks: Script = (request) => (JSON.stringify(request.body.messages.at(-1)).includes('More') ? reply().toolCall('list', {}) : more(request));
    let first = true;
    const again: Script = (request) => {
      if (!first) return asks(request);
      first = false;
      return Array.from({ length: 30 }, (_, n) => part(`b${n}`)).reduce<ReturnType<typeof reply>>((all, args) => all.toolCall('agent', args), reply());
    };
    expect(await saysOf(again, says('Done.'), 'More', '--resume', id)).toContain('has started 50 agents');
    expect(ofAgents()).toHaveLength(50);
  });

  it('do not keep work that failed from being given again', async () => {
    let asked = 0;
    const chat: Script = (request) => {
      asked += 1;
      return asked <= 3 ? reply().toolCall('agent', part('a')) : reply().text(results(request).join());
    };
    let failed = 0;
    const agent: Script = () => ((failed += 1) <= 2 ? httpError(400, 'invalid_request_error', 'Not now') : reply().text('Found.'));
    expect(await saysOf(chat, agent, 'Go')).toContain('Found.');
  });
});

describe('answers to what an agent asks', () => {
  it('set the mode of the chat, which is that of all its agents', async () => {
    const agent = calls('write', { file_path: 'one.txt', content: 'x' });
    const chat: Script = (request) => {
      const said = results(request).join();
      if (said === '') return reply().toolCall('agent', part('a'));
      return said.includes('It says') ? reply().toolCall('write', { file_path: 'two.txt', content: 'x' }) : reply().text('Done.');
    };
    program.server.setScript(scripts(chat, agent));
    const run = program.start(['-p', '--input-format', 'stream-json', '--output-format', 'stream-json', '--permission-prompt-tool', 'stdio'], {});
    run.send({ type: 'user', message: { role: 'user', content: 'Go' }, parent_tool_use_id: null });
    const asked = (): readonly Readonly<Record<string, unknown>>[] => messagesIn(run.output).filter(({ type }) => type === 'control_request');
    await expect.poll(() => asked().length).toBe(1);
    const response = { behavior: 'allow', updatedPermissions: [{ type: 'setMode', mode: 'acceptEdits', destination: 'session' }] };
    run.send({ type: 'control_response', response: { subtype: 'success', request_id: asked()[0]?.['request_id'], response } });
    run.process.stdin.end();
    await run.end;
    expect([asked().length, existsSync(here('one.txt')), existsSync(here('two.txt'))]).toEqual([1, true, true]);
  });

  it('of an editor reach the agent that asked, though servers give calls of two agents the same id', async () => {
    const { editor, server, id, folder } = await editorHere();
    const touches: Script = (request) =>
      results(request).length === 0
        ? reply().toolCall('bash', { command: `touch ${partOf(request).slice(5)}.txt` }, { id: 'call_0' })
        : reply().text(results(request).join());
    server.setScript(scripts(givesAway(part('a'), part('b')), touches));
    // Both have to be open before one is answered.
    editor.choose = async ({ toolCall }) => {
      await expect.poll(() => editor.asked.length).toBe(2);
      return selected(toolCall.title === 'touch b.txt' ? 'reject_once' : 'allow_once');
    };
    await editor.prompt(id, 'Go');
    expect(new Set(editor.asked.map(({ toolCall }) => toolCall.toolCallId)).size).toBe(2);
    expect(editor.asked.map(({ toolCall }) => JSON.stringify(toolCall.content)).sort()).toEqual([
      expect.stringContaining('The agent general (Look at a) asks.'),
      expect.stringContaining('The agent general (Look at b) asks.'),
    ]);
    expect([existsSync(join(folder, 'a.txt')), existsSync(join(folder, 'b.txt'))]).toEqual([true, false]);
  });
});
