import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { query } from '../../../src/headless/library/index.js';
import { programWithModelHere } from '../../support/entries/program-here.js';
import { environmentOf, headlessProgram, messagesIn, type ProgramEnd } from '../../support/headless-program.js';
import { lastToolResults, reply } from '../../support/model-server/index.js';
import { writeAt } from '../../support/temporary-folder.js';

const program = programWithModelHere();
const { path } = headlessProgram();
const SERVER = join(import.meta.dirname, '../../support/mcp/modern-server.mjs');
const CANARY = 'canary-value-of-a-key';

const VARIABLES = { SERVER_FILE: SERVER, KEY: CANARY };
const gnomon = (...args: readonly string[]): Promise<ProgramEnd> => program.run(['-p', 'x', ...args], { env: VARIABLES });
describe('settings of the command line', () => {
  it('deny what a trusted project allows, and hold for that run alone', async () => {
    writeAt(join(program.folder, '.claude', 'settings.json'), { permissions: { allow: ['Edit'] } });
    program.server.setScript(({ body }) =>
      lastToolResults(body).length === 0 ? reply().toolCall('write', { file_path: 'made.txt', content: 'made\n' }) : reply().text('Done.'),
    );
    const settings = JSON.stringify({ permissions: { deny: ['Edit(made.txt)'], defaultMode: 'acceptEdits' }, systemPromptAddition: 'SAID BY A FLAG' });
    const denied = await gnomon('--trust-project', '--settings', settings, '--output-format', 'stream-json');
    expect(messagesIn(denied.output)[0]).toMatchObject({ subtype: 'init', permissionMode: 'acceptEdits' });
    expect(JSON.stringify(program.server.requests[1]?.body)).toContain('Edit(made.txt)');
    expect(program.server.requests[0]?.raw).toContain('SAID BY A FLAG');
    const { errors } = await gnomon('--continue', '--permission-mode', 'acceptEdits');
    expect(errors).toContain('made.txt: created');
    expect(program.server.requests.at(-1)?.raw).not.toContain('SAID BY A FLAG');
  });

  it('that cannot be followed end the run before anything is sent, in every form of output', async () => {
    const sandbox = JSON.stringify({ sandbox: { enabled: true, failIfUnavailable: true } });
    const asText = await gnomon('--settings', sandbox);
    expect(asText).toMatchObject({ code: 2, output: '', errors: expect.stringContaining('“sandbox”') as string });
    const asLines = await gnomon('--mcp-config', 'none.json', '--output-format', 'stream-json', '--setting-sources', '');
    expect(asLines.code).toBe(2);
    expect(messagesIn(asLines.output)).toMatchObject([{ type: 'result', is_error: true, errors: [expect.stringContaining('no such file')] }]);
    expect(program.server.requests).toEqual([]);
    const forEditor = await program.runWithout(['acp', '--settings', sandbox]);
    expect(forEditor).toMatchObject({ code: 2, output: '', errors: expect.stringContaining('“sandbox”') as string });
    expect(readdirSync(program.home)).toEqual([]);
  });
});

describe('sources that are left out', () => {
  it('bring nothing, whatever is trusted', async () => {
    const hooks = (name: string): object => ({ SessionStart: [{ hooks: [{ type: 'command', command: `touch ${join(program.folder, name)}` }] }] });
    writeAt(join(program.folder, '.claude', 'settings.json'), { hooks: hooks('canary-project'), systemPromptAddition: 'CANARY PROJECT' });
    writeAt(join(program.home, '.claude', 'settings.json'), { hooks: hooks('canary-user') });
    writeAt(join(program.home, '.gnomon', 'settings.json'), { systemPromptAddition: 'CANARY USER' });
    writeFileSync(join(program.folder, 'CLAUDE.md'), 'CANARY INSTRUCTIONS');
    program.server.setScript(() => reply().text('Fine.'));
    expect((await gnomon('--trust-project', '--setting-sources', '')).code).toBe(0);
    expect(readdirSync(program.folder).sort()).toEqual(['.claude', 'CLAUDE.md']);
    expect(program.server.requests[0]?.raw).not.toContain('CANARY');
    await gnomon('--trust-project', '--setting-sources', 'user');
    expect(readdirSync(program.folder)).toContain('canary-user');
    expect(program.server.requests[1]?.raw).toContain('CANARY USER');
    expect(program.server.requests[1]?.raw).not.toMatch(/CANARY (PROJECT|INSTRUCTIONS)/);
  });
});

describe('servers of the command line', () => {
  const servers = { mcpServers: { mine: { command: process.execPath, args: ['${SERVER_FILE}'], env: { TOKEN: '${KEY}', OTHER: 'canary-written-down' } } } };

  it('start without an approval, alone where that is said, and are gone in the next run', async () => {
    writeAt(join(program.folder, '.mcp.json'), { mcpServers: { spy: { command: 'touch', args: [join(program.folder, 'canary-server')] } } });
    writeAt(join(program.folder, 'servers.json'), servers);
    program.server.setScript(({ body }) => (lastToolResults(body).length === 0 ? reply().toolCall('mcp__mine__add', { a: 1, b: 2 }) : reply().text('Done.')));
    const strict = ['--mcp-config', 'servers.json', '--strict-mcp-config', '--trust-project', '--allowedTools', 'mcp__mine__add'];
    const end = await gnomon('--output-format', 'stream-json', ...strict);
    expect(messagesIn(end.output)[0]).toMatchObject({ subtype: 'init', mcp_servers: [{ name: 'mine' }] });
    expect(program.results).toEqual([expect.stringMatching(/\n3\n/)]);
    expect(end.output + end.errors).not.toContain('canary');
    expect(readdirSync(program.folder).sort()).toEqual(['.mcp.json', 'servers.json']);
    const next = await gnomon('--output-format', 'stream-json', '--continue');
    expect(messagesIn(next.output)[0]).toMatchObject({ mcp_servers: [expect.objectContaining({ name: 'spy' })] });
  });

  it('of the library reach the program, as its settings and sources do', async () => {
    program.server.setScript(() => reply().text('Fine.'));
    const options = {
      ...servers,
      cliPath: path('gnomon.js'),
      strictMcpConfig: true,
      settings: { systemPromptAddition: 'SAID BY A FLAG' },
      settingSources: [],
      cwd: program.folder,
    };
    const messages: unknown[] = [];
    const model = 'anthropic/claude-sonnet-5-5';
    for await (const message of query({ prompt: 'x', options: { ...options, model, env: environmentOf(program.home, { ...program.env, ...VARIABLES }) } }))
      messages.push(message);
    expect(messages[0]).toMatchObject({ type: 'system', subtype: 'init', mcp_servers: [{ name: 'mine' }] });
    expect(messages.at(-1)).toMatchObject({ type: 'result', is_error: false });
    expect(program.server.requests[0]?.raw).toContain('SAID BY A FLAG');
    expect(program.server.requests[0]?.raw).toContain('mcp__mine__add');
    expect(JSON.stringify(messages)).not.toContain('canary');
  });
});
