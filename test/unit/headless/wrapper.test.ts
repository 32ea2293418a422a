import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { environmentOf, headlessProgram } from '../../support/headless-program.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly version: string };
const program = headlessProgram();

/** The command in a folder of the extension as it is installed, with a space in its path. */
function installed(): string {
  const extension = join(temporaryFolder(), 'my extensions', 'gnomon');
  cpSync('bin', join(extension, 'bin'), { recursive: true });
  mkdirSync(join(extension, 'dist'));
  symlinkSync(dirname(program.path('gnomon.js')), join(extension, 'dist', 'chunks'));
  return join(extension, 'bin', 'gnomon');
}

/** A folder with these programs, each of them a script of the shell. */
function folderWith(programs: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder();
  for (const [name, script] of Object.entries(programs)) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(folder, name), 0o755);
  }
  return folder;
}

/** The system's own programs that it uses. */
const tools = (): string => folderWith({ dirname: 'exec /usr/bin/dirname "$@"', readlink: 'exec /usr/bin/readlink "$@"' });
const node = (says = ''): Readonly<Record<string, string>> => ({ node: `${says}\nexec '${process.execPath}' "$@"` });

function run(path: string, folders: readonly string[], env: Readonly<Record<string, string>> = {}, args: readonly string[] = ['--version']) {
  const { status, stdout, stderr } = spawnSync(path, args, { env: environmentOf(temporaryFolder(), { ...env, PATH: folders.join(':') }), encoding: 'utf8' });
  return { code: status, output: stdout, errors: stderr };
}

const done = { code: 0, output: `${version}\n`, errors: '' };

it('is in the package of the extension, for each system', () => {
  const inPackage = readFileSync('.vscodeignore', 'utf8').split('\n');
  expect(readdirSync('bin').filter((name) => !inPackage.includes(`!bin/${name}`))).toEqual([]);
});

describe.skipIf(process.platform === 'win32')('the command in the extension', () => {
  it('starts the program with the Node.js on the PATH, also by a link to a link', () => {
    const [path, links] = [installed(), temporaryFolder()];
    symlinkSync(path, join(links, 'first'));
    symlinkSync('first', join(links, 'gnomon'));
    expect(run(path, [folderWith(node()), tools()])).toEqual(done);
    expect(run(join(links, 'gnomon'), [folderWith(node()), tools()])).toEqual(done);
    expect(run('gnomon', [links, folderWith(node()), tools()])).toEqual(done);
  });

  it('passes on arguments as they are, and how the program ends', () => {
    const path = installed();
    const prompt = 'two  spaces, a "quote", $HOME, and *';
    const { output } = run(path, [folderWith(node()), tools()], {}, [
      '-p',
      prompt,
      '--model',
      'demo/demo',
      '--output-format',
      'stream-json',
      '--replay-user-messages',
    ]);
    expect(output).toContain(JSON.stringify(prompt));
    expect(run(path, [folderWith(node()), tools()], {}, ['--nothing']).code).toBe(2);
  });

  it.each(['v18.20.4', 'v20.9.0', 'v20.18.3', 'v9.11.2'])('K-22: uses the Node.js of VS Code where the one on the PATH is %s', (old) => {
    const too = folderWith({ node: `test "$1" = --version && echo ${old} && exit\necho 'This is too old.'; exit 1` });
    const [vscode, path] = [folderWith({ code: `test "$ELECTRON_RUN_AS_NODE" = 1 && exec '${process.execPath}' "$@"` }), installed()];
    expect(run(path, [too, tools()], { GNOMON_VSCODE_NODE: join(vscode, 'code') })).toEqual(done);
    const { code, errors } = run(path, [too, tools()]);
    expect([code, errors]).toEqual([127, expect.stringContaining('gnomon needs Node.js 20.19 or newer on the PATH')]);
  });

  it.each(['v20.19.0', 'v20.20.2', 'v22.1.0', 'v24.11.1', 'v30.0.0'])('prefers a Node.js on the PATH of version %s', (fine) => {
    const own = folderWith(node(`test "$1" = --version && echo ${fine} && exit`));
    expect(run(installed(), [own, tools()], { GNOMON_VSCODE_NODE: '/bin/false' })).toEqual(done);
  });

  it('K-22: leaves out for programs that it starts what made the executable of VS Code Node.js', () => {
    const [vscode, file] = [folderWith({ code: `exec '${process.execPath}' "$@"` }), join(temporaryFolder(), 'seen')];
    const hooks = { UserPromptSubmit: [{ hooks: [{ type: 'command', command: `echo "<$ELECTRON_RUN_AS_NODE>" > '${file}'` }] }] };
    const args = ['-p', 'Hello', '--model', 'demo/demo', '--settings', JSON.stringify({ hooks })];
    run(installed(), [folderWith({ node: 'exit 1' }), '/usr/bin', '/bin'], { GNOMON_VSCODE_NODE: join(vscode, 'code') }, args);
    expect(readFileSync(file, 'utf8')).toBe('<>\n');
  });
});
