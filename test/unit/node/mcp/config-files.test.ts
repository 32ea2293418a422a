import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { McpConfigFile } from '../../../../src/domain/mcp/config.js';
import { configPaths, readConfigFiles } from '../../../../src/node/mcp/config-files.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { NAMED_SECRETS } from '../../../support/named-secrets.js';

const never = new AbortController().signal;

function write(path: string, content: string | Uint8Array = '{}'): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  return path;
}

function told(files: readonly McpConfigFile[]): readonly string[] {
  return files.map((file) => `${file.display}: ${'text' in file ? file.text : file.problem}`);
}

describe('the configuration files on disk', () => {
  it('are those of every folder, then those of the user', async () => {
    const [first, second, home] = [temporaryFolder(), temporaryFolder(), temporaryFolder()];
    write(join(first, '.mcp.json'), 'one');
    write(join(first, '.vscode', 'mcp.json'), 'two');
    write(join(second, '.cursor', 'mcp.json'), 'three');
    write(join(home, '.claude.json'), 'four');
    write(join(home, '.cursor', 'mcp.json'), 'five');
    expect(await readConfigFiles({ folders: [first, second], home, guards: NAMED_SECRETS }, never)).toEqual([
      { source: { scope: 'workspace', format: 'claude', file: join(first, '.mcp.json'), folder: first }, display: '.mcp.json', text: 'one' },
      { source: { scope: 'workspace', format: 'vscode', file: join(first, '.vscode', 'mcp.json'), folder: first }, display: '.vscode/mcp.json', text: 'two' },
      {
        source: { scope: 'workspace', format: 'cursor', file: join(second, '.cursor', 'mcp.json'), folder: second },
        display: '.cursor/mcp.json',
        text: 'three',
      },
      { source: { scope: 'user', format: 'claude', file: join(home, '.claude.json') }, display: '~/.claude.json', text: 'four' },
      { source: { scope: 'user', format: 'cursor', file: join(home, '.cursor', 'mcp.json') }, display: '~/.cursor/mcp.json', text: 'five' },
    ]);
    expect(configPaths({ folders: [first, second], home })).toHaveLength(9);
  });

  it('are none where there are none', async () => {
    const folder = temporaryFolder();
    write(join(folder, '.vscode'), 'a file, no folder');
    expect(await readConfigFiles({ folders: [folder], home: temporaryFolder(), guards: NAMED_SECRETS }, never)).toEqual([]);
    expect(await readConfigFiles({ folders: [], home: join(folder, 'nowhere'), guards: NAMED_SECRETS }, never)).toEqual([]);
  });

  it('conf-01: are those of the user alone, where no folder is given because none is trusted', async () => {
    const home = temporaryFolder();
    write(join(home, '.claude.json'), 'mine');
    expect(told(await readConfigFiles({ folders: [], home, guards: NAMED_SECRETS }, never))).toEqual(['~/.claude.json: mine']);
  });

  it('do not leave the workspace through a link, neither as a file nor as a folder', async () => {
    const [folder, outside] = [temporaryFolder(), temporaryFolder()];
    const secret = write(join(outside, 'mcp.json'), 'canary');
    symlinkSync(secret, join(folder, '.mcp.json'));
    symlinkSync(outside, join(folder, '.vscode'));
    expect(told(await readConfigFiles({ folders: [folder], home: temporaryFolder(), guards: NAMED_SECRETS }, never))).toEqual([
      `.mcp.json: It is a link to ${secret}, outside the workspace.`,
      `.vscode/mcp.json: It is a link to ${secret}, outside the workspace.`,
    ]);
  });

  it('may be links within the workspace, and of the user anywhere', async () => {
    const [folder, other, home, outside] = [temporaryFolder(), temporaryFolder(), temporaryFolder(), temporaryFolder()];
    symlinkSync(write(join(other, 'shared.json'), 'shared'), join(folder, '.mcp.json'));
    symlinkSync(write(join(outside, 'dotfiles.json'), 'mine'), join(home, '.claude.json'));
    expect(told(await readConfigFiles({ folders: [folder, other], home, guards: NAMED_SECRETS }, never))).toEqual([
      '.mcp.json: shared',
      '~/.claude.json: mine',
    ]);
  });

  it('say what is wrong when they are no files, lead nowhere, or are not text', async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, '.mcp.json'));
    mkdirSync(join(folder, '.vscode'));
    execFileSync('mkfifo', [join(folder, '.vscode', 'mcp.json')]);
    write(join(folder, '.cursor', 'mcp.json'), new Uint8Array([0x7b, 0, 1, 2]));
    expect(told(await readConfigFiles({ folders: [folder], home: temporaryFolder(), guards: NAMED_SECRETS }, never))).toEqual([
      '.mcp.json: It is not a regular file.',
      '.vscode/mcp.json: It is not a regular file.',
      '.cursor/mcp.json: It is not a text file.',
    ]);
    const [loop, home] = [temporaryFolder(), temporaryFolder()];
    symlinkSync('.mcp.json', join(loop, '.mcp.json'));
    symlinkSync(join(home, 'gone'), join(home, '.claude.json'));
    const [first, second] = await readConfigFiles({ folders: [loop], home, guards: NAMED_SECRETS }, never);
    expect(first && 'problem' in first).toBe(true);
    expect(second && 'problem' in second ? second.problem : '').toBe(`It is a link to ${join(home, 'gone')}, which is not there.`);
  });

  it('have at most 1 MB, but for the one in which Claude Code keeps everything', async () => {
    const [folder, home] = [temporaryFolder(), temporaryFolder()];
    const pad = (bytes: number): string => `{}${' '.repeat(bytes - 2)}`;
    write(join(folder, '.mcp.json'), pad(1024 * 1024));
    write(join(folder, '.cursor', 'mcp.json'), pad(1024 * 1024 + 1));
    write(join(home, '.claude.json'), pad(3 * 1024 * 1024));
    truncateSync(write(join(home, '.cursor', 'mcp.json')), 10 * 1024 ** 3);
    const files = await readConfigFiles({ folders: [folder], home, guards: NAMED_SECRETS }, never);
    expect(files.map((file) => ('text' in file ? file.text.length : file.problem))).toEqual([
      1024 * 1024,
      'The file is larger than 1 MB.',
      3 * 1024 * 1024,
      'The file is larger than 1 MB.',
    ]);
  });

  it('M-50: keep their byte order mark, which is reported', async () => {
    const folder = temporaryFolder();
    write(join(folder, '.mcp.json'), Buffer.from('\uFEFF{}', 'utf8'));
    write(join(folder, '.cursor', 'mcp.json'), Buffer.from('\uFEFF{}', 'utf16le'));
    expect(told(await readConfigFiles({ folders: [folder], home: temporaryFolder(), guards: NAMED_SECRETS }, never))).toEqual([
      '.mcp.json: \uFEFF{}',
      '.cursor/mcp.json: \uFEFF{}',
    ]);
  });

  it('are the workspace’s where the home folder is open', async () => {
    const home = temporaryFolder();
    write(join(home, '.cursor', 'mcp.json'));
    write(join(home, '.claude.json'));
    expect((await readConfigFiles({ folders: [home], home, guards: NAMED_SECRETS }, never)).map(({ source, display }) => `${source.scope} ${display}`)).toEqual(
      ['workspace .cursor/mcp.json', 'user ~/.claude.json'],
    );
  });

  it('are not read any more after a stop', async () => {
    const folder = temporaryFolder();
    write(join(folder, '.mcp.json'));
    await expect(readConfigFiles({ folders: [folder], home: temporaryFolder(), guards: NAMED_SECRETS }, AbortSignal.abort())).rejects.toThrow();
  });
});
