import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { Impossible } from '../../../src/headless/exit.js';
import type { WantedConfiguration } from '../../../src/headless/flags.js';
import { readStart } from '../../../src/headless/start-configuration.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

let folder: string;
let notes: string[];
beforeEach(() => {
  folder = temporaryFolder();
  notes = [];
});

const read = (wanted: Partial<WantedConfiguration>): ReturnType<typeof readStart> =>
  readStart({ servers: [], onlyTheseServers: false, ...wanted }, folder, (note) => notes.push(note));
const refusal = (wanted: Partial<WantedConfiguration>): Promise<string> =>
  read(wanted).then(
    () => 'not refused',
    (error: unknown) => (error instanceof Impossible ? `${error.exit} ${error.message}` : String(error)),
  );
const file = (name: string, content: string | Uint8Array): string => {
  writeFileSync(join(folder, name), content);
  return name;
};

describe('a file that the command line names', () => {
  it('is read relative to the folder that the program runs in, with a byte order mark and through links', async () => {
    file('settings.json', '\uFEFF{ "model": "opus", /* as in other settings files */ }');
    symlinkSync(join(folder, 'settings.json'), join(folder, 'link.json'));
    const { settings } = await read({ settings: 'link.json' });
    expect(settings).toMatchObject({ file: join(folder, 'link.json'), display: '--settings link.json' });
    expect(await read({ settings: join(folder, 'settings.json'), layers: ['user'] })).toMatchObject({ layers: ['user'] });
    file('utf16.json', Buffer.from('\uFEFF{}', 'utf16le'));
    expect((await read({ settings: 'utf16.json' })).settings?.text).toBe('\uFEFF{}');
  });

  it('is refused where it is none that can be read', async () => {
    mkdirSync(join(folder, 'folder.json'));
    file('large.json', `{"model":"${'x'.repeat(10 * 1024 * 1024)}"}`);
    file('binary.json', new Uint8Array([0, 1, 2, 255, 0]));
    file('cut.json', '{"permissions":{"deny":["Bash"');
    file('empty.json', ' \n');
    file('list.json', '[]');
    symlinkSync('loop.json', join(folder, 'loop.json'));
    for (const [name, why] of [
      ['none.json', 'there is no such file'],
      ['folder.json', 'It is not a regular file.'],
      ['large.json', 'The file is larger than 1 MB.'],
      ['binary.json', 'It is not a text file.'],
      ['cut.json', 'The file is not valid JSON'],
      ['empty.json', 'The file is empty.'],
      ['list.json', 'must '],
      ['loop.json', ''],
      ['', 'needs the path of a file'],
    ] as const) {
      for (const wanted of [{ settings: name }, { servers: [name] }]) {
        const said = await refusal(wanted);
        expect(said).toMatch(/^2 --(settings|mcp-config) /);
        expect(said).toContain(why);
      }
    }
  });

  it.skipIf(process.platform === 'win32')('is not waited for where it is a pipe or a device', async () => {
    execFileSync('mkfifo', [join(folder, 'pipe.json')]);
    for (const name of ['pipe.json', '/dev/zero']) {
      expect(await refusal({ settings: name })).toContain('It is not a regular file.');
      expect(await refusal({ servers: [name] })).toContain('It is not a regular file.');
    }
  });

  it('is not shown where it is no path, as a key could be in it', async () => {
    const secret = 'hunter2-but-longer';
    for (const text of [`"mcpServers": {"a": {"env": {"K": "${secret}"}}}`, `{"env": {"TOKEN": "${secret}"}`, `[${secret}`, `x`.repeat(400) + secret]) {
      expect(await refusal({ servers: [text] })).not.toContain(secret);
      expect(await refusal({ settings: text })).not.toContain(secret);
    }
  });
});

describe('settings of the command line', () => {
  const refusalOf = (settings: object): Promise<string> => refusal({ settings: JSON.stringify(settings) });

  it.each<readonly [object, string]>([
    [{ permissions: { deny: ['Bash(rm'] } }, 'permissions.deny[0] in --settings'],
    [{ permissions: { deny: [{ tool: 'Bash' }] } }, 'must be a string'],
    [{ permissions: { deny: 5 } }, 'must be an array'],
    [{ permissions: 'deny' }, '“permissions” must be an object'],
    [{ permissions: { defaultMode: 'nonsense' } }, 'must be one of'],
    [{ maxTurns: 'three' }, 'has the wrong type'],
    [{ disableAllHooks: 'no' }, 'must be true or false'],
    [{ hooks: { PreToolUse: [{ hooks: [{ type: 'command' }] }] } }, 'The hook has no “command”.'],
    [{ sandbox: { enabled: true, failIfUnavailable: true } }, '“sandbox” could restrict what may be done'],
    [{ deniedMcpServers: [{ serverName: 'a' }] }, '“deniedMcpServers” could restrict'],
    [{ permisions: { deny: ['Bash'] } }, 'Did you mean'],
    [{ neverHeardOf: 1 }, 'nothing was run'],
    [Object.fromEntries([...Array.from({ length: 150 }, (_, index) => [`env${index}`, null] as const), ['sandbox', {}]]), '“sandbox” could restrict'],
  ])('are refused where they cannot be followed: %j', async (settings, why) => {
    const said = await refusalOf(settings);
    expect(said).toMatch(/^2 /);
    expect(said).toContain(why);
    expect(said).toContain('--settings');
  });

  it('go on without what has no effect, and say so', async () => {
    await read({ settings: '{"theme":"dark","env":{"A":"b"},"permissions":{"additionalDirectories":["/x"],"allow":["Read"]},"sandbox":null,"$schema":"x"}' });
    expect(notes).toEqual(['theme', 'env.A', 'permissions.additionalDirectories'].map((name) => `--settings: “${name}” has no effect in Gnomon.`));
  });
});

describe('servers of the command line', () => {
  const list = (servers: object): string => JSON.stringify({ mcpServers: servers });

  it('are read as those of other files', async () => {
    const text = list({ a: { command: 'a', env: { KEY: '${TOKEN}' } }, b: { type: 'http', url: 'https://b.example/mcp' }, c: { type: 'sdk', name: 'c' } });
    expect(await read({ servers: [text, file('more.json', list({ d: { command: './d' } }))], onlyTheseServers: true })).toMatchObject({
      servers: [{ display: '--mcp-config', text }, { display: '--mcp-config more.json' }],
      onlyTheseServers: true,
    });
    expect(notes).toEqual([]);
  });

  it.each<readonly [string, string]>([
    [list({ a: { command: 'a b' } }), 'must be a program alone'],
    [list({ a: {} }), 'neither a “command” to start nor a “url”'],
    [list({ a: { type: 'http', url: 'ftp://x' } }), 'must begin with'],
    [list({ a: { command: 'a', env: { API_KEY: 5 } } }), '--mcp-config, line 1: This must be a text in double quotes. (mcpServers.a.env.API_KEY)'],
    ['{"servers":{}}', 'In this file, servers are in “mcpServers”'],
    ['{"mcpServers":[]}', 'must be an object'],
    ['{', 'not valid JSON'],
  ])('are refused where one cannot be used: %s', async (text, why) => {
    const said = await refusal({ servers: [text] });
    expect(said).toMatch(/^2 --mcp-config/);
    expect(said).toContain(why);
  });

  it('are refused where two have one name, without what is in them', async () => {
    const said = await refusal({
      servers: [list({ a: { command: 'a', env: { K: 'hunter2-one' } } }), list({ a: { command: 'b', env: { K: 'hunter2-two' } } })],
    });
    expect(said).toMatch(/^2 /);
    expect(said).not.toContain('hunter2');
  });
});
