import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { methods } from '@agentclientprotocol/sdk';
import { describe, expect, it } from 'vitest';
import { editorHere } from '../../../support/acp-here.js';
import { gate, lastToolResults, lastUserText, reply } from '../../../support/model-server/index.js';

const { session } = methods.agent;

describe('a session', () => {
  it('has the title of its first message, which the editor is told with it and with a session that it opens again', async () => {
    const { editor, server, folder, id } = await editorHere();
    server.setScript(() => reply().text('Fine.'));
    expect(editor.ofKind('session_info_update')).toEqual([]);
    await editor.prompt(id, 'Fix the\nfailing test');
    await editor.prompt(id, 'And now?');
    const told = editor.ofKind('session_info_update', id);
    expect(told.map(({ title }) => title)).toEqual(['Fix the failing test', undefined]);
    expect(told.every(({ updatedAt }) => Number.isFinite(Date.parse(updatedAt ?? '')))).toBe(true);
    await editor.agent.request(session.close, { sessionId: id });
    await editor.agent.request(session.resume, { sessionId: id, cwd: folder });
    await expect.poll(() => editor.ofKind('session_info_update', id).map(({ title }) => title)).toEqual([...told.map(({ title }) => title), told[0]?.title]);
  });

  it('says how full the context window is, and what it has cost', async () => {
    const { editor, server, id } = await editorHere();
    server.setScript(() => reply().text('Fine.').usage({ input_tokens: 1_000, output_tokens: 10 }));
    await editor.prompt(id, 'x');
    const { used = 0, size = 0, cost } = editor.ofKind('usage_update').at(-1) ?? {};
    expect([used > 0, size > used, cost?.currency, (cost?.amount ?? 0) > 0]).toEqual([true, true, 'USD', true]);
  });

  it('that is loaded tells its last plan again', async () => {
    const { editor, server, folder, id } = await editorHere();
    const todos = (status: string): object => ({ todos: [{ text: 'Look', status }] });
    const answers = [reply().toolCall('todo', todos('in_progress')), reply().toolCall('todo', todos('done')), reply().text('Done.')];
    server.setScript((_request, n) => answers[n] ?? reply());
    await editor.prompt(id, 'x');
    const entries = (status: string): object => ({ entries: [{ content: 'Look', priority: 'medium', status }] });
    expect(editor.ofKind('plan')).toMatchObject([entries('in_progress'), entries('completed')]);
    await editor.agent.request(session.close, { sessionId: id });
    await editor.agent.request(session.load, { sessionId: id, cwd: folder, mcpServers: [] });
    expect(editor.ofKind('plan').slice(2)).toMatchObject([entries('completed')]);
  });
});

/** A command of a file of the user. */
function command(home: string, name: string, ...lines: readonly string[]): void {
  mkdirSync(join(home, '.claude', 'commands'), { recursive: true });
  writeFileSync(join(home, '.claude', 'commands', `${name}.md`), lines.join('\n'));
}

describe('commands', () => {
  it('are named once the editor knows the session, behind the answer that names it, and again when there are others', async () => {
    const { editor, home, folder, id } = await editorHere();
    command(home, 'review', '---', 'description: Reviews', 'argument-hint: "[file]"', '---', 'Review $ARGUMENTS by @guide.md');
    const { sessionId } = await editor.agent.request(session.new, { cwd: folder, mcpServers: [] });
    const named = (of: string): readonly unknown[] => editor.ofKind('available_commands_update', of).at(-1)?.availableCommands ?? [];
    const review = { name: 'review', description: 'Reviews', input: { hint: '[file]' } };
    await expect.poll(() => named(sessionId)).toMatchObject([{ name: 'compact', input: { hint: '[what to keep]' } }, review]);
    await expect.poll(() => named(id)).toContainEqual(review);
    const lines = editor.received.split('\n');
    expect(lines.findIndex((line) => line.includes('available_commands_update'))).toBeGreaterThan(lines.findIndex((line) => line.includes('"configOptions"')));
  });

  it('of files are carried out with what they mention; one that there is not is an error, and a file that is linked is attached', async () => {
    const { editor, server, home, folder, id } = await editorHere();
    server.setScript(() => reply().text('Fine.'));
    writeFileSync(join(folder, 'guide.md'), 'The rules of this house\n');
    command(home, 'review', 'Review $ARGUMENTS by @guide.md');
    expect(await editor.prompt(id, '/review src/a.ts')).toBe('end_turn');
    const said = (): string =>
      server.requests
        .slice(-1)
        .map(({ body }) => lastUserText(body))
        .join('');
    expect(said()).toContain('Review src/a.ts by @guide.md');
    expect(said()).toContain('The rules of this house');
    await expect(editor.prompt(id, '/reviews')).rejects.toThrow('/review');
    expect(server.requests).toHaveLength(1);
    const other = (await editor.agent.request(session.new, { cwd: folder, mcpServers: [] })).sessionId;
    const link = { type: 'resource_link' as const, name: 'guide.md', uri: pathToFileURL(join(folder, 'guide.md')).href };
    await editor.agent.request(session.prompt, { sessionId: other, prompt: [{ type: 'text', text: 'Look at ' }, link] });
    expect(said()).toMatch(/The rules of this house[^]*Look at @guide\.md/);
  });
});

describe('the command that summarizes', () => {
  it('summarizes as it says, and tells of it in the way that the editor has for it', async () => {
    const { editor, server, id } = await editorHere({ session: { compaction: {} } });
    server.setScript(({ raw }, n) => reply().text(raw.includes('the port number') ? 'A summary.' : `Answer ${n}. `.repeat(2_000)));
    await editor.prompt(id, 'one');
    await editor.prompt(id, 'two');
    expect(await editor.prompt(id, '/compact the port number')).toBe('end_turn');
    expect(editor.ofKind('compaction_update').map(({ status }) => status)).toEqual(['in_progress', 'completed']);
    await editor.prompt(id, 'three');
    const last = server.requests.at(-1)?.raw ?? '';
    expect([last.includes('A summary.'), last.includes('Answer 0.')]).toEqual([true, false]);
  });

  it('is told of in words elsewhere, also where there is nothing to summarize or it fails, and is stopped as a message is', async () => {
    const { editor, server, id } = await editorHere();
    expect(await editor.prompt(id, '/compact')).toBe('end_turn');
    expect(editor.words('agent_message_chunk')).toContain('Nothing to compact yet.');
    expect(server.requests).toEqual([]);
    server.setScript(() => reply().text('Fine. '.repeat(2_000)));
    await editor.prompt(id, 'one');
    await editor.prompt(id, 'two');
    const held = gate();
    server.setScript(() => reply().text('A').hold(held).text(' summary.'));
    const prompt = editor.prompt(id, '/compact');
    await held.reached;
    await editor.agent.notify(session.cancel, { sessionId: id });
    expect(await prompt).toBe('cancelled');
    held.open();
    server.setScript(() => reply().text('A summary.'));
    const before = editor.words('agent_message_chunk').length;
    expect(await editor.prompt(id, '/compact')).toBe('end_turn');
    expect(editor.words('agent_message_chunk').slice(before)).toMatch(/\d+ tokens became \d+/);
  });

  it('is only what a message begins with', async () => {
    const { editor, server, id } = await editorHere();
    server.setScript(({ body }) => reply().text(`You said ${lastUserText(body).trim().split('\n').at(-1) ?? ''}`));
    await editor.prompt(id, ' /compact');
    await editor.prompt(id, 'Run /compact');
    expect(editor.words('agent_message_chunk')).toBe('You said /compactYou said Run /compact');
  });
});

describe('a deleted session', () => {
  it('is listed no more and cannot be loaded, open or not; one that there is not is deleted without a word', async () => {
    const { editor, server, folder, id } = await editorHere();
    server.setScript(() => reply().text('Fine.'));
    await editor.prompt(id, 'x');
    const other = (await editor.agent.request(session.new, { cwd: folder, mcpServers: [] })).sessionId;
    await editor.prompt(other, 'y');
    const listed = async (): Promise<readonly string[]> =>
      (await editor.agent.request(session.list, { cwd: folder })).sessions.map(({ sessionId }) => sessionId);
    expect((await listed()).toSorted()).toEqual([id, other].toSorted());
    await editor.agent.request(session.close, { sessionId: other });
    for (const sessionId of [id, other, other, 'nobody', '../nobody']) expect(await editor.agent.request(session.delete, { sessionId })).toEqual({});
    expect(await listed()).toEqual([]);
    await expect(editor.prompt(id, 'z')).rejects.toMatchObject({ code: -32002 });
    await expect(editor.agent.request(session.load, { sessionId: other, cwd: folder, mcpServers: [] })).rejects.toMatchObject({ code: -32002 });
  });
});

describe('servers of the editor', () => {
  it('are the only ones beside those of the command line where it says so', async () => {
    const modern = { command: process.execPath, args: [resolve('test/support/mcp/modern-server.mjs')], env: [] };
    const { editor, server, folder, home } = await editorHere({}, '--strict-mcp-config', '--allowedTools', 'mcp__brought__add');
    const own = JSON.stringify({ mcpServers: { own: { command: modern.command, args: modern.args } } });
    writeFileSync(join(home, '.claude.json'), own);
    writeFileSync(join(folder, '.mcp.json'), own);
    server.setScript(({ body }) => (lastToolResults(body).length === 0 ? reply().toolCall('mcp__brought__add', { a: 1, b: 2 }) : reply().text('Three.')));
    const { sessionId } = await editor.agent.request(session.new, { cwd: folder, mcpServers: [{ name: 'brought', ...modern }] });
    expect(await editor.prompt(sessionId, 'Add')).toBe('end_turn');
    expect(server.requests[0]?.raw).toContain('mcp__brought__add');
    expect(server.requests[0]?.raw).not.toContain('mcp__own');
    expect(JSON.stringify(server.requests[1]?.body)).toMatch(/\\n3\\n|"3"|text":"3/);
    expect(readFileSync(join(folder, '.mcp.json'), 'utf8')).toBe(own);
  });
});
