import { describe, expect, it } from 'vitest';
import { type ConsentChange, acceptTools, approve, judgeConsent } from '../../../../src/mcp/consent/consent.js';
import { consentFor, MCP_CONSENTS, withConsent } from '../../../../src/mcp/consent/consent-store.js';
import { changedTools } from '../../../../src/mcp/consent/tool-fingerprint.js';
import { describeEntry } from '../../../../src/mcp/consent/describe-entry.js';
import { importPreview } from '../../../../src/mcp/consent/import-preview.js';
import { MemoryApprovals } from '../../../support/memory-approvals.js';
import { FOLDER, configFile, entryOf } from '../config/rig.js';
import { effective, tool } from './rig.js';

const SERVER = { command: 'node', args: ['./server.js', '--port', '80'], env: { REGION: 'eu' } };
const SCRIPT = { path: 'server.js', sha256: 'a'.repeat(64) };

/** What is said of an entry after another form of it was approved. */
function change(before: object, after: object, environments: readonly Readonly<Record<string, string>>[] = [{}, {}]): ConsentChange | string {
  const [then, now] = environments;
  const approved = approve(effective(entryOf(before), { environment: then ?? {} }), 1);
  return judgeConsent(effective(entryOf(after), { environment: now ?? {} }), approved);
}

/** The lines of the one side that are not on the other. */
function lines(verdict: ConsentChange | string): readonly string[] {
  if (typeof verdict === 'string') return [verdict];
  const [before, after] = [verdict.before.split('\n'), verdict.after.split('\n')];
  return [
    ...before.filter((line) => !after.includes(line)).map((line) => `-${line}`),
    ...after.filter((line) => !before.includes(line)).map((line) => `+${line}`),
  ];
}

describe('an approval', () => {
  it('M-30: is needed for what was never approved', () => {
    expect(judgeConsent(effective(entryOf(SERVER)), undefined)).toBe('new');
  });

  it('M-31: stays while everything is as it was, also where the file is written in another way', () => {
    expect(change(SERVER, SERVER)).toBe('approved');
    expect(change(SERVER, { env: { REGION: 'eu' }, args: SERVER.args, command: 'node', type: 'stdio', disabled: true })).toBe('approved');
    expect(change({ url: 'https://a.example' }, { type: 'http', url: 'https://a.example', headers: {} })).toBe('approved');
  });

  it('M-31: conf-03: does not cover another argument, and shows both', () => {
    const verdict = change(SERVER, { ...SERVER, args: ['./server.js', '--port', '443'] });
    expect(verdict).toMatchObject({ changed: ['args'] });
    expect(lines(verdict)).toEqual(['-args[2]: "80"', '+args[2]: "443"']);
  });

  it.each([
    ['command', { ...SERVER, command: 'deno' }],
    ['args', { ...SERVER, args: ['./server.js', '--port 80'] }],
    ['args', { ...SERVER, args: ['./server.js', '--port', '80', ''] }],
    ['args', { ...SERVER, args: ['--port', './server.js', '80'] }],
    ['env', { ...SERVER, env: { REGION: 'us' } }],
    ['env', { ...SERVER, env: { REGION: 'eu', NODE_OPTIONS: '--require ./evil.js' } }],
    ['cwd', { ...SERVER, cwd: 'elsewhere' }],
    ['envFile', { ...SERVER, envFile: '.env' }],
    ['options', { ...SERVER, alwaysLoad: true }],
    ['options', { ...SERVER, timeout: 5_000 }],
  ] as const)('M-31: conf-03: does not cover a change of %s: %j', (part, after) => {
    const verdict = change(SERVER, after);
    expect(verdict).toMatchObject({ changed: [part] });
    expect(lines(verdict).length).toBeGreaterThan(0);
  });

  it.each([
    ['url', { url: 'https://b.example' }],
    ['headers', { url: 'https://a.example', headers: { 'X-A': 'b' } }],
    ['oauth', { url: 'https://a.example', oauth: { clientId: 'a' } }],
    ['type', { type: 'sse', url: 'https://a.example' }],
  ] as const)('M-31: conf-03: of a remote server does not cover a change of %s', (part, after) => {
    expect(change({ url: 'https://a.example' }, after)).toMatchObject({ changed: [part] });
  });

  it('M-31: conf-03: does not cover a script in the workspace that has changed, has come, or is a link now', () => {
    const entry = entryOf(SERVER);
    const approved = approve(effective(entry, { files: [SCRIPT] }), 1);
    expect(judgeConsent(effective(entry, { files: [SCRIPT] }), approved)).toBe('approved');
    const changed = judgeConsent(effective(entry, { files: [{ path: 'server.js', sha256: 'b'.repeat(64) }] }), approved);
    expect(changed).toMatchObject({ changed: ['files'] });
    expect(lines(changed)).toEqual([`-file "server.js": SHA-256 ${'a'.repeat(64)}`, `+file "server.js": SHA-256 ${'b'.repeat(64)}`]);
    for (const files of [[], [SCRIPT, { path: 'more.js', sha256: 'c' }], [{ path: 'server.js', leadsTo: '/etc/x' }], [{ path: 'server.js', tooLarge: 7 }]]) {
      expect(judgeConsent(effective(entry, { files }), approved)).toMatchObject({ changed: ['files'] });
    }
  });

  it('M-31: does not depend on the order in which files were found', () => {
    const more = { path: 'a.js', sha256: 'c' };
    const entry = entryOf(SERVER);
    expect(judgeConsent(effective(entry, { files: [SCRIPT, more] }), approve(effective(entry, { files: [more, SCRIPT] }), 1))).toBe('approved');
  });

  it('M-31: does not cover other contents of a file with variables', () => {
    const entry = entryOf({ ...SERVER, envFile: '.env' });
    const approved = approve(effective(entry, { envFile: { path: '.env', sha256: 'a' } }), 1);
    expect(judgeConsent(effective(entry, { envFile: { path: '.env', sha256: 'b' } }), approved)).toMatchObject({ changed: ['envFile'] });
    expect(judgeConsent(effective(entry), approved)).toMatchObject({ changed: ['envFile'] });
  });

  it('does not cover another value of a variable that decides what runs, and never shows it', () => {
    const server = { command: '${TOOL}', args: ['${API_KEY}'] };
    const verdict = change(server, server, [
      { TOOL: '/opt/good', API_KEY: 'canary-one-1' },
      { TOOL: '/opt/evil', API_KEY: 'canary-two-2' },
    ]);
    expect(verdict).toMatchObject({ changed: ['variables'] });
    expect(lines(verdict).map((line) => line.replace(/#[0-9a-f]{6}$/, '#…'))).toEqual([
      '-${API_KEY}: ••• #…',
      '-${TOOL}: ••• #…',
      '+${API_KEY}: ••• #…',
      '+${TOOL}: ••• #…',
    ]);
    expect(JSON.stringify(verdict)).not.toMatch(/canary|\/opt/);
    expect(change(server, server, [{ TOOL: 'a', API_KEY: 'b' }, { TOOL: 'a' }])).toMatchObject({ changed: ['variables'] });
    expect(change({ url: 'https://${HOST}' }, { url: 'https://${HOST}' }, [{ HOST: 'a' }, { HOST: 'b' }])).toMatchObject({ changed: ['variables'] });
  });

  it('covers other values of variables in the environment and in headers: credentials change by themselves', () => {
    const server = { command: 'x', env: { KEY: '${API_KEY}' } };
    expect(change(server, server, [{ API_KEY: 'a' }, { API_KEY: 'b' }])).toBe('approved');
    const remote = { url: 'https://a.example', headers: { Authorization: 'Bearer ${API_KEY}' } };
    expect(change(remote, remote, [{ API_KEY: 'a' }, {}])).toBe('approved');
    expect(change(server, { command: 'x', env: { KEY: '${ANOTHER_KEY}' } })).toMatchObject({ changed: ['env'] });
  });

  it('conf-22: of the environment, nothing is in what there is before an approval', () => {
    const environment = { ANTHROPIC_API_KEY: 'canary-key', OTHER: 'canary-other' };
    const servers = [
      { url: 'https://a.example/${ANTHROPIC_API_KEY}', headers: { Authorization: 'Bearer ${ANTHROPIC_API_KEY}', B: '${MISSING}' } },
      { command: '${OTHER}', args: ['--key', '${ANTHROPIC_API_KEY}'], env: { KEY: '${ANTHROPIC_API_KEY}' }, cwd: '${OTHER}' },
    ];
    for (const server of servers) {
      const entry = entryOf(server);
      const seen = [
        entry,
        describeEntry(entry),
        effective(entry, { environment }),
        importPreview([configFile(JSON.stringify({ mcpServers: { db: server } }))], [FOLDER], []),
      ];
      expect(JSON.stringify(seen)).not.toContain('canary');
      expect(JSON.stringify(seen)).toContain('ANTHROPIC_API_KEY');
    }
  });

  it('is for one file, one name, and the folder', () => {
    const approved = approve(effective(entryOf(SERVER)), 1);
    for (const over of [{ file: '/other/.mcp.json' }, { name: 'other' }, { folder: '/other' }])
      expect(judgeConsent(effective(entryOf(SERVER, over)), approved)).toBe('new');
  });

  it('of a server of the user holds in every workspace, unless it runs a script of one', () => {
    const { format, file } = entryOf(SERVER).source;
    const entry = { ...entryOf(SERVER), source: { format, file, scope: 'user' as const } };
    expect(effective(entry, { folder: '/a' }).key).toEqual(effective(entry, { folder: '/b' }).key);
    expect(effective(entry, { folder: '/a', files: [SCRIPT] }).key).toMatchObject({ folder: '/a' });
  });

  it('M-32: shows hidden characters, and hides credentials', () => {
    const { text } = effective(
      entryOf({ command: 'x', args: ['a\u202eb', 'c\u00a0d', '\u001b[2K', 'e\nf'], env: { API_KEY: 'canary-literal', TOKEN: '${TOKEN}', REGION: 'eu' } }),
    );
    expect(text.split('\n')).toEqual([
      'type: stdio',
      'command: "x"',
      'args[0]: "a\\u{202e}b"',
      'args[1]: "c\\u{a0}d"',
      'args[2]: "\\u001b[2K"',
      'args[3]: "e\\nf"',
      expect.stringMatching(/^env\.API_KEY: ••• #[0-9a-f]{6}$/),
      'env.REGION: "eu"',
      'env.TOKEN: "${TOKEN}"',
    ]);
    const remote = effective(
      entryOf({
        url: 'https://a.example',
        headers: { Authorization: 'Bearer canary', 'X-Key': '${A:-canary}' },
        oauth: { clientId: 'me', clientSecret: 'canary' },
      }),
    ).text;
    expect(remote).not.toContain('canary');
    expect(remote).toContain('oauth.clientId: "me"');
  });

  it('shows sides that differ, also where what has changed looks the same', () => {
    const verdict = change({ ...SERVER, args: ['a\u202eb'] }, { ...SERVER, args: ['a\\u{202e}b'] });
    const [before, after] = typeof verdict === 'string' ? [] : [verdict.before, verdict.after];
    expect(before).not.toBe(after);
    const approved = { ...approve(effective(entryOf(SERVER)), 1), text: effective(entryOf({ ...SERVER, command: 'deno' })).text };
    const same = judgeConsent(effective(entryOf({ ...SERVER, command: 'deno' })), approved);
    expect(typeof same === 'string' ? '' : same.before).toContain('SHA-256');
    expect(typeof same === 'string' || same.before === same.after).toBe(false);
  });

  it('keeps the tools that were accepted, as these have fingerprints of their own', () => {
    const first = acceptTools(approve(effective(entryOf(SERVER)), 1), [tool()]);
    const second = approve(effective(entryOf({ ...SERVER, command: 'deno' })), 2, first);
    expect(changedTools(second.tools, [tool()])).toEqual([]);
    expect(second.approvedAt).toBe(2);
  });

  it('remembers a tool that is gone, so that it cannot come back changed', () => {
    const consent = acceptTools(acceptTools(approve(effective(entryOf(SERVER)), 1), [tool()]), [tool({ name: 'other' })]);
    expect(changedTools(consent.tools, [tool({ description: 'Now evil.' })]).map(({ name, change: what }) => `${name} ${what}`)).toEqual([
      'search changed',
      'other gone',
    ]);
  });

  it('remembers 500 tools', () => {
    const many = Array.from({ length: 1_000 }, (_, index) => tool({ name: `t${index}` }));
    const { tools } = acceptTools(approve(effective(entryOf(SERVER)), 1), many);
    expect(tools).toHaveLength(500);
    expect(changedTools(tools, many)).toHaveLength(500);
  });
});

describe('the store of approvals', () => {
  it('keeps, replaces, lists, and revokes them', async () => {
    const store = new MemoryApprovals().of(MCP_CONSENTS);
    const entry = effective(entryOf(SERVER));
    await store.change((all) => withConsent(all, entry, 1));
    await store.change((all) => withConsent(all, effective(entryOf(SERVER, { name: 'other' })), 2));
    await store.change((all) => withConsent(all, entry, 3).map((each) => (each.key.name === 'db' ? acceptTools(each, [tool()]) : each)));
    expect(store.list().map(({ key, approvedAt }) => `${key.name} ${approvedAt}`)).toEqual(['db 3', 'other 2']);
    expect(judgeConsent(entry, consentFor(store.list(), entry.key))).toBe('approved');
    await store.change((all) => all.filter(({ key }) => key.name !== 'db'));
    expect(judgeConsent(entry, consentFor(store.list(), entry.key))).toBe('new');
    expect(store.list()).toHaveLength(1);
  });

  it('keeps 200, the newest', async () => {
    const store = new MemoryApprovals().of(MCP_CONSENTS);
    for (let at = 1; at <= 205; at += 1) await store.change((all) => withConsent(all, effective(entryOf(SERVER, { name: `s${at}` })), at));
    expect(store.list()).toHaveLength(200);
    expect(store.list().at(-1)?.approvedAt).toBe(6);
  });

  it('leaves out what is none', () => {
    const good = approve(effective(entryOf(SERVER)), 1);
    const bad = [
      null,
      7,
      'x',
      [],
      {},
      { 0: good },
      { ...good, hash: 1 },
      { ...good, key: { file: 'a' } },
      { ...good, tools: [{ name: 'a' }] },
      { ...good, approvedAt: 'x' },
      { ...good, parts: { command: 1 } },
      { ...good, key: { ...good.key, folder: 3 } },
    ];
    const approvals = new MemoryApprovals();
    approvals.put(MCP_CONSENTS, ...bad, good);
    expect(approvals.of(MCP_CONSENTS).list()).toEqual([good]);
  });

  it('M-31: gives nothing away: no value of the environment is in it', async () => {
    const approvals = new MemoryApprovals();
    const entry = effective(entryOf({ command: 'x', args: ['${KEY}'], env: { A: '${KEY}', PASSWORD: 'canary-2' } }), { environment: { KEY: 'canary-1' } });
    await approvals.of(MCP_CONSENTS).change((all) => withConsent(all, entry, 1));
    expect(JSON.stringify(approvals.content)).not.toContain('canary');
    expect(JSON.stringify(approvals.content)).toContain(`${FOLDER}/claude.json`);
  });
});
