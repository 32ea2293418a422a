import { describe, expect, it } from 'vitest';
import type { McpReading } from '../../../../src/mcp/config/read-config.js';
import { readConfigFile, readConfigSetting, readDefinedServers } from '../../../../src/mcp/config/read-config.js';
import { effectiveServers } from '../../../../src/mcp/config/effective-servers.js';
import { FOLDER, readServers } from './rig.js';

const A = { command: 'a' };
const B = { command: 'b' };
const project = (servers: object, folder = FOLDER): McpReading => readServers(servers, { file: `${folder}/.mcp.json`, folder });
const vscode = (servers: object): McpReading => readServers(servers, { format: 'vscode', file: `${FOLDER}/.vscode/mcp.json` });
const cursor = (servers: object): McpReading => readServers(servers, { format: 'cursor', file: `${FOLDER}/.cursor/mcp.json` });
const USER = { scope: 'user', format: 'claude', file: '/home/me/.claude.json' } as const;
const user = (servers: object, local: object = {}): McpReading =>
  readConfigFile({ source: USER, display: '~/.claude.json', text: JSON.stringify({ mcpServers: servers, projects: { [FOLDER]: { mcpServers: local } } }) }, [
    FOLDER,
  ]);
const userCursor = (servers: object): McpReading =>
  readConfigFile(
    { source: { scope: 'user', format: 'cursor', file: '/home/me/.cursor/mcp.json' }, display: '', text: JSON.stringify({ mcpServers: servers }) },
    [],
  );
/** The servers that an agent of the workspace defines, or with `scope` one of the user. */
function agent(name: string, servers: Readonly<Record<string, object>>, scope: 'workspace' | 'user' = 'workspace'): McpReading {
  const file = scope === 'user' ? `/home/me/.claude/agents/${name}.md` : `${FOLDER}/.claude/agents/${name}.md`;
  const source = { scope, format: 'claude', file, agents: [name], ...(scope === 'user' ? {} : { folder: FOLDER }) } as const;
  return readDefinedServers(
    Object.entries(servers).map(([server, value], index) => ({ name: server, value, line: index + 4 })),
    'mcpServers',
    source,
  );
}
const setting = (servers: object): McpReading => readConfigSetting(servers, 'gnomon.mcp.servers');

/** What is used, as `id: command from file`, and what is said, as `file key message`, with a `~` where it harms nothing. */
function settled(...readings: readonly McpReading[]): { readonly used: readonly string[]; readonly said: readonly string[] } {
  const { servers, problems } = effectiveServers(readings);
  return {
    used: servers.map(({ id, entry }) => `${id}: ${entry.config.type === 'stdio' ? entry.config.command : ''} from ${entry.source.file}`),
    said: problems
      .filter(({ message }) => !message.startsWith('Rules and'))
      .map(({ file, key, message, harmless }) => `${harmless === true ? '~' : ''}${file} ${key} ${message}`),
  };
}

describe('servers of several files', () => {
  it('that differ in name are all used, in the order of the files', () => {
    expect(settled(project({ a: A }), vscode({ b: B }), user({ c: A })).used).toEqual([
      `a: a from ${FOLDER}/.mcp.json`,
      `b: b from ${FOLDER}/.vscode/mcp.json`,
      'c: a from /home/me/.claude.json',
    ]);
  });

  it('M-34: one name in two files of a workspace is refused in both', () => {
    const { used, said } = settled(project({ db: A, other: A }), vscode({ db: B }));
    expect(used).toEqual([`other: a from ${FOLDER}/.mcp.json`]);
    expect(said).toEqual([
      `${FOLDER}/.vscode/mcp.json db The server “db” in ${FOLDER}/.mcp.json, line 3 has the same name as far as tools and rules are concerned, so neither is used. Rename one of them.`,
      `${FOLDER}/.mcp.json db The server “db” in ${FOLDER}/.vscode/mcp.json, line 3 has the same name as far as tools and rules are concerned, so neither is used. Rename one of them.`,
    ]);
  });

  it('M-34: two names with one id are refused, in one file and in two', () => {
    expect(settled(project({ 'a.b': A, a_b: B })).used).toEqual([]);
    expect(settled(project({ 'a.b': A, a_b: A })).used).toEqual([]);
    expect(settled(project({ 'a.b': A }), cursor({ 'a b': B })).used).toEqual([]);
    expect(settled(user({ 'a.b': A, a__b: B })).used).toEqual([]);
    expect(settled(project({ 'a.b': A, a_b: B })).said).toHaveLength(2);
  });

  it('M-34: of three with one id, none is used, and each says so', () => {
    const { used, said } = settled(project({ db: A }), vscode({ db: B }), cursor({ db: { command: 'c' } }));
    expect(used).toEqual([]);
    expect(said).toHaveLength(3);
  });

  it('M-34: conf-12: a workspace does not get the name of a server of the user, whose rules would be for it', () => {
    const { used, said } = settled(project({ db: A, 'd.b': A }), vscode({ db: B }), user({ db: { command: 'mine' } }));
    expect(used).toEqual([`d_b: a from ${FOLDER}/.mcp.json`, 'db: mine from /home/me/.claude.json']);
    const message =
      'You have a server of this name yourself, in /home/me/.claude.json, line 1. This one is not used, because your permission rules are for yours. Rename it to use it.';
    expect(said).toEqual([`${FOLDER}/.mcp.json db ${message}`, `${FOLDER}/.vscode/mcp.json db ${message}`]);
  });

  it('of one format, the first wins: for this folder before everywhere, and an earlier folder before a later one', () => {
    expect(settled(user({ db: A }, { db: B })).used).toEqual(['db: b from /home/me/.claude.json']);
    const { used, said } = settled(project({ db: A }), project({ db: B }, '/work/second'));
    expect(used).toEqual([`db: a from ${FOLDER}/.mcp.json`]);
    expect(said).toEqual([`/work/second/.mcp.json db The server “db” in ${FOLDER}/.mcp.json, line 3 is used instead of this one.`]);
  });

  it('two files of the user with different servers of one name are refused; the setting decides', () => {
    expect(settled(user({ db: A }), userCursor({ db: B })).used).toEqual([]);
    const { used, said } = settled(user({ db: A }), userCursor({ db: B }), project({ db: A }), setting({ db: { command: 'mine' } }));
    expect(used).toEqual(['db: mine from gnomon.mcp.servers']);
    expect(said).toHaveLength(3);
  });

  it('what is the same in several files is used once, and harms nothing', () => {
    const { used, said } = settled(project({ db: { ...A, timeout: 5_000 } }), vscode({ db: A }), user({ db: A }));
    expect(used).toEqual(['db: a from /home/me/.claude.json']);
    expect(
      said.every((text) => text.startsWith('~') && text.endsWith('This server is the same as the one in /home/me/.claude.json, line 1, which is used.')),
    ).toBe(true);
    expect(said).toHaveLength(2);
  });

  it('what only looks the same is not', () => {
    const cases: readonly (readonly McpReading[])[] = [
      // The variable of one format is another in the other.
      [user({ db: { command: 'a', args: ['${HOME}'] } }), setting({ db: { command: 'a', args: ['${HOME}'] } })],
      // A path in another folder.
      [project({ db: { command: 'node', args: ['./a.js'] } }), project({ db: { command: 'node', args: ['./a.js'] } }, '/work/second')],
      [project({ db: A }), vscode({ db: { ...A, args: ['x'] } })],
      [project({ db: A }), vscode({ db: { ...A, disabled: true } })],
    ];
    for (const readings of cases) expect(settled(...readings).said.some((text) => !text.startsWith('~'))).toBe(true);
  });

  it('an address is the same in every folder', () => {
    const remote = { db: { url: 'https://a.example/mcp' } };
    expect(settled(project(remote), project(remote, '/work/second')).said.every((text) => text.startsWith('~'))).toBe(true);
  });

  it('the setting can switch off what a file has', () => {
    const { servers } = effectiveServers([project({ db: A }), setting({ db: { ...A, disabled: true } })]);
    expect(servers).toMatchObject([{ id: 'db', entry: { disabled: true, source: { file: 'gnomon.mcp.servers' } } }]);
  });

  it('M-53: there are at most 100 altogether', () => {
    const many = (name: string): object => Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`${name}${index}`, A]));
    const { servers, problems } = effectiveServers([project(many('p')), vscode(many('v'))]);
    expect(servers).toHaveLength(100);
    expect(problems).toMatchObject([
      { file: `${FOLDER}/.vscode/mcp.json`, key: 'v40', message: 'There are 120 servers altogether. Only the first 100 are used.' },
    ]);
  });

  it('have the inputs of their own file', () => {
    const inputs = (description: string): object => ({ inputs: [{ type: 'promptString', id: 'key', description }] });
    const one = readServers({ a: { command: '${input:key}' } }, { format: 'vscode' }, inputs('One'));
    const two = readServers({ b: { command: '${input:key}' }, c: A }, { format: 'vscode', folder: '/work/second' }, inputs('Two'));
    expect(effectiveServers([one, two]).servers.map((server) => server.inputs.map(({ description }) => description))).toEqual([['One'], ['Two'], []]);
  });

  it('keep what is wrong with their files', () => {
    expect(effectiveServers([project({ a: { command: 7 } })]).problems).toMatchObject([{ key: 'mcpServers.a.command' }]);
  });

  describe('that agents define', () => {
    it('S-24: take the place of nothing that is configured, and say so', () => {
      expect(settled(agent('reviewer', { db: B, own: A }), project({ db: A }))).toEqual({
        used: [`own: a from ${FOLDER}/.claude/agents/reviewer.md`, `db: a from ${FOLDER}/.mcp.json`],
        said: [
          `${FOLDER}/.claude/agents/reviewer.md db There is a configured server of this name, in ${FOLDER}/.mcp.json, line 3, which the agent gets instead of this one. Rename this one to use it.`,
        ],
      });
      expect(settled(project({ db: A }), agent('mine', { db: B }, 'user')).used).toEqual([`db: a from ${FOLDER}/.mcp.json`]);
      expect(settled(project({ db: { ...A, disabled: true } }), agent('reviewer', { db: B })).used).toEqual([`db: a from ${FOLDER}/.mcp.json`]);
    });

    it('S-24: do not bring servers back that are in conflict, and cause no conflict', () => {
      expect(settled(project({ db: A }), vscode({ db: B }), agent('reviewer', { db: A })).used).toEqual([]);
      expect(settled(project({ db: A }), agent('a', { db: B }), agent('b', { db: { command: 'c' } })).used).toEqual([`db: a from ${FOLDER}/.mcp.json`]);
    });

    it('S-24: are for the first of two agents with different ones, yours before those of a workspace', () => {
      const { servers, problems } = effectiveServers([agent('one', { db: A }), agent('mine', { db: B }, 'user')]);
      expect(servers.map(({ entry }) => [entry.source.agents, entry.config])).toEqual([[['mine'], { type: 'stdio', command: 'b', args: [], env: {} }]]);
      expect(problems.map(({ file, line, message }) => `${file}:${line} ${message}`)).toEqual([
        `${FOLDER}/.claude/agents/one.md:4 The agent “mine” has another server of this name, in /home/me/.claude/agents/mine.md, line 4. This one is not used. Rename it to use it.`,
      ]);
    });

    it('S-24: are one for all agents that define the same', () => {
      const { servers, problems } = effectiveServers([agent('one', { db: A }), agent('two', { db: B }), agent('three', { db: A })]);
      expect(servers.map(({ id, entry }) => [id, entry.source.agents])).toEqual([['db', ['one', 'three']]]);
      expect(problems.map(({ harmless, file }) => [harmless === true, file])).toEqual([
        [true, `${FOLDER}/.claude/agents/three.md`],
        [false, `${FOLDER}/.claude/agents/two.md`],
      ]);
    });
  });
});
