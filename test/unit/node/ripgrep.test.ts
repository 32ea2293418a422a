import { closeSync, existsSync, mkdirSync, openSync, symlinkSync, utimesSync, writeFileSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ToolInputError } from '../../../src/domain/errors.js';
import type { GlobQuery, GrepFilesQuery, GrepQuery } from '../../../src/domain/search.js';
import { findRipgrep } from '../../../src/node/find-ripgrep.js';
import { createRipgrepSearch } from '../../../src/node/ripgrep.js';
import { ripgrepProgram } from './ripgrep-program.js';
import { tempFolder } from './temp-folder.js';

const search = createRipgrepSearch(() => Promise.resolve(ripgrepProgram()));
const { signal } = new AbortController();

function folderWith(files: Readonly<Record<string, string | Buffer>>): string {
  const folder = tempFolder();
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return folder;
}

const filter = { pattern: 'hit', globs: [], literal: false, ignoreCase: false, word: false, multiline: false, ignored: false };
const grep = (query: Partial<GrepQuery> & { path: string }): ReturnType<typeof search.grep> =>
  search.grep({ ...filter, before: 0, after: 0, offset: 0, limit: 100, ...query }, signal);
const grepFiles = (query: Partial<GrepFilesQuery> & { path: string }): ReturnType<typeof search.grepFiles> =>
  search.grepFiles({ ...filter, counts: false, offset: 0, limit: 100, ...query }, signal);
const glob = (query: Partial<GlobQuery> & { path: string }): ReturnType<typeof search.glob> =>
  search.glob({ pattern: '**', limit: 100, ...query }, signal);

describe('grep', () => {
  it('finds lines in order, with context, in any encoding', async () => {
    const folder = folderWith({
      'b.txt': 'one\r\nhit two\r\nthree\r\n',
      'a.txt': 'a hit',
      'c.txt': Buffer.from('caf\xe9 hit\n', 'latin1'),
      'd.txt': Buffer.from('\uFEFFhit 16\n', 'utf16le'),
    });
    const { lines, truncated } = await grep({ path: folder, before: 1, after: 1 });
    const shown = lines.map(({ path, line, text, match }) => `${path.slice(folder.length + 1)}:${line}:${match}:${text}`);
    expect(shown).toEqual([
      'a.txt:1:true:a hit',
      'b.txt:1:false:one',
      'b.txt:2:true:hit two',
      'b.txt:3:false:three',
      'c.txt:1:true:café hit',
      'd.txt:1:true:hit 16',
    ]);
    expect(truncated).toBe(false);
  });

  it('leaves out what is ignored, git’s folder and binaries, but not hidden files; a glob brings nothing back', async () => {
    const folder = folderWith({
      '.gitignore': 'ignored.ts\nnode_modules/\n',
      'ignored.ts': 'hit',
      'node_modules/x/y.ts': 'hit',
      '.git/config': 'hit',
      '.hidden/a.ts': 'hit',
      'bin': Buffer.from('\0hit\n'),
      'a.js': 'hit',
    });
    const names = async (...globs: string[]): Promise<string[]> =>
      (await grep({ path: folder, globs })).lines.map(({ path }) => path.slice(folder.length + 1));
    expect(await names()).toEqual(['.hidden/a.ts', 'a.js']);
    expect(await names('*.ts')).toEqual(['.hidden/a.ts']);
    expect(await names('**/*')).toEqual(['.hidden/a.ts', 'a.js']);
    expect(await names('!*.ts')).toEqual(['a.js']);
    expect(await names('.hidden/**')).toEqual(['.hidden/a.ts']);
    expect(await names('*.ts', '*.js', '!.hidden/')).toEqual(['a.js']);
    const all = await grepFiles({ path: folder, ignored: true });
    expect(all.files.map(({ path }) => path.slice(folder.length + 1))).toEqual(['.gitignore', '.hidden/a.ts', 'a.js', 'ignored.ts', 'node_modules/x/y.ts'].slice(1));
  });

  it('tool-14: takes patterns and paths literally, whatever they look like', async () => {
    const folder = folderWith({ 'c.sh': '#!/bin/sh\ntouch PWN\n', '-f': '--pre=./c.sh\n', 'a.txt': 'x\n' });
    expect((await grep({ path: folder, pattern: '--pre=./c.sh' })).lines).toHaveLength(1);
    expect((await grep({ path: join(folder, '-f'), pattern: 'pre', globs: ['*'] })).lines).toHaveLength(1);
    await expect(grep({ path: '-f/etc/passwd' })).rejects.toThrow(ToolInputError);
    expect(existsSync(join(folder, 'PWN'))).toBe(false);
  });

  it('path-14: follows no link below the folder', async () => {
    const outside = folderWith({ secret: 'hit' });
    const folder = folderWith({ a: 'hit' });
    symlinkSync(outside, join(folder, 'link'));
    symlinkSync(join(outside, 'secret'), join(folder, 'file'));
    expect((await grep({ path: folder })).lines.map(({ path }) => path)).toEqual([join(folder, 'a')]);
    expect((await glob({ path: folder })).paths).toEqual([join(folder, 'a')]);
  });

  it('says what is wrong with a pattern or path', async () => {
    const folder = folderWith({ a: 'hit' });
    await expect(grep({ path: folder, pattern: '(' })).rejects.toThrow(/unclosed group/);
    await expect(grep({ path: join(folder, 'none') })).rejects.toThrow(/does not exist/);
  });

  it('stops at the limit', async () => {
    const folder = folderWith({ a: 'hit\n'.repeat(100_000), b: 'hit\n'.repeat(100_000) });
    const { lines, truncated } = await grep({ path: folder, limit: 10 });
    expect(lines).toHaveLength(10);
    expect(truncated).toBe(true);
    expect(await grep({ path: join(folder, 'a'), limit: 100_000 })).toMatchObject({ truncated: false });
  });

  it('tool-13: a line of 50 MB takes little memory and shows its beginning', async () => {
    const folder = tempFolder();
    const file = openSync(join(folder, 'big'), 'w');
    writeSync(file, 'first\nbegin "quoted" ');
    for (let index = 0; index < 50; index += 1) writeSync(file, 'x'.repeat(1024 * 1024));
    writeSync(file, ' hit\nlast hit\n');
    closeSync(file);
    const before = process.memoryUsage().rss;
    const { lines } = await grep({ path: folder });
    expect(process.memoryUsage().rss - before).toBeLessThan(50 * 1024 * 1024);
    expect(lines.map(({ line }) => line)).toEqual([2, 3]);
    expect(lines[0]?.text).toMatch(/^begin "quoted" x+… \[very long line\]$/);
  });

  it('can be stopped', async () => {
    const folder = folderWith({ a: 'hit' });
    const query = { ...filter, path: folder, before: 0, after: 0, offset: 0, limit: 1 };
    await expect(search.grep(query, AbortSignal.abort())).rejects.toThrow(/abort/i);
    const controller = new AbortController();
    const running = search.grep({ ...query, path: '/' }, controller.signal);
    controller.abort();
    await expect(running).rejects.toThrow(/abort/i);
  });
});

describe('glob', () => {
  it('lists the newest first, ignored files left out', async () => {
    const folder = folderWith({ '.gitignore': '*.log\n', 'old.ts': '', 'x/new.ts': '', 'a.log': '', '.git/x.ts': '' });
    utimesSync(join(folder, 'old.ts'), 1, 1);
    utimesSync(join(folder, 'x/new.ts'), 2, 2);
    const { paths, truncated } = await glob({ path: folder, pattern: '*.ts' });
    expect(paths).toEqual([join(folder, 'x/new.ts'), join(folder, 'old.ts')]);
    expect(truncated).toBe(false);
    expect((await glob({ path: folder, pattern: '*.log' })).paths).toEqual([]);
    expect(await glob({ path: folder, pattern: '*.ts', limit: 1 })).toEqual({ paths: [join(folder, 'x/new.ts')], truncated: true });
  });

  it('tool-15: names with line feeds, quotes, dashes and commands are just names', async () => {
    const names = ['a\nb', '-rf', '$(touch PWN)', "it's", '"q"', '*'];
    const folder = folderWith(Object.fromEntries(names.map((name) => [name, ''])));
    expect((await glob({ path: folder })).paths.map((path) => path.slice(folder.length + 1)).sort()).toEqual([...names].sort());
  });
});

describe('findRipgrep', () => {
  it('looks where versions of VS Code keep it', async () => {
    const root = folderWith({ 'node_modules.asar.unpacked/@vscode/ripgrep/bin/rg': '' });
    await expect(findRipgrep(root)).rejects.toThrow(/was not found below/);
    const places = [
      `node_modules/@vscode/ripgrep-universal/bin/${process.platform}-${process.arch}/rg`,
      'node_modules/@vscode/ripgrep/bin/rg',
    ];
    for (const place of places) {
      const app = tempFolder();
      mkdirSync(dirname(join(app, place)), { recursive: true });
      symlinkSync(ripgrepProgram(), join(app, place));
      expect(await findRipgrep(app)).toBe(join(app, place));
    }
  });
});
