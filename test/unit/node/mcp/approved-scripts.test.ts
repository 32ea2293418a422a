import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { ApprovedScripts } from '../../../../src/node/mcp/approved-scripts.js';
import { usedFiles } from '../../../../src/node/files/used-files.js';
import type { UsedFile } from '../../../../src/domain/workspace/used-file.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const NONE: ReadonlySet<string> = new Set();

describe('M-31: scripts that were approved along with a server', () => {
  let workspace: string;
  let storage: string;
  let scripts: ApprovedScripts;

  beforeEach(() => {
    workspace = temporaryFolder();
    storage = join(temporaryFolder(), 'approved');
    scripts = new ApprovedScripts(storage);
  });

  const write = (name: string, text: string | Uint8Array): void => writeFileSync(join(workspace, name), text);
  const seen = async (...names: readonly string[]): Promise<readonly UsedFile[]> => {
    const found = await usedFiles(names, { folders: [workspace], folder: workspace }, new AbortController().signal);
    return found.map(({ file }) => file);
  };
  const approved = (files: readonly UsedFile[]): readonly { path: string; sha256: string }[] => files.map(({ path, sha256 = '' }) => ({ path, sha256 }));

  test('are shown as they were and as they are, with nothing hidden', async () => {
    write('server.js', 'one();\r\ntwo();\n');
    const files = await seen('server.js');
    await scripts.keep(files, [workspace], NONE);
    write('server.js', 'one();\nsteal\u202e();\n');
    expect(await scripts.changes(approved(files), [workspace])).toEqual([
      { path: 'server.js', before: 'one();\ntwo();\n', after: 'one();\nsteal\\u{202e}();\n' },
    ]);
  });

  test('are compared with nothing when they are gone, or are a link out of the workspace by now', async () => {
    write('server.js', 'one();\n');
    const files = await seen('server.js');
    await scripts.keep(files, [workspace], NONE);
    const other = temporaryFolder();
    writeFileSync(join(other, 'secret'), 'secret');
    mkdirSync(join(workspace, 'sub'));
    symlinkSync(join(other, 'secret'), join(workspace, 'sub', 'link.js'));
    const moved = approved(files).map((file) => ({ ...file, path: 'sub/link.js' }));
    expect(await scripts.changes(moved, [workspace])).toEqual([{ path: 'sub/link.js', before: 'one();\n', after: '' }]);
    expect(await scripts.changes([{ path: 'gone.js', sha256: approved(files)[0]?.sha256 ?? '' }], [workspace])).toEqual([
      { path: 'gone.js', before: 'one();\n', after: '' },
    ]);
  });

  test('have no comparison when they are large, no text, or were not kept', async () => {
    write('large.js', 'x'.repeat(600 * 1024));
    write('binary.js', new Uint8Array([0, 1, 2, 255]));
    const files = await seen('large.js', 'binary.js');
    await scripts.keep(files, [workspace], NONE);
    expect(await scripts.changes([...approved(files), { path: 'large.js', sha256: '../../etc/passwd' }], [workspace])).toEqual([]);
  });

  test('are kept for as long as something approved needs them', async () => {
    write('a.js', 'a');
    write('b.js', 'b');
    const [a, b] = [await seen('a.js'), await seen('b.js')];
    await scripts.keep(a, [workspace], NONE);
    await scripts.keep(b, [workspace], new Set(approved(a).map(({ sha256 }) => sha256)));
    expect(readdirSync(storage)).toHaveLength(2);
    await scripts.keep(b, [workspace], NONE);
    expect(readdirSync(storage)).toEqual(approved(b).map(({ sha256 }) => sha256));
  });
});
