import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readConfigFile, readConfigSetting } from '../../../../src/mcp/config/read-config.js';
import { serverId } from '../../../../src/domain/mcp/tool-name.js';
import { FOLDER, configFile, entryOf, readServers, shown } from './rig.js';
import { anyCharacter } from '../../../support/any-character.js';

/** A server that nothing is wrong with, to see that others do not harm it. */
const GOOD = { command: 'node', args: ['good.js'] };

/** Reads a bad server beside a good one; the good one must stay. Returns what is said of the bad one, without its place. */
function complaints(bad: unknown, format: 'claude' | 'vscode' | 'cursor' = 'claude'): readonly string[] {
  const { entries, problems } = readServers({ bad, good: GOOD }, { format });
  expect(entries.some(({ name }) => name === 'good')).toBe(true);
  expect(problems.every(({ file, line }) => file === `${FOLDER}/${format}.json` && line !== undefined)).toBe(true);
  const isUsed = entries.some(({ name }) => name === 'bad');
  expect(problems.every(({ harmless }) => harmless === true)).toBe(isUsed);
  return problems.map(({ key, message }) => `${key}: ${message}`);
}

describe('servers of every type', () => {
  it('M-03: stdio', () => {
    expect(
      entryOf({
        type: 'stdio',
        command: 'npx',
        args: ['-y', 'pkg@1.2.3'],
        env: { A: '${A}' },
        cwd: 'sub',
        envFile: '.env',
        timeout: 60_000,
        alwaysLoad: true,
        disabled: true,
      }),
    ).toEqual({
      name: 'db',
      source: { scope: 'workspace', format: 'claude', file: `${FOLDER}/claude.json`, folder: FOLDER, line: 4 },
      config: { type: 'stdio', command: 'npx', args: ['-y', 'pkg@1.2.3'], env: { A: '${A}' }, cwd: 'sub', envFile: '.env' },
      timeoutMs: 60_000,
      alwaysLoad: true,
      disabled: true,
    });
  });

  it.each(['http', 'sse'] as const)('M-03: %s, with headers and a client that is registered', (type) => {
    const { config } = entryOf({
      type,
      url: 'https://mcp.example.com/v1',
      headers: { 'X-Team': 'a' },
      oauth: { clientId: 'id', clientSecret: 's', scopes: 'read write' },
    });
    expect(config).toEqual({
      type,
      url: 'https://mcp.example.com/v1',
      headers: { 'X-Team': 'a' },
      oauth: { clientId: 'id', clientSecret: 's', scopes: ['read', 'write'] },
    });
  });

  it('M-03: sdk, of which nothing alive gets into the configuration', () => {
    const { entries, problems } = readServers({ own: { type: 'sdk', name: 'own-server', instance: { connect: 1 } } });
    expect(entries[0]?.config).toEqual({ type: 'sdk', name: 'own-server' });
    expect(shown(problems)).toEqual(['~mcpServers.own.instance:6 Gnomon does not know the key “instance” and ignores it.']);
  });

  it('M-03: a type that is left out is that of what there is', () => {
    expect(entryOf({ command: 'node' }).config).toEqual({ type: 'stdio', command: 'node', args: [], env: {} });
    expect(entryOf({ url: 'https://a.example' }).config).toEqual({ type: 'http', url: 'https://a.example', headers: {} });
  });

  it('the name that the specification has for http', () => {
    expect(entryOf({ type: 'streamable-http', url: 'https://a.example' }).config.type).toBe('http');
  });

  it('M-03: what Cursor calls auth', () => {
    const auth = { CLIENT_ID: '${env:ID}', CLIENT_SECRET: '${env:SECRET}', scopes: ['a', 'b'] };
    expect(entryOf({ url: 'https://a.example', auth }, { format: 'cursor' }).config).toMatchObject({
      oauth: { clientId: '${env:ID}', clientSecret: '${env:SECRET}', scopes: ['a', 'b'] },
    });
  });

  it.each(['ws', 'grpc', 'STDIO', 'http ', '__proto__', 'constructor', ''])('M-03: the unknown type %j is an error that names file, key, and line', (type) => {
    const { entries, problems } = readServers({ bad: { type, command: 'x', url: 'https://a.example' }, good: GOOD });
    expect(entries.map(({ name }) => name)).toEqual(['good']);
    expect(problems).toMatchObject([{ file: `${FOLDER}/claude.json`, key: 'mcpServers.bad.type', line: 4 }]);
    expect(problems[0]?.message).toContain('Possible types are stdio, sse, http, sdk.');
  });

  it.each([[7], [null], [['stdio']], [{ a: 1 }]])('M-03: the type %j is one as well', (type) => {
    expect(complaints({ type, command: 'x' })[0]).toMatch(/^mcpServers\.bad\.type: Gnomon does not know the type “(?:number|null|array|object)”/);
  });
});

describe('files that are no good as a whole', () => {
  it.each([
    ['{ "mcpServers": { "a": { "command": "x" } ', ':1 The file is not valid JSON: a closing bracket is missing.'],
    ['{\n  "mcpServers": {\n    "a": { "command" "x" }\n  }\n}', ':3 The file is not valid JSON: a colon is missing.'],
    ['{\n  "a": 1\n  "b": 2\n}', ':3 The file is not valid JSON: a comma is missing.'],
    ['{ "mcpServers": {} } trailing', ':1 The file is not valid JSON: there is something that does not belong there.'],
    ['{ "mcpServers": {} } {}', ':1 The file is not valid JSON: there is more text after its end.'],
    ["{ 'mcpServers': {} }", ':1 The file is not valid JSON: there is something that does not belong there.'],
    ['{ "mcpServers": { "a": "\\x" } }', ':1 The file is not valid JSON: there is something that does not belong there.'],
    ['{ "mcpServers": { "a": } }', ':1 The file is not valid JSON: a value is missing.'],
    ['{ /* no end', ':1 The file is not valid JSON: there is something that does not belong there.'],
    ['', ':- The file is empty.'],
    [' \n\t', ':- The file is empty.'],
    ['\uFEFF', ':- The file is empty.'],
    ['// nothing else', ':1 The file is not valid JSON: a value is missing.'],
    ['[]', ':1 The file must be an object in braces.'],
    ['null', ':1 The file must be an object in braces.'],
    ['"mcpServers"', ':1 The file must be an object in braces.'],
    ['{}', 'mcpServers:1 The file has no “mcpServers”, in which servers are.'],
    ['{ "servers": {} }', 'mcpServers:1 In this file, servers are in “mcpServers”, not in “servers”.'],
    ['{ "mcpServers": null }', 'mcpServers:1 The servers must be an object in braces, with a name for each.'],
    ['{ "mcpServers": [] }', 'mcpServers:1 The servers must be an object in braces, with a name for each.'],
    ['{ "mcpServers": "x" }', 'mcpServers:1 The servers must be an object in braces, with a name for each.'],
    ['{ "mcpServers": {},\n "mcpServers": {} }', 'mcpServers:2 This key is there twice. Delete one of them.'],
    ['['.repeat(100_000), ':- The file is nested more than 200 levels deep.'],
    [`{"mcpServers":${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}}`, ':- The file is nested more than 200 levels deep.'],
  ])('M-50: %.60j', (text, problem) => {
    const { entries, problems } = readConfigFile(configFile(text), [FOLDER]);
    expect(entries).toEqual([]);
    expect(shown(problems).filter((each) => !each.startsWith('~'))).toEqual([problem]);
  });

  it.each([
    ['\uFEFF{ "mcpServers": { "a": { "command": "x" } } }', '~:- The file starts with a byte order mark, which other programs may not accept.'],
    ['{\n // why\n "mcpServers": { "a": { "command": "x" } } }', '~:2 Comments are not part of JSON, so other programs may not accept the file.'],
    ['{ "mcpServers": { "a": { "command": "x", } } }', '~:1 Trailing commas are not part of JSON, so other programs may not accept the file.'],
    ['{ "mcpServers": { "a": { "command": "x", "args": ["a",] } } }', '~:1 Trailing commas are not part of JSON, so other programs may not accept the file.'],
  ])('M-50: works, and says so: %j', (text, problem) => {
    const { entries, problems } = readConfigFile(configFile(text), [FOLDER]);
    expect(entries.map(({ name }) => name)).toEqual(['a']);
    expect(shown(problems)).toEqual([problem]);
  });

  it('M-50: comments, trailing commas, and a byte order mark are all right in VS Code’s files', () => {
    const text = '\uFEFF{\n // why\n "servers": { "a": { "command": "x", /* and */ "args": ["b",], }, },\n}';
    const { entries, problems } = readConfigFile(configFile(text, { format: 'vscode' }), [FOLDER]);
    expect(entries).toMatchObject([{ name: 'a', source: { line: 3 }, config: { args: ['b'] } }]);
    expect(problems).toEqual([]);
  });

  it('a file that could not be read says why', () => {
    const { source, display } = configFile('');
    expect(readConfigFile({ source, display, problem: 'It is too large.' }, []).problems).toEqual([
      { file: source.file, key: '', message: 'It is too large.' },
    ]);
  });

  it('lines are counted with every line ending', () => {
    const text = '{\r\n\r"mcpServers":\n{ "a": { "command": "x" },\r\n"b": { } } }';
    const { entries, problems } = readConfigFile(configFile(text), []);
    expect(entries[0]?.source.line).toBe(4);
    expect(problems[0]?.line).toBe(5);
  });

  it('never throws, and only ever says where in this file', () => {
    const odd = fc.oneof(
      fc.jsonValue({ maxDepth: 1 }),
      fc.constantFrom('stdio', 'http', '${A:-${A}}', '${A}', 'https://a.example', '\0', '__proto__', ''),
      fc.array(fc.string(), { maxLength: 3 }),
      fc.dictionary(fc.string(), fc.string(), { maxKeys: 2 }),
    );
    const server = fc.record(
      {
        type: odd,
        command: odd,
        args: odd,
        env: odd,
        envFile: odd,
        cwd: odd,
        url: odd,
        headers: odd,
        oauth: odd,
        auth: odd,
        timeout: odd,
        disabled: odd,
        name: odd,
        other: odd,
      },
      { requiredKeys: [] },
    );
    const servers = fc.oneof({ weight: 4, arbitrary: fc.dictionary(fc.string(), fc.oneof({ weight: 4, arbitrary: server }, odd), { maxKeys: 3 }) }, odd);
    const file = fc.record(
      { mcpServers: servers, servers, inputs: odd, projects: fc.record({ [FOLDER]: fc.record({ mcpServers: servers }) }) },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(file, fc.constantFrom('claude', 'vscode', 'cursor'), fc.constantFrom('user', 'workspace'), (value, format, scope) => {
        const reading = readConfigFile(configFile(JSON.stringify(value), { format, scope }), [FOLDER]);
        const refused = reading.servers.filter(({ entry }) => entry === undefined);
        // Whatever is not used is told of, at its own place in this file.
        for (const { key } of refused) expect(reading.problems.some((problem) => problem.key.startsWith(key) && problem.harmless !== true)).toBe(true);
        expect(reading.entries).toHaveLength(reading.servers.length - refused.length);
        expect(reading.problems.every(({ file: named, message }) => named === `${FOLDER}/${format}.json` && message !== '')).toBe(true);
      }),
    );
    fc.assert(fc.property(fc.string({ unit: anyCharacter, maxLength: 200 }), (text) => readConfigFile(configFile(text), []).entries.length >= 0));
  });
});

describe('servers that are no good', () => {
  it.each([
    [{ type: 'stdio' }, 'mcpServers.bad: The “command” is missing: the program that is the server.'],
    [{ args: ['a'] }, 'mcpServers.bad: The server has neither a “command” to start nor a “url” to connect to.'],
    [{ command: 'x', url: 'https://a.example' }, 'mcpServers.bad: The server has a “command” and a “url”. Keep the one that is meant, or add a “type”.'],
    [{ command: '' }, 'mcpServers.bad.command: The command is empty.'],
    [{ command: ' npx' }, 'mcpServers.bad.command: The command begins or ends with a space.'],
    [{ command: 'npx\n' }, 'mcpServers.bad.command: The command begins or ends with a space.'],
    [{ command: 'npx -y pkg' }, 'mcpServers.bad.command: The command must be a program alone. Put what follows it into “args”.'],
    [{ command: 7 }, 'mcpServers.bad.command: This must be a text in double quotes.'],
    [{ command: 'a\0b' }, 'mcpServers.bad.command: The text contains a null character, which no program can be given.'],
    [{ command: 'x', args: '' }, 'mcpServers.bad.args: This must be a list of texts, such as ["--port", "8080"].'],
    [{ command: 'x', args: null }, 'mcpServers.bad.args: This must be a list of texts, such as ["--port", "8080"].'],
    [{ command: 'x', args: ['a', 3] }, 'mcpServers.bad.args[1]: This must be a text in double quotes.'],
    [{ command: 'x', args: [['a']] }, 'mcpServers.bad.args[0]: This must be a text in double quotes.'],
    [{ command: 'x', args: Array.from({ length: 201 }, () => 'a') }, 'mcpServers.bad.args: The server has more than 200 arguments.'],
    [{ command: 'x', env: { A: 1 } }, 'mcpServers.bad.env.A: This must be a text in double quotes.'],
    [{ command: 'x', env: { A: null } }, 'mcpServers.bad.env.A: This must be a text in double quotes.'],
    [{ command: 'x', env: ['A=1'] }, 'mcpServers.bad.env: This must be an object of texts by name, such as { "NAME": "value" }.'],
    [{ command: 'x', env: { 'A=B': 'c' } }, 'mcpServers.bad.env["A=B"]: This cannot be the name of a variable of the environment.'],
    [{ command: 'x', env: { '': 'c' } }, 'mcpServers.bad.env[""]: This cannot be the name of a variable of the environment.'],
    [{ command: 'x', cwd: 1 }, 'mcpServers.bad.cwd: This must be a text in double quotes.'],
    [{ command: '${A:-${A}}' }, 'mcpServers.bad.command: A variable contains another one. Write the value itself instead of the inner variable.'],
    [
      { command: 'x', args: ['${{ secrets.TOKEN }}'] },
      'mcpServers.bad.args[0]: “${{ secrets.TOKEN }}” is an expression of GitHub, which has a value on its servers only. ${NAME} takes a variable of your environment in its place.',
    ],
    [
      { command: 'x', args: ['${A'] },
      'mcpServers.bad.args[0]: A variable begins here with a dollar sign and a brace, and does not end: the closing brace is missing.',
    ],
    [
      { command: 'x', args: ['${env:A}'] },
      'mcpServers.bad.args[0]: Gnomon does not know the variable ${env:A}. In this file, ${NAME} and ${NAME:-default} are possible.',
    ],
    [{ url: 'mcp.example.com/v1' }, 'mcpServers.bad.url: The address must begin with https:// or http://.'],
    [{ url: 'localhost:3000/mcp' }, 'mcpServers.bad.url: The address must begin with https:// or http://.'],
    [{ url: 'localhost:${PORT}/mcp' }, 'mcpServers.bad.url: The address must begin with https:// or http://.'],
    [{ url: 'file:///etc/passwd' }, 'mcpServers.bad.url: The address must begin with https:// or http://.'],
    [
      { url: 'unix:///tmp/a.sock' },
      'mcpServers.bad.url: Gnomon cannot connect to sockets and named pipes. Only addresses with https:// or http:// are possible.',
    ],
    [{ url: 'pipe:///pipe/a' }, 'mcpServers.bad.url: Gnomon cannot connect to sockets and named pipes. Only addresses with https:// or http:// are possible.'],
    [{ url: 'wss://a.example' }, 'mcpServers.bad.url: Gnomon cannot connect to WebSockets. Only addresses with https:// or http:// are possible.'],
    [{ url: ' https://a.example' }, 'mcpServers.bad.url: The address begins or ends with a space.'],
    [{ url: 'https://' }, 'mcpServers.bad.url: This is not a valid address.'],
    [{ url: 'https://a:70000/' }, 'mcpServers.bad.url: This is not a valid address.'],
    [{ url: 'https://me:pass@a.example' }, 'mcpServers.bad.url: The address contains a user name or password. Put it into a header instead.'],
    [{ type: 'http' }, 'mcpServers.bad: The “url” is missing: the address of the server.'],
    [{ url: 'https://a.example', headers: { 'a b': 'c' } }, 'mcpServers.bad.headers["a b"]: This cannot be the name of a header.'],
    [{ url: 'https://a.example', headers: { a: 'b\r\nHost: c' } }, 'mcpServers.bad.headers.a: The value contains characters that no header can have.'],
    [{ url: 'https://a.example', headers: { a: 7 } }, 'mcpServers.bad.headers.a: This must be a text in double quotes.'],
    [
      { url: 'https://a.example', headersHelper: './get-token.sh' },
      'mcpServers.bad.headersHelper: Gnomon does not run a command for headers. Write them into “headers”, with variables for what is secret.',
    ],
    [{ url: 'https://a.example', oauth: { clientId: 1 } }, 'mcpServers.bad.oauth.clientId: This must be a text in double quotes.'],
    [{ type: 'sdk' }, 'mcpServers.bad: A server of type “sdk” needs a “name”: the one under which it was registered.'],
    [
      { command: 'x', sandboxEnabled: true },
      'mcpServers.bad.sandboxEnabled: Gnomon does not start servers in a sandbox. To start this one without it, remove the key.',
    ],
    [null, 'mcpServers.bad: A server must be an object in braces.'],
    ['npx', 'mcpServers.bad: A server must be an object in braces.'],
    [
      { command: 'x', args: ['a'.repeat(33_000)] },
      'mcpServers.bad: The entry has more than 32,000 characters, too many to be looked at before it is approved.',
    ],
  ])('M-51: %.80j is refused, and others work', (bad, problem) => {
    expect(complaints(bad)).toEqual([problem]);
  });

  it.each([
    [{ command: 'x', args: ['', 'b'] }, 'mcpServers.bad.args[0]: The argument is empty; the program is given an empty text.'],
    [{ command: 'x', timeout: 30 }, 'mcpServers.bad.timeout: The timeout must be a number of milliseconds from 1,000 to 86,400,000. It is ignored.'],
    [{ command: 'x', timeout: '60000' }, 'mcpServers.bad.timeout: The timeout must be a number of milliseconds from 1,000 to 86,400,000. It is ignored.'],
    [{ command: 'x', disabled: 'no' }, 'mcpServers.bad.disabled: This must be true or false.'],
    [{ command: 'x', dev: { watch: 'src' } }, 'mcpServers.bad.dev: Gnomon ignores this: it is for VS Code alone.'],
    [{ command: 'x', sandbox: {} }, 'mcpServers.bad.sandbox: Gnomon ignores this: it is for VS Code alone.'],
    [
      { command: 'x', autoApprove: ['*'] },
      'mcpServers.bad.autoApprove: Gnomon ignores this: which tools run without asking is decided by your permission rules.',
    ],
    [{ command: 'x', headers: {} }, 'mcpServers.bad.headers: Gnomon ignores this: a server of this type does not have it.'],
    [{ type: 'stdio', command: 'x', url: 'https://a.example' }, 'mcpServers.bad.url: Gnomon ignores this: a server of this type does not have it.'],
    [{ command: 'x', 'weird\u202e key': 1 }, 'mcpServers.bad["weird\\u{202e} key"]: Gnomon does not know the key “weird\\u{202e} key” and ignores it.'],
    [
      { url: 'https://a.example', oauth: { clientId: 'a', callbackPort: 8080 } },
      'mcpServers.bad.oauth.callbackPort: Gnomon does not know the key “callbackPort” and ignores it.',
    ],
    [{ url: 'https://a.example', oauth: false }, 'mcpServers.bad.oauth: This must be an object in braces. It is ignored.'],
  ])('M-51: %j works, and the message says what is ignored', (odd, problem) => {
    expect(complaints(odd)).toEqual([problem]);
  });

  it('M-51: in VS Code’s files, numbers in the environment are texts and null is nothing, as its schema allows', () => {
    const { entries, problems } = readServers({ a: { command: 'x', env: { PORT: 80, NONE: null } } }, { format: 'vscode' });
    expect(entries[0]?.config).toMatchObject({ env: { PORT: '80' } });
    expect(shown(problems)).toEqual(['~servers.a.env.PORT:6 The number is used as a text.', '~servers.a.env.NONE:7 Gnomon ignores this: it has no value.']);
  });

  it('a program may be a path with spaces', () => {
    expect(complaints({ command: 'C:\\Program Files\\nodejs\\node.exe' })).toEqual([]);
    expect(complaints({ command: '/Applications/My App/run me' })).toEqual([]);
    expect(complaints({ command: '${HOME}/my tools/run' })).toEqual([]);
  });

  it('an address may have variables for everything', () => {
    for (const url of ['${BASE}/mcp', 'http://localhost:${PORT}/mcp', 'https://${HOST}/mcp', 'http${S:-s}://a.example'])
      expect(complaints({ url })).toEqual([]);
  });

  it('a key that is there twice is refused: it could show one thing and do another', () => {
    const { entries, problems } = readConfigFile(configFile('{ "mcpServers": { "a": { "command": "x",\n"comm\\u0061nd": "y" } } }'), []);
    expect(entries).toEqual([]);
    expect(shown(problems)).toEqual(['mcpServers.a.command:2 This key is there twice. Delete one of them.']);
  });

  it('of two servers with one name in one file, neither is used', () => {
    const { entries, problems } = readConfigFile(
      configFile('{ "mcpServers": { "a": { "command": "x" },\n"\\u0061": { "command": "y" }, "b": { "command": "z" } } }'),
      [],
    );
    expect(entries.map(({ name }) => name)).toEqual(['b']);
    expect(problems.map(({ key, line }) => `${key}:${line}`)).toEqual(['mcpServers.a:1', 'mcpServers.a:2']);
  });

  it('switched off in either spelling', () => {
    expect(entryOf({ command: 'x', enabled: false }).disabled).toBe(true);
    expect(entryOf({ command: 'x', enabled: true }).disabled).toBeUndefined();
  });
});

describe('names', () => {
  it.each([
    ['my server', 'my_server'],
    ['a__b', 'a_b'],
    ['a.b', 'a_b'],
    ['_a_', 'a'],
    ['io.github.me/tool', 'io_github_me_tool'],
    ['🚀rocket', 'rocket'],
    ['naïve', 'na_ve'],
    ['a\u202eb', 'a_b'],
  ])('M-52: %j works, as %s', (name, id) => {
    const { entries, problems } = readServers({ [name]: GOOD });
    expect(entries.map((entry) => serverId(entry.name))).toEqual([id]);
    expect(problems).toMatchObject([{ harmless: true, line: 3, message: `Rules and the names of its tools call this server “${id}”.` }]);
  });

  it.each(['', ' ', '🚀', '__', '日本', 'a'.repeat(65), 'a'.repeat(200), 'constructor', 'toString', 'hasOwnProperty', 'prototype', '.constructor.'])(
    'M-52: %.20j cannot be a name, and others work',
    (name) => {
      const { entries, problems } = readServers({ [name]: GOOD, good: GOOD });
      expect(entries.map((entry) => entry.name)).toEqual(['good']);
      expect(problems).toMatchObject([{ file: `${FOLDER}/claude.json`, line: 3 }]);
      expect(problems[0]?.key).toContain('mcpServers');
      expect(problems[0]?.harmless).toBeUndefined();
    },
  );

  it('M-52: __proto__ can be none either, and changes nothing', () => {
    const { entries, problems } = readConfigFile(
      configFile('{ "mcpServers": { "__proto__": { "command": "evil", "polluted": true }, "good": { "command": "x", "__proto__": { "url": "y" } } } }'),
      [],
    );
    expect(entries.map(({ name }) => name)).toEqual(['good']);
    expect(entries[0]?.config).toEqual({ type: 'stdio', command: 'x', args: [], env: {} });
    expect(problems.map(({ key }) => key)).toEqual(['mcpServers.__proto__', 'mcpServers.good.__proto__']);
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
  });

  it('M-52: __proto__ is no name of a variable or header', () => {
    const { entries, problems } = readConfigFile(
      configFile(
        '{ "mcpServers": { "a": { "command": "x", "env": { "__proto__": "y" } }, "b": { "url": "https://a.example", "headers": { "__proto__": "y" } } } }',
      ),
      [],
    );
    expect(entries).toEqual([]);
    expect(problems).toHaveLength(2);
  });

  it('an id can be named by a rule, and is never empty where the name is accepted', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 64 }), (name) => {
        const id = serverId(name);
        expect(id === '' || /^[A-Za-z0-9-]+(?:_[A-Za-z0-9-]+)*$/.test(id)).toBe(true);
        expect(serverId(id)).toBe(id);
      }),
    );
  });
});

describe('very many', () => {
  it('M-53: of 1,000 servers in one file, the first 100 are used', () => {
    const { entries, problems } = readServers(Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`s${index}`, GOOD])));
    expect(entries).toHaveLength(100);
    expect(entries.at(-1)?.name).toBe('s99');
    expect(problems.map(({ key, message }) => `${key}: ${message}`)).toEqual(['mcpServers: The file has 1000 servers. Only the first 100 are used.']);
  });

  it('M-53: problems have an end as well', () => {
    const bad = { command: 'x', ...Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`k${index}`, 1])) };
    const { problems } = readServers({ bad, worse: { command: 7 } });
    expect(problems).toHaveLength(201);
    expect(problems[0]?.key).toBe('mcpServers.worse.command');
    expect(problems.at(-1)).toMatchObject({ message: '801 more problems are not listed.', harmless: true });
  });
});

describe('the inputs of VS Code’s files', () => {
  const server = { command: 'x', env: { KEY: '${input:key}' } };

  it('are those that servers use', () => {
    const inputs = [
      { type: 'promptString', id: 'key', description: 'The key', password: true },
      { type: 'pickString', id: 'region', description: 'Where', options: ['eu', { label: 'America', value: 'us' }], default: 'eu' },
      { type: 'promptString', id: 'unused', description: 'Nothing' },
    ];
    const servers = { a: server, b: { url: 'https://${input:region}.example' } };
    const reading = readServers(servers, { format: 'vscode' }, { inputs });
    expect(reading.problems).toEqual([]);
    expect(reading.inputs).toEqual([
      { id: 'key', description: 'The key', password: true },
      { id: 'region', description: 'Where', password: false, default: 'eu', options: ['eu', 'us'] },
    ]);
  });

  it.each([
    [undefined, ['servers.a:3 The file does not say what the input “key” is. Add it to “inputs”.']],
    ['key', ['inputs:2 “inputs” must be a list in brackets.', 'servers.a:4 The file does not say what the input “key” is. Add it to “inputs”.']],
    [[{ type: 'command', id: 'key', command: 'evil.run' }], ['inputs[0].type:3 Gnomon knows inputs of the types “promptString” and “pickString” only.']],
    [[{ type: 'pickString', id: 'key', options: [] }], ['inputs[0].options:6 A choice needs “options”: a list of texts.']],
    [[{ type: 'promptString', id: '' }], ['inputs[0].id:3 An input needs an “id” of at most 100 characters.']],
    [['key'], ['inputs[0]:3 An input must be an object in braces.']],
  ])('are refused as %j, and the server with them', (inputs, problems) => {
    const reading = readServers({ a: server, good: GOOD }, { format: 'vscode' }, inputs === undefined ? {} : { inputs });
    expect(reading.entries.map(({ name }) => name)).toEqual(['good']);
    expect(shown(reading.problems).filter((problem) => !problem.startsWith('~'))).toEqual(expect.arrayContaining(problems));
    expect(reading.problems.some(({ key }) => key === 'servers.a')).toBe(true);
  });

  it('may be there once', () => {
    const input = { type: 'promptString', id: 'key', description: 'a' };
    const { problems, inputs } = readServers({ a: server }, { format: 'vscode' }, { inputs: [input, { ...input, description: 'b' }] });
    expect(inputs).toMatchObject([{ description: 'a' }]);
    expect(problems.map(({ key }) => key)).toEqual(['inputs[1]']);
  });
});

describe('the file of Claude Code for the user', () => {
  const user = { scope: 'user' as const, file: '/home/me/.claude.json', folder: undefined };
  const source = { format: 'claude' as const, scope: 'user' as const, file: '/home/me/.claude.json' };
  const text = JSON.stringify({
    numStartups: 12,
    projects: { [FOLDER]: { history: [{ display: 'x' }], mcpServers: { local: GOOD } }, '/elsewhere': { mcpServers: { other: GOOD } } },
    mcpServers: { global: GOOD },
  });

  it('has servers for everywhere, and those for the open folders', () => {
    const { entries, problems } = readConfigFile({ source, display: '~/.claude.json', text }, [FOLDER]);
    expect(entries.map(({ name, source: { folder, scope } }) => [name, scope, folder])).toEqual([
      ['local', 'user', FOLDER],
      ['global', 'user', user.folder],
    ]);
    expect(problems).toEqual([]);
  });

  it('finds a folder on Windows in the other spelling', () => {
    const windows = JSON.stringify({ projects: { 'c:/Users/me/Work': { mcpServers: { local: GOOD } } } });
    expect(readConfigFile({ source, display: '', text: windows }, ['C:\\Users\\me\\work']).entries[0]?.source.folder).toBe('C:\\Users\\me\\work');
  });

  it('needs none', () => {
    expect(readConfigFile({ source, display: '', text: '{ "numStartups": 1 }' }, [FOLDER])).toEqual({ entries: [], problems: [], inputs: [], servers: [] });
  });
});

describe('Gnomon’s own setting', () => {
  it('is read in the same way, without lines', () => {
    const { entries, problems, inputs } = readConfigSetting(
      { a: { command: 'x', args: ['${B:-c}', '${env:D}', '${input:key}', '${workspaceFolder}'] }, bad: { command: 7 } },
      'gnomon.mcp.servers',
    );
    expect(entries).toMatchObject([{ name: 'a', source: { scope: 'user', format: 'gnomon', file: 'gnomon.mcp.servers' } }]);
    expect(entries[0]?.source.line).toBeUndefined();
    expect(shown(problems)).toEqual(['servers.bad.command:- This must be a text in double quotes.']);
    expect(inputs).toEqual([{ id: 'key', description: 'key', password: true }]);
  });

  it.each([[undefined], [null], [{}]])('may be %j', (value) => {
    expect(readConfigSetting(value, 'gnomon.mcp.servers')).toMatchObject({ entries: [], problems: [] });
  });

  it.each([[[]], ['x'], [3]])('may not be %j', (value) => {
    expect(readConfigSetting(value, 'gnomon.mcp.servers').problems).toHaveLength(1);
  });
});
