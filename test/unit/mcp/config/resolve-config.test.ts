import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { McpFileFormat } from '../../../../src/domain/mcp/config.js';
import { type ResolvedConfig, type UnresolvedConfig, type VariableValues, resolveConfig, withEnvFile } from '../../../../src/mcp/config/resolve-config.js';
import { parseTemplate } from '../../../../src/mcp/config/template.js';
import { inputsOf } from '../../../../src/mcp/config/used-inputs.js';
import { FOLDER, entryOf, shown, values } from './rig.js';

const ENVIRONMENT = { HOME: '/home/me', TOKEN: 's3cret-token-value', NESTED: '${TOKEN} ${env:TOKEN} ${input:key}', EMPTY: '', PORT: '8080' };

function resolved(server: object, format: McpFileFormat, over: Partial<VariableValues> = {}): ResolvedConfig | UnresolvedConfig {
  const inputs = [{ type: 'promptString', id: 'key', description: 'Key', password: true }];
  const entry = entryOf(server, { format, inputs });
  const declared = [{ id: 'key', description: 'Key', password: true }];
  return resolveConfig(entry, inputsOf(entry, declared), values({ environment: ENVIRONMENT, ...over }));
}

/** The only argument of a server as its process gets it, or what is wrong. */
function argument(arg: string, format: McpFileFormat, over: Partial<VariableValues> = {}): string {
  const result = resolved({ command: 'x', args: [arg] }, format, over);
  if (!('config' in result)) return [...shown(result.problems), ...result.missing.map(({ id }) => `asks for ${id}`)].join('; ');
  return result.config.type === 'stdio' ? (result.config.args[0] ?? '') : '';
}

describe('variables', () => {
  it.each([
    ['claude', '${TOKEN}', 's3cret-token-value'],
    ['claude', 'a${PORT}b${PORT}c', 'a8080b8080c'],
    ['claude', '${MISSING:-other}', 'other'],
    ['claude', '${MISSING:-}', ''],
    ['claude', '${MISSING:-a:-b}', 'a:-b'],
    ['claude', '${EMPTY:-other}', ''],
    ['claude', '$TOKEN $(TOKEN) %TOKEN% {TOKEN}', '$TOKEN $(TOKEN) %TOKEN% {TOKEN}'],
    ['vscode', '${env:TOKEN}', 's3cret-token-value'],
    ['vscode', '${workspaceFolder}/a', `${FOLDER}/a`],
    ['vscode', '${workspaceFolder:second}', '/work/second'],
    ['vscode', '${workspaceFolderBasename}', 'project'],
    ['vscode', '${workspaceFolderBasename:second}', 'second'],
    ['vscode', '${userHome}', '/home/me'],
    ['vscode', '${pathSeparator}${/}', '//'],
    ['vscode', '${input:key}', 'typed'],
    ['cursor', '${env:PORT}${userHome}${/}', '8080/home/me/'],
    ['cursor', '${workspaceFolder} ${workspaceFolderBasename}', `${FOLDER} project`],
    ['gnomon', '${PORT} ${env:PORT} ${MISSING:-x} ${userHome} ${input:key} ${workspaceFolder}', `8080 8080 x /home/me typed ${FOLDER}`],
  ] as const)('of %s: %s', (format, written, value) => {
    const folders = [
      { path: FOLDER, name: 'project' },
      { path: '/work/second', name: 'second' },
    ];
    expect(argument(written, format, { inputs: new Map([['key', 'typed']]), folders })).toBe(value);
  });

  it('are the folders of their own entry, in every folder', () => {
    const entry = entryOf({ command: '${workspaceFolder}/run', cwd: 'sub', envFile: '.env' }, { format: 'vscode', folder: '/work/second' });
    const folders = [
      { path: FOLDER, name: 'project' },
      { path: '/work/second', name: 'second' },
    ];
    expect(resolveConfig(entry, [], values({ folders }))).toMatchObject({
      config: { command: '/work/second/run', cwd: '/work/second/sub', envFile: '/work/second/.env' },
    });
  });

  it('on Windows, names of variables have no case, and paths have backslashes', () => {
    expect(argument('${env:path}${/}', 'vscode', { environment: { Path: 'C:' }, platform: 'win32' })).toBe('C:\\');
    expect(argument('${env:home}', 'vscode')).toContain('home is not set');
  });

  it.each([
    ['claude', '${MISSING}', 'db.args[0]:4 The variable MISSING is not set in the environment of VS Code. Set it, and restart VS Code.'],
    ['claude', '${workspaceFolder}', 'db.args[0]:4 The variable workspaceFolder is not set in the environment of VS Code. Set it, and restart VS Code.'],
    ['claude', '${constructor}', 'db.args[0]:4 The variable constructor is not set in the environment of VS Code. Set it, and restart VS Code.'],
    ['claude', '${__proto__}', 'db.args[0]:4 The variable __proto__ is not set in the environment of VS Code. Set it, and restart VS Code.'],
    ['vscode', '${env:MISSING}', 'db.args[0]:4 The variable MISSING is not set in the environment of VS Code. Set it, and restart VS Code.'],
    ['vscode', '${workspaceFolder:third}', 'db.args[0]:4 There is no workspace folder called “third”.'],
    ['vscode', '${input:key}', 'asks for key'],
  ] as const)('M-51: of %s without a value, %s, keep the server from starting', (format, written, said) => {
    expect(argument(written, format).replace(/:\d+ /, ':4 ')).toBe(said);
  });

  it('M-51: of a folder, while none is open', () => {
    expect(argument('${workspaceFolder}', 'vscode', { folders: [] })).toContain('The entry needs a workspace folder, and none is open.');
  });

  it.each([
    ['claude', '${A:-${A}}'],
    ['claude', '${A:-${B:-${A:-x}}}'],
    ['gnomon', '${env:${A}}'],
    ['claude', '${'],
    ['claude', '${A'],
    ['claude', '${}'],
    ['claude', '${1}'],
    ['claude', '${A-b}'],
    ['claude', '${A:=b}'],
    ['claude', '${ A }'],
    ['claude', '${input:key}'],
    ['vscode', '${A}'],
    ['vscode', '${config:editor.fontSize}'],
    ['vscode', '${command:evil.run}'],
    ['vscode', '${env:}'],
    ['vscode', '${userHome:x}'],
    ['cursor', '${input:key}'],
    ['cursor', '${A:-b}'],
  ] as const)('M-51: of %s as %s are a problem before anything is replaced', (format, written) => {
    expect(parseTemplate(written, format)).toHaveProperty('problem');
  });

  it('M-51: are replaced once: a value is not looked at again', () => {
    expect(argument('${NESTED}', 'gnomon')).toBe('${TOKEN} ${env:TOKEN} ${input:key}');
    expect(argument('${input:key}', 'vscode', { inputs: new Map([['key', '${env:TOKEN}']]) })).toBe('${env:TOKEN}');
    // Halves of a variable on both sides of a value do not become one.
    expect(argument('${DOLLAR}{TOKEN}', 'claude', { environment: { DOLLAR: '$', TOKEN: 'x' } })).toBe('${TOKEN}');
  });

  it('a template without variables is the text itself, and no text takes long', () => {
    fc.assert(
      fc.property(fc.string(), fc.constantFrom('claude', 'vscode', 'cursor', 'gnomon'), (text, format) => {
        const template = parseTemplate(text, format);
        expect(text.includes('${') || (Array.isArray(template) && template.join('') === text)).toBe(true);
      }),
    );
    const long = '${A:-'.repeat(100_000);
    expect(parseTemplate(long, 'claude')).toHaveProperty('problem');
    const many = '${A}'.repeat(20_000);
    expect(parseTemplate(many, 'claude')).toHaveLength(20_000);
  });
});

describe('what comes out', () => {
  it('has everything replaced, in a process', () => {
    const result = resolved({ command: '${HOME}/bin/run', args: ['a'], env: { A: '${TOKEN}', B: 'b' }, cwd: '${HOME}' }, 'claude');
    expect(result).toMatchObject({
      config: { type: 'stdio', command: '/home/me/bin/run', args: ['a'], env: { A: 's3cret-token-value', B: 'b' }, cwd: '/home/me' },
    });
  });

  it('has everything replaced, in an address', () => {
    const result = resolved(
      {
        url: 'http://localhost:${PORT}/mcp',
        headers: { Authorization: 'Bearer ${TOKEN}' },
        oauth: { clientId: '${PORT}', clientSecret: '${TOKEN}', scopes: ['a'] },
      },
      'claude',
    );
    expect(result).toMatchObject({
      config: {
        type: 'http',
        url: 'http://localhost:8080/mcp',
        headers: { Authorization: 'Bearer s3cret-token-value' },
        oauth: { clientId: '8080', clientSecret: 's3cret-token-value', scopes: ['a'] },
      },
    });
  });

  it('of a server of another program is nothing to replace', () => {
    expect(resolved({ type: 'sdk', name: '${TOKEN}' }, 'claude')).toEqual({ config: { type: 'sdk', name: '${TOKEN}' }, secrets: [] });
  });

  it.each([
    [{ command: '${VALUE}' }, '', 'command:- The command is empty.'],
    [{ command: '${VALUE}' }, 'rm -rf x', 'command:- The command must be a program alone. Put what follows it into “args”.'],
    [{ command: 'x', args: ['${VALUE}'] }, 'a\0b', 'args[0]:- The value contains a null character.'],
    [{ url: '${VALUE}' }, 'file:///etc/passwd', 'url:- The address must begin with https:// or http://.'],
    [{ url: 'https://${VALUE}a.example' }, 'me:pass@', 'url:- The address contains a user name or password. Put it into a header instead.'],
    [{ url: 'https://a.example', headers: { A: '${VALUE}' } }, 'a\r\nHost: b', 'headers.A:- The value contains characters that no header can have.'],
  ])('M-51: is looked at again: %j with %j', (server, value, problem) => {
    const result = resolved(server, 'claude', { environment: { VALUE: value } });
    expect('problems' in result ? shown(result.problems).map((text) => text.replace(/^db\./, '').replace(/:\d+ /, ':- ')) : []).toEqual([problem]);
  });

  it('M-38: names what must not be seen: values of the environment and of inputs, headers, and what looks like a credential', () => {
    const process = resolved(
      {
        command: 'x',
        args: ['--port=${env:PORT}', '${env:HOME}', '${env:TOKEN}', '${input:key}'],
        env: { API_KEY: 'literal-key', REGION: 'eu-central', KEY_FILE: '/etc/key' },
      },
      'vscode',
      { inputs: new Map([['key', 'typed-in']]) },
    );
    expect('secrets' in process && [...process.secrets].sort()).toEqual(['8080', 'literal-key', 's3cret-token-value', 'typed-in']);
    const remote = resolved(
      { url: 'https://a.example', headers: { Authorization: 'Bearer abc-def', 'X-Team': 'core' }, oauth: { clientSecret: 'shh-secret' } },
      'claude',
    );
    expect('secrets' in remote && [...remote.secrets].sort()).toEqual(['Bearer abc-def', 'abc-def', 'core', 'shh-secret']);
  });

  it('gets the variables of a file, which those of the entry overrule', () => {
    const result = resolved({ command: 'x', env: { A: 'entry' }, envFile: '.env' }, 'claude');
    if (!('config' in result)) throw new Error('It should have been resolved.');
    const merged = withEnvFile(result, { A: 'file', B: '${TOKEN}', DB_PASSWORD: 'hunter2hunter2' });
    expect(merged).toEqual({
      config: { type: 'stdio', command: 'x', args: [], env: { A: 'entry', B: '${TOKEN}', DB_PASSWORD: 'hunter2hunter2' } },
      secrets: ['hunter2hunter2'],
    });
  });
});
