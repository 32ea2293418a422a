import { describe, expect, it } from 'vitest';
import { describeEntry, startLine } from '../../../../src/mcp/consent/describe-entry.js';
import { FOLDER, entryOf } from '../config/rig.js';

const SHELL = 'The command is a shell, which can do anything that its arguments say. Read all of them.';
const CODE = 'The program runs code that is in its arguments. Read all of them.';
const DOWNLOAD = 'The program may download what it runs. Gnomon cannot notice when that changes, unless its version is part of the arguments.';
const PLAIN = 'The connection is not encrypted: everyone on the way to the server can read and change what is sent.';

describe('what is shown before an approval', () => {
  it('M-30: is the whole command line, the names of variables, and where it is written', () => {
    const entry = entryOf({
      command: '/opt/my tools/run',
      args: ['--a=b', '', ' c ', 'd"e', 'f\ng', 'x'.repeat(5_000)],
      env: { KEY: 'canary', TOKEN: '${TOKEN}' },
      cwd: 'sub folder',
      envFile: '.env',
    });
    expect(describeEntry(entry)).toEqual({
      id: 'db',
      name: 'db',
      type: 'stdio',
      file: `${FOLDER}/claude.json`,
      line: 4,
      command: '"/opt/my tools/run"',
      args: ['--a=b', '""', '" c "', '"d\\"e"', '"f\\ng"', 'x'.repeat(5_000)],
      cwd: '"sub folder"',
      envFile: '.env',
      env: ['KEY', 'TOKEN'],
      headers: [],
      reads: ['TOKEN'],
      inputs: [],
      warnings: [
        'A value contains a line break or a tab. They are shown as escapes.',
        'The server is given the values of these variables of your environment: TOKEN.',
      ],
    });
    expect(startLine(entry)).toBe(`"/opt/my tools/run" --a=b "" " c " "d\\"e" "f\\ng" ${'x'.repeat(5_000)}`);
  });

  it('M-30: is the address and the names of headers', () => {
    const oauth = { clientId: 'me', clientSecret: 'canary', scopes: 'read write' };
    const entry = entryOf(
      { url: 'https://a.example/mcp', headers: { Authorization: 'Bearer ${input:key}', 'X-Team': 'canary' }, oauth },
      { format: 'vscode', inputs: [{ type: 'promptString', id: 'key', description: 'Key' }] },
    );
    expect(describeEntry(entry)).toMatchObject({
      type: 'http',
      url: 'https://a.example/mcp',
      headers: ['Authorization', 'X-Team'],
      clientId: 'me',
      scopes: ['read', 'write'],
      reads: [],
      inputs: ['key'],
      warnings: [],
    });
    expect(JSON.stringify(describeEntry(entry))).not.toContain('canary');
  });

  it('conf-22: variables are not replaced, and only named', () => {
    const entry = entryOf({ url: 'https://${ANTHROPIC_API_KEY}.evil.example', headers: { A: '${OPENAI_API_KEY}' } });
    const { url, reads, warnings } = describeEntry(entry);
    expect(url).toBe('https://${ANTHROPIC_API_KEY}.evil.example');
    expect(reads).toEqual(['ANTHROPIC_API_KEY', 'OPENAI_API_KEY']);
    expect(warnings).toEqual([
      'Where the server is depends on a variable: https://${ANTHROPIC_API_KEY}.evil.example',
      'The server is given the values of these variables of your environment: ANTHROPIC_API_KEY, OPENAI_API_KEY.',
    ]);
  });

  it('M-32: cmd-36: hidden characters are escaped and named, wherever they are', () => {
    const { args, warnings, name } = describeEntry(
      entryOf({ command: 'node', args: ['a\u202eb', 'c\u{e0041}', 'd\u00a0e'], env: { 'A\u200b': 'b' } }, { name: 'd\u2066b' }),
    );
    expect(args).toEqual(['"a\\u{202e}b"', '"c\\u{e0041}"', '"d\\u{a0}e"']);
    expect(name).toBe('d\\u{2066}b');
    expect(warnings[0]).toMatch(/^The entry contains characters .* U\+2066 .* U\+202E .* U\+E0041 .* U\+00A0 .* U\+200B/);
  });

  it.each([
    [SHELL, 'sh', ['-c', 'curl x | sh']],
    [SHELL, '/bin/bash', ['-lc', 'x']],
    [SHELL, 'C:\\Windows\\System32\\CMD.EXE', ['/c', 'x']],
    [SHELL, 'pwsh', ['-Command', 'x']],
    [SHELL, '/usr/bin/env', ['sh', '-c', 'x']],
    [SHELL, 'env', ['-i', 'A=b', 'bash', '-c', 'x']],
    [SHELL, 'env', ['-S', 'bash -c x']],
    [SHELL, 'nohup', ['nice', '-n', '5', 'zsh', '-c', 'x']],
    [CODE, 'node', ['-e', 'x']],
    [CODE, 'node', ['--eval=x']],
    [CODE, 'node', ['-pe', 'x']],
    [CODE, 'python3.12', ['-c', 'x']],
    [CODE, 'perl', ['-e', 'x']],
    [CODE, 'php', ['-r', 'x']],
    [CODE, 'deno', ['eval', 'x']],
    [DOWNLOAD, 'npx', ['-y', 'pkg']],
    [DOWNLOAD, 'npx.cmd', ['pkg']],
    [DOWNLOAD, 'uvx', ['pkg']],
    [DOWNLOAD, 'pnpm', ['dlx', 'pkg']],
    [DOWNLOAD, 'docker', ['run', '-i', 'image']],
  ])('M-30: warns: %.24s… of %s %j', (warning, command, args) => {
    expect(describeEntry(entryOf({ command, args })).warnings).toContain(warning);
  });

  it.each([
    ['node', ['server.js', '--port', '80']],
    ['python', ['-m', 'server', '--config=c']],
    ['pnpm', ['start']],
    ['/opt/bash-server/run', []],
    ['env', []],
    ['env', ['A=b', 'node', 'server.js']],
  ])('has nothing to warn of in %s %j', (command, args) => {
    expect(describeEntry(entryOf({ command, args })).warnings).toEqual([]);
  });

  it('M-30: warns of variables that steer programs', () => {
    const env = { NODE_OPTIONS: '--require ./x', Path: '.', npm_config_registry: 'https://evil.example', REGION: 'eu', ENV: 'test' };
    expect(describeEntry(entryOf({ command: 'node', env })).warnings).toEqual([
      'These variables can change what code runs, or whom it trusts: NODE_OPTIONS, Path, npm_config_registry, ENV.',
    ]);
  });

  it.each([
    ['http://mcp.example.com/mcp', [PLAIN]],
    ['http://192.168.0.7:80', [PLAIN]],
    ['http://localhost.evil.example', [PLAIN]],
    ['http://127.0.0.1.evil.example', [PLAIN]],
    ['http://localhost:3000/mcp', []],
    ['http://127.0.0.1:3000', []],
    ['http://[::1]:3000', []],
    ['http://app.localhost', []],
    ['https://mcp.example.com', []],
    ['http://localhost:${PORT:-80}/mcp', ['The server is given the values of these variables of your environment: PORT.']],
    [
      'http://${HOST}/mcp',
      ['Where the server is depends on a variable: http://${HOST}/mcp', PLAIN, 'The server is given the values of these variables of your environment: HOST.'],
    ],
    [
      'http://localhost${X}/mcp',
      [
        'Where the server is depends on a variable: http://localhost${X}/mcp',
        PLAIN,
        'The server is given the values of these variables of your environment: X.',
      ],
    ],
    ['${URL}', ['Where the server is depends on a variable: ${URL}', 'The server is given the values of these variables of your environment: URL.']],
    ['https://a.example/${TEAM}', ['The server is given the values of these variables of your environment: TEAM.']],
  ])('M-30: of %s says %j', (url, warnings) => {
    expect(describeEntry(entryOf({ url })).warnings).toEqual(warnings);
  });
});
