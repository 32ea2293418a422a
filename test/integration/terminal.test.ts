import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { waitFor } from '../vscode/wait.mjs';

const TIMEOUT_MS = 60_000;

describe('the command in terminals', () => {
  let folder: string;
  let count = 0;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gnomon-terminal-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const gnomon = (): vscode.Extension<unknown> => vscode.extensions.getExtension('gnomon.gnomon') ?? assert.fail('There is no extension.');

  /** What a command prints in a new terminal, with its exit code. */
  async function typed(command: string): Promise<string> {
    const whole = join(folder, `${(count += 1)}.txt`);
    const terminal = vscode.window.createTerminal({ shellPath: '/bin/sh', cwd: folder });
    try {
      terminal.sendText(`( ${command}; echo "exit code $?" ) > part 2>&1 < /dev/null; mv part '${whole}'`);
      return await waitFor(() => (existsSync(whole) ? readFile(whole, 'utf8') : undefined), { what: command, timeoutMs: TIMEOUT_MS });
    } finally {
      terminal.dispose();
    }
  }

  it('is on the PATH of a new terminal, and runs', async () => {
    const { version } = gnomon().packageJSON as { readonly version: string };
    assert.equal(await typed('gnomon --version'), `${version}\nexit code 0\n`);
    const answer = await typed('gnomon -p "What can you do?" --model demo/demo --no-session-persistence');
    assert.match(answer, /I am the offline demo[\s\S]*\nexit code 0\n$/);
  });

  it('K-22: runs with the Node.js of VS Code, which keeps what it has compiled, and knows where its ripgrep is', async () => {
    const answer = await typed('mkdir bin; printf "#!/bin/sh\\nexit 1" > bin/node; chmod +x bin/node; PATH=$PWD/bin:$PATH gnomon --version');
    assert.match(answer, /^[\d.]+\nexit code 0\n$/);
    await typed('PATH=$PWD/bin:$PATH XDG_DATA_HOME=$PWD gnomon -p Hello --model demo/demo');
    assert.notDeepEqual(readdirSync(join(folder, 'gnomon', 'compiled')), []);
    assert.equal(await typed('printf %s "$GNOMON_VSCODE_ROOT"'), `${vscode.env.appRoot}exit code 0\n`);
  });

  it('is at the end of the PATH, and is not there when that is turned off', async () => {
    const bin = join(gnomon().extensionPath, 'bin');
    assert.match(await typed('printf %s "$PATH"'), new RegExp(`:${bin.replaceAll(/[^\w/-]/g, '\\$&')}exit code 0\n$`));
    const settings = vscode.workspace.getConfiguration('gnomon.terminal');
    await settings.update('command', false, vscode.ConfigurationTarget.Global);
    try {
      assert.match(await typed('command -v gnomon'), /^exit code [1-9]/);
    } finally {
      await settings.update('command', undefined, vscode.ConfigurationTarget.Global);
    }
    assert.match(await typed('command -v gnomon'), /exit code 0\n$/);
  });
});
