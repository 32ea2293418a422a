import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createDiskDocuments } from '../../../src/node/files/disk-documents.js';
import { createRipgrepSearch } from '../../../src/node/search/ripgrep.js';
import { createWorkspace } from '../../../src/node/files/workspace.js';
import { createTools } from '../../../src/tool/index.js';
import { createMemoryWorkspace, toolContext } from '../../support/memory-workspace/index.js';
import { ripgrepProgram } from '../node/ripgrep-program.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { rig, textOf } from './rig.js';

/** Lists folders on the disk. */
function lister(folder: string): (args: object) => Promise<string> {
  const workspace = createWorkspace(() => [{ name: 'ws', path: folder }], folder);
  const tools = createTools({
    ...createMemoryWorkspace(),
    documents: createDiskDocuments(),
    search: createRipgrepSearch(() => Promise.resolve(ripgrepProgram())),
    workspace,
  });
  const list = tools.find(({ spec }) => spec.name === 'list');
  if (list === undefined) throw new Error('There is no tool list.');
  return async (args) => textOf(await list.execute(await list.plan(args, toolContext()), toolContext()));
}

describe('list', () => {
  it('shows folders first, sizes, links, and what searches leave out', async () => {
    const folder = temporaryFolder();
    for (const name of ['src/deep', 'dist', 'void', '.git/hooks', '.github']) mkdirSync(join(folder, name), { recursive: true });
    for (const [name, text] of [
      ['src/deep/a.ts', 'x'],
      ['dist/out.js', 'x'],
      ['.git/HEAD', 'x'],
      ['.github/ci.yml', 'x'],
      ['.gitignore', 'dist\n*.log\n'],
      ['a.log', 'xx'],
      ['README.md', 'x'.repeat(2_048)],
    ] as const) {
      writeFileSync(join(folder, name), text);
    }
    symlinkSync('src', join(folder, 'linked'));
    symlinkSync('nowhere', join(folder, 'lost'));
    const list = lister(folder);
    const entries = [
      '.git/ (ignored)',
      '.github/',
      'dist/ (ignored)',
      'src/',
      'void/ (empty)',
      '.gitignore 11 bytes',
      'README.md 2 KB',
      'a.log 2 bytes (ignored)',
      'linked/ (link)',
      'lost (broken link)',
    ];
    expect((await list({})).split('\n')).toEqual(entries);
    expect(await list({ path: 'src' })).toBe('deep/');
    expect(await list({ path: 'void' })).toBe('void is empty.');
  });

  it('tool-13: gives 500 entries at a time, and says how to go on', async () => {
    const { call } = rig({ files: Object.fromEntries(Array.from({ length: 501 }, (_, index) => [`/ws/many/${1_000 + index}`, ''])) });
    const first = textOf(await call('list', { path: 'many' })).split('\n');
    expect(first).toHaveLength(501);
    expect(first.at(-1)).toBe('[PARTIAL: entries 1-500 of 501. Continue with offset 501.]');
    expect(textOf(await call('list', { path: 'many', offset: 501 }))).toBe('1500 0 bytes');
    expect(await call('list', { path: 'many', offset: 502 })).toMatchObject({ isError: true });
  });

  it('plans to read the folder alone, by every name that it has', async () => {
    const { tool } = rig({ links: { '/ws/src': '/home/user/.ssh' } });
    expect(await tool('list').plan({ path: 'src' }, toolContext())).toMatchObject({
      subject: 'src',
      accesses: [
        { kind: 'read', target: '/ws/src' },
        { kind: 'read', target: '/home/user/.ssh' },
      ],
    });
  });

  it('shows every folder of a workspace with several', async () => {
    const { call } = rig({ folders: ['/x/app', '/y/lib'], files: { '/x/app/a': '', '/y/lib/b': '' } });
    expect(textOf(await call('list', {}))).toBe('app:\na 0 bytes\n\nlib:\nb 0 bytes');
  });

  it('refuses files and what is not there, with what to do', async () => {
    const { call } = rig({ files: { '/ws/a.ts': '' } });
    expect(textOf(await call('list', { path: 'a.ts' }))).toBe('a.ts is not a folder. Use read for files.');
    expect(textOf(await call('list', { path: 'a.tx' }))).toBe('a.tx does not exist. Did you mean a.ts?');
  });
});
