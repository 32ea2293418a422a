import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Binding, Bound } from '../../../src/domain/workspace/binding.js';
import { boundContent } from '../../../src/node/files/bound-content.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

function put(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

function look(folder: string, binding: Partial<Binding>): Promise<Bound> {
  const whole = { files: [], scripts: [], folders: [], notBound: [], earlier: { cwd: '.', paths: [] }, ...binding };
  return boundContent(whole, { folders: [folder], folder }, new AbortController().signal);
}

describe('what is bound, as it is now', () => {
  it('H-41: is all of a folder: contents, names, links, and what is new or gone; not what programs write there', async () => {
    const folder = temporaryFolder();
    put(folder, { 'tools/a.sh': '1', 'tools/sub/b.sh': '2', 'x/a.sh': '3', 'y/a.sh': '3' });
    symlinkSync('../x', join(folder, 'tools/link'));
    symlinkSync('nowhere', join(folder, 'tools/dead'));
    const [first] = (await look(folder, { folders: ['tools'] })).folders;
    expect(first).toMatchObject({ path: 'tools', content: { files: 4 } });
    const now = async (): Promise<boolean> => JSON.stringify((await look(folder, { folders: ['tools'] })).folders[0]) === JSON.stringify(first);
    put(folder, { 'tools/run.log': 'x', 'tools/state.db': 'x', 'tools/__pycache__/a.pyc': 'x', 'tools/node_modules/a/index.js': 'x', 'other.sh': 'x' });
    expect(await now()).toBe(true);
    const changes: readonly (readonly [() => void, () => void])[] = [
      [() => put(folder, { 'tools/sub/b.sh': '3' }), () => put(folder, { 'tools/sub/b.sh': '2' })],
      [() => put(folder, { 'tools/sub/c.sh': '' }), () => rmSync(join(folder, 'tools/sub/c.sh'))],
      [() => rmSync(join(folder, 'tools/a.sh')), () => put(folder, { 'tools/a.sh': '1' })],
      [() => relink(folder, '../y'), () => relink(folder, '../x')],
    ];
    for (const [change, back] of changes) {
      change();
      expect(await now()).toBe(false);
      back();
      expect(await now()).toBe(true);
    }
  });

  it('H-41: says which folders and files are too much, so that they are not bound', async () => {
    const folder = temporaryFolder();
    put(folder, Object.fromEntries(Array.from({ length: 210 }, (_, index) => [`many/${index}.sh`, ''])));
    put(folder, { 'big/a.sh': '' });
    truncateSync(join(folder, 'big/a.sh'), 5 * 1024 * 1024);
    const { folders, notBound } = await look(folder, { folders: ['many', 'big'] });
    expect(folders).toEqual([{ path: 'big' }, { path: 'many' }]);
    expect(notBound).toEqual([
      { kind: 'large', text: 'big' },
      { kind: 'large', text: 'many' },
    ]);
  });

  it('is never a workspace folder as a whole, nor what lies outside of it', async () => {
    const [folder, outside] = [temporaryFolder(), temporaryFolder()];
    put(outside, { 'a.sh': '1' });
    symlinkSync(outside, join(folder, 'out'));
    writeFileSync(join(folder, 'file'), '');
    expect(await look(folder, { folders: ['.', '', '..', 'out', 'file', 'missing', outside, '\0'] })).toMatchObject({ folders: [], places: { folders: [] } });
  });

  it('H-41: follows links before it goes up, as the system does', async () => {
    const folder = temporaryFolder();
    put(folder, { 'a/b/x.sh': '', 'a/check.sh': 'real', 'check.sh': 'other' });
    symlinkSync('a/b', join(folder, 'link'));
    expect((await look(folder, { files: ['link/../check.sh'] })).files.map(({ path }) => path)).toEqual(['a/check.sh']);
    expect(execFileSync('cat', ['link/../check.sh'], { cwd: folder, encoding: 'utf8' })).toBe('real');
  });

  it('is also what lies in another folder of the workspace', async () => {
    const [folder, other] = [temporaryFolder(), temporaryFolder()];
    put(other, { 'check.sh': '1' });
    const file = join(other, 'check.sh');
    const binding: Binding = {
      files: [file],
      scripts: [file],
      folders: [],
      notBound: [
        { kind: 'outside', text: file },
        { kind: 'outside', text: '/elsewhere/x.sh' },
      ],
      earlier: { cwd: '.', paths: [] },
    };
    const bound = await boundContent(binding, { folders: [folder, other], folder }, new AbortController().signal);
    expect([bound.files.map(({ path }) => path), bound.notBound]).toEqual([['check.sh'], [{ kind: 'outside', text: '/elsewhere/x.sh' }]]);
  });

  it('tells of links that lead out, whose content is not read', async () => {
    const [folder, outside] = [temporaryFolder(), temporaryFolder()];
    put(outside, { 'a.sh': '1' });
    symlinkSync(join(outside, 'a.sh'), join(folder, 'a.sh'));
    expect(await look(folder, { files: ['a.sh'] })).toMatchObject({
      files: [{ path: 'a.sh', leadsTo: join(outside, 'a.sh') }],
      notBound: [{ kind: 'outside', text: 'a.sh' }],
    });
  });
});

function relink(folder: string, to: string): void {
  rmSync(join(folder, 'tools/link'));
  symlinkSync(to, join(folder, 'tools/link'));
}
