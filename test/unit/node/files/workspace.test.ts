import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { ToolInputError } from '../../../../src/domain/errors.js';
import type { WorkspaceFolder } from '../../../../src/domain/workspace/workspace.js';
import { createWorkspace, windowsPathProblem } from '../../../../src/node/files/workspace.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

function oneFolder(): { base: string; ws: string; workspace: ReturnType<typeof createWorkspace> } {
  const base = temporaryFolder();
  const ws = join(base, 'ws');
  mkdirSync(join(ws, 'src'), { recursive: true });
  writeFileSync(join(ws, 'src/a.ts'), '');
  return { base, ws, workspace: createWorkspace(() => [{ name: 'ws', path: ws }], join(base, 'home')) };
}

describe('locate', () => {
  it('takes relative and absolute paths, and normalizes them', async () => {
    const { ws, workspace } = oneFolder();
    const expected = { path: join(ws, 'src/a.ts'), real: join(ws, 'src/a.ts'), display: 'src/a.ts', inside: true, throughLink: false };
    expect(await workspace.locate('src/a.ts')).toEqual(expected);
    expect(await workspace.locate('./src/../src//a.ts')).toEqual(expected);
    expect(await workspace.locate(join(ws, 'src/a.ts'))).toEqual(expected);
    expect(await workspace.locate('.')).toMatchObject({ path: ws, display: '.', inside: true });
  });

  it('places what does not exist yet in its nearest existing parent', async () => {
    const { base, ws, workspace } = oneFolder();
    symlinkSync(base, join(ws, 'out'));
    expect(await workspace.locate('new/deep/file')).toMatchObject({ real: join(ws, 'new/deep/file'), inside: true, throughLink: false });
    expect(await workspace.locate('out/new/file')).toMatchObject({ real: join(base, 'new/file'), inside: false, throughLink: true });
    expect(await workspace.locate('src/a.ts/below')).toMatchObject({ real: join(ws, 'src/a.ts/below') });
  });

  it('path-01: what leads out is outside, URLs of files included', async () => {
    const { base, workspace } = oneFolder();
    expect(await workspace.locate('../../etc/passwd')).toMatchObject({ inside: false });
    expect(await workspace.locate('/etc/passwd')).toMatchObject({ path: '/etc/passwd', display: '/etc/passwd', inside: false });
    expect(await workspace.locate('file:///etc/passwd')).toMatchObject({ path: '/etc/passwd', inside: false });
    expect(await workspace.locate(pathToFileURL(base).href)).toMatchObject({ path: base });
    await expect(workspace.locate('vscode-vfs://github/a/b')).rejects.toThrow(ToolInputError);
    await expect(workspace.locate('file://server/share')).rejects.toThrow(ToolInputError);
  });

  it('path-02: a folder whose name only begins like the workspace is outside', async () => {
    const { ws, workspace } = oneFolder();
    expect(await workspace.locate(`${ws}-evil/x`)).toMatchObject({ inside: false, display: `${ws}-evil/x` });
    expect(await workspace.locate(`${ws}/..evil`)).toMatchObject({ inside: true });
  });

  it('path-04: shows where links lead, dangling ones included', async () => {
    const { base, ws, workspace } = oneFolder();
    symlinkSync(join(base, 'missing/keys'), join(ws, 'notes.md'));
    symlinkSync('src/a.ts', join(ws, 'alias.ts'));
    symlinkSync('loop', join(ws, 'loop'));
    expect(await workspace.locate('notes.md')).toMatchObject({
      path: join(ws, 'notes.md'),
      real: join(base, 'missing/keys'),
      inside: false,
      throughLink: true,
    });
    expect(await workspace.locate('alias.ts')).toMatchObject({ real: join(ws, 'src/a.ts'), inside: true, throughLink: true });
    await expect(workspace.locate('loop')).rejects.toThrow(ToolInputError);
  });

  it('path-12: ~ is the home directory; variables are never expanded', async () => {
    const { base, ws, workspace } = oneFolder();
    expect(await workspace.locate('~/x')).toMatchObject({ path: join(base, 'home/x'), inside: false });
    expect(await workspace.locate('~')).toMatchObject({ path: join(base, 'home'), inside: false });
    for (const path of ['$HOME/x', '${PWD}/../x', '%APPDATA%\\x']) {
      await expect(workspace.locate(path)).rejects.toThrow(/not expanded/);
    }
    expect(await workspace.locate('./$lib/x')).toMatchObject({ path: join(ws, '$lib/x') });
    expect(await workspace.locate('$route.tsx')).toMatchObject({ path: join(ws, '$route.tsx') });
  });

  it('path-13: refuses NUL and the empty path', async () => {
    const { workspace } = oneFolder();
    await expect(workspace.locate('a\0b')).rejects.toThrow(ToolInputError);
    await expect(workspace.locate(' ')).rejects.toThrow(ToolInputError);
  });

  it('path-17: a workspace that is a link itself is no way out', async () => {
    const { base, ws } = oneFolder();
    const link = join(base, 'link');
    symlinkSync(ws, link);
    const workspace = createWorkspace(() => [{ name: 'link', path: link }], base);
    const real = join(ws, 'src/a.ts');
    expect(await workspace.locate('src/a.ts')).toEqual({ path: join(link, 'src/a.ts'), real, display: 'src/a.ts', inside: true, throughLink: false });
    expect(await workspace.locate(real)).toMatchObject({ display: 'src/a.ts', inside: true, throughLink: false });
  });

  it('does not tell which of several folders has a file that may not be shown', async () => {
    const answers = new Set<string>();
    for (const having of [[], ['a'], ['b'], ['a', 'b']]) {
      const base = temporaryFolder();
      const roots = ['a', 'b'].map((name) => ({ name, path: join(base, name) }));
      for (const { path } of roots) mkdirSync(join(path, 'src'), { recursive: true });
      for (const name of having) writeFileSync(join(base, name, '.env'), '');
      const workspace = createWorkspace(
        () => roots,
        join(base, 'home'),
        () => Promise.resolve((path) => !path.endsWith('.env')),
      );
      for (const path of ['.env', './.env', 'src/../.env']) {
        const answer = await workspace.locate(path).then(({ display }) => display, String);
        answers.add(answer.replaceAll(/[^ ]*\/\.env/g, '.env'));
      }
      expect(await workspace.locate('b/.env')).toMatchObject({ path: join(base, 'b/.env'), inside: true });
    }
    expect([...answers]).toEqual(["ToolInputError: Several folders are open. Begin with the folder's name: .env, .env."]);
  });

  it('path-17: several folders, by name, by content, and gone once closed', async () => {
    const base = temporaryFolder();
    for (const file of ['app/both', 'lib/both', 'lib/only']) {
      mkdirSync(join(base, file, '..'), { recursive: true });
      writeFileSync(join(base, file), '');
    }
    let open: WorkspaceFolder[] = ['app', 'lib'].map((name) => ({ name, path: join(base, name) }));
    const workspace = createWorkspace(() => open, base);
    expect(await workspace.locate('lib/both')).toMatchObject({ path: join(base, 'lib/both'), display: 'lib/both' });
    expect(await workspace.locate('only')).toMatchObject({ path: join(base, 'lib/only'), display: 'lib/only' });
    expect(await workspace.locate('new')).toMatchObject({ path: join(base, 'app/new'), display: 'app/new' });
    expect(await workspace.locate('lib')).toMatchObject({ path: join(base, 'lib'), display: 'lib' });
    await expect(workspace.locate('both')).rejects.toThrow(/app\/both, lib\/both/);
    open = open.slice(0, 1);
    expect(await workspace.locate(join(base, 'lib/only'))).toMatchObject({ inside: false });
  });

  it('without folders starts at home, where nothing is inside', async () => {
    const base = temporaryFolder();
    const workspace = createWorkspace(() => [], base);
    expect(workspace.cwd()).toBe(base);
    expect(await workspace.locate('x')).toEqual({ path: join(base, 'x'), real: join(base, 'x'), display: join(base, 'x'), inside: false, throughLink: false });
  });

  it('a folder that was deleted leads nowhere else', async () => {
    const { ws, workspace } = oneFolder();
    rmSync(ws, { recursive: true });
    expect(await workspace.locate('src/a.ts')).toMatchObject({ real: join(ws, 'src/a.ts'), inside: true });
  });
});

describe('windowsPathProblem', () => {
  it.each([
    'C:\\ws\\settings.json::$DATA',
    'C:\\ws\\SETTIN~1.JSO',
    'C:\\ws\\settings.json.',
    'C:\\ws\\.vscode \\settings.json',
    '\\\\?\\C:\\ws\\a',
    '\\??\\C:\\a',
    '\\\\server\\share\\a',
    '//server/share',
    'C:\\ws\\CON',
    'nul.txt',
    'C:a',
  ])('path-10: refuses %s', (path) => {
    expect(windowsPathProblem(path)).toBeTypeOf('string');
  });

  it.each(['C:\\ws\\src\\a.ts', 'src/console.ts', '..\\a', '.\\b', 'D:/x/.gitignore'])('takes %s', (path) => {
    expect(windowsPathProblem(path)).toBeUndefined();
  });
});
