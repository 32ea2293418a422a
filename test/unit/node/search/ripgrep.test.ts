import { execFileSync } from 'node:child_process';
import { chmodSync, closeSync, existsSync, mkdirSync, openSync, symlinkSync, utimesSync, writeFileSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { ToolInputError } from '../../../../src/domain/errors.js';
import type { GlobQuery, GrepFilesQuery, GrepQuery } from '../../../../src/domain/workspace/search.js';
import { findRipgrep } from '../../../../src/node/search/run-ripgrep.js';
import { FirstByPath } from '../../../../src/node/search/ripgrep-lines.js';
import { createRipgrepSearch } from '../../../../src/node/search/ripgrep.js';
import { ripgrepProgram } from '../ripgrep-program.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const search = createRipgrepSearch(() => Promise.resolve(ripgrepProgram()));
const { signal } = new AbortController();

function folderWith(files: Readonly<Record<string, string | Buffer>>): string {
  const folder = temporaryFolder();
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
const glob = (query: Partial<GlobQuery> & { path: string }): ReturnType<typeof search.glob> => search.glob({ pattern: '**', limit: 100, ...query }, signal);

describe('path-15 a file that may not be shown', () => {
  it('is left out of lines, files and counts, and named by a search for names', async () => {
    const folder = folderWith({ '.env': 'hit=1\n', 'a.txt': 'hit\n', 'sub/.env': 'hit=2\n' });
    const careful = createRipgrepSearch(
      () => Promise.resolve(ripgrepProgram()),
      () => Promise.resolve((path) => !path.endsWith('/.env')),
    );
    const page = { ...filter, path: folder, offset: 0, limit: 100 };
    const { lines } = await careful.grep({ ...page, before: 0, after: 0 }, signal);
    const { files } = await careful.grepFiles({ ...page, counts: true }, signal);
    expect([...new Set([...lines, ...files].map(({ path }) => path))]).toEqual([join(folder, 'a.txt')]);
    expect((await careful.glob({ pattern: '.env', path: folder, limit: 10 }, signal)).paths).toHaveLength(2);
  });
});

describe('a pattern that only PCRE2 matches', () => {
  it('finds what is before or after something, and what repeats', async () => {
    const folder = folderWith({ 'a.txt': 'foo bar\r\nfoo baz\r\nlala\r\n' });
    const texts = async (pattern: string): Promise<readonly string[]> => (await grep({ path: folder, pattern })).lines.map(({ text }) => text);
    expect(await texts('foo(?= bar)')).toEqual(['foo bar']);
    expect(await texts('(?<!bar)baz$')).toEqual(['foo baz']);
    expect(await texts(String.raw`(\w\w)\1`)).toEqual(['lala']);
    expect(await grepFiles({ path: folder, pattern: 'foo(?! bar)', counts: true })).toMatchObject({ files: [{ path: join(folder, 'a.txt'), count: 1 }] });
    await expect(grep({ path: folder, pattern: 'foo(?= bar' })).rejects.toThrow(/ripgrep cannot search: .*parenthesis/);
  });

  it('ends where it would try for ever, and says so', async () => {
    const folder = folderWith({ 'a.txt': `${'a'.repeat(200)}c\n` });
    const note = 'Files that cannot be read, or in which this pattern takes too long, are left out.';
    expect(await grep({ path: folder, pattern: '^(?=(a+)+$)b|^(a+)+$' })).toMatchObject({ lines: [], note });
  });

  it('says the same whether it takes too long in a file that may not be shown, or not', async () => {
    const careful = createRipgrepSearch(
      () => Promise.resolve(ripgrepProgram()),
      () => Promise.resolve((path) => !path.endsWith('/.env')),
    );
    const answers = await Promise.all(
      [`one${'a'.repeat(200)}c\n`, 'two\n', undefined].map(async (text) => {
        const folder = folderWith({ 'a.txt': 'one\n', ...(text === undefined ? {} : { '.env': text }) });
        const result = await careful.grepFiles({ ...filter, path: folder, pattern: '^one(?=(a+)+$)|^one$', counts: true, offset: 0, limit: 10 }, signal);
        return { ...result, files: result.files.map(({ path, count }) => [path.replace(folder, ''), count]) };
      }),
    );
    expect(answers.slice(1)).toEqual([answers[0], answers[0]]);
  });

  it('can be stopped', async () => {
    const folder = folderWith({ 'a.txt': `${'a'.repeat(30)}c\n`.repeat(200_000) });
    const controller = new AbortController();
    const running = search.grep({ ...filter, path: folder, pattern: '^(?=(a+)+$)b', before: 0, after: 0, offset: 0, limit: 1 }, controller.signal);
    controller.abort();
    await expect(running).rejects.toThrow(/abort/i);
  });

  it.runIf(process.platform !== 'win32')('is refused in words where ripgrep lacks it', async () => {
    const folder = folderWith({ 'a.txt': 'x' });
    const program = join(folder, 'rg');
    writeFileSync(
      program,
      '#!/bin/sh\ncase "$*" in *--pcre2*) echo "PCRE2 is not available in this build of ripgrep" >&2;; *) echo "error: look-around, including look-ahead and look-behind, is not supported" >&2;; esac\nexit 2\n',
    );
    chmodSync(program, 0o755);
    const lacking = createRipgrepSearch(() => Promise.resolve(program));
    await expect(lacking.grep({ ...filter, path: folder, pattern: 'x(?=y)', before: 0, after: 0, offset: 0, limit: 1 }, signal)).rejects.toThrow(
      /no look-around and no back-references\. Search for a simpler pattern/,
    );
  });
});

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
      bin: Buffer.from('\0hit\n'),
      'a.js': 'hit',
    });
    const names = async (...globs: string[]): Promise<string[]> => (await grep({ path: folder, globs })).lines.map(({ path }) => path.slice(folder.length + 1));
    expect(await names()).toEqual(['.hidden/a.ts', 'a.js']);
    expect(await names('*.ts')).toEqual(['.hidden/a.ts']);
    expect(await names('**/*')).toEqual(['.hidden/a.ts', 'a.js']);
    expect(await names('!*.ts')).toEqual(['a.js']);
    expect(await names('.hidden/**')).toEqual(['.hidden/a.ts']);
    expect(await names('*.ts', '*.js', '!.hidden/')).toEqual(['a.js']);
    const all = await grepFiles({ path: folder, ignored: true });
    expect(all.files.map(({ path }) => path.slice(folder.length + 1))).toEqual(['.hidden/a.ts', 'a.js', 'ignored.ts', 'node_modules/x/y.ts']);
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
    const folder = temporaryFolder();
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
  const platform = `${process.platform}-${process.arch}`;

  it('looks where versions of VS Code keep it, on desktops and servers', async () => {
    const root = folderWith({ 'node_modules.asar.unpacked/@vscode/ripgrep/bin/rg': '' });
    await expect(findRipgrep(root)).rejects.toThrow(/was not found below/);
    const inside = [`ripgrep-universal/bin/${platform}/rg`, 'ripgrep/bin/rg', `ripgrep-${platform}/bin/rg`];
    for (const place of inside.flatMap((rest) => [`node_modules/@vscode/${rest}`, `node_modules.asar.unpacked/@vscode/${rest}`])) {
      const app = temporaryFolder();
      mkdirSync(dirname(join(app, place)), { recursive: true });
      symlinkSync(ripgrepProgram(), join(app, place));
      expect(await findRipgrep(app)).toBe(join(app, place));
    }
  });

  it('takes none from the workspace, the folder it runs in or the search path, and no folder of that name', async () => {
    const planted = folderWith({ 'node_modules/@vscode/ripgrep/bin/rg': '#!/bin/sh\n', rg: '#!/bin/sh\n' });
    for (const file of ['node_modules/@vscode/ripgrep/bin/rg', 'rg']) chmodSync(join(planted, file), 0o755);
    const { cwd, env } = { cwd: process.cwd(), env: process.env['PATH'] };
    process.env['PATH'] = `${planted}:${env ?? ''}`;
    const away = vi.spyOn(process, 'cwd').mockReturnValue(planted);
    try {
      const app = temporaryFolder();
      mkdirSync(join(app, 'node_modules/@vscode/ripgrep/bin/rg'), { recursive: true });
      await expect(findRipgrep(app)).rejects.toThrow(/was not found below/);
      for (const nowhere of ['', '.', 'resources/app']) await expect(findRipgrep(nowhere)).rejects.toThrow(/is not known/);
    } finally {
      process.env['PATH'] = env;
      away.mockRestore();
    }
    expect(process.cwd()).toBe(cwd);
  });
});

describe('hostile files and surroundings', () => {
  it('tool-14: a configuration of ripgrep is not read', async () => {
    const folder = folderWith({ 'a.txt': 'hit\n', 'c.sh': '#!/bin/sh\ntouch PWN\n', rc: '--pre=./c.sh\n--files-with-matches\n' });
    chmodSync(join(folder, 'c.sh'), 0o755);
    vi.stubEnv('RIPGREP_CONFIG_PATH', join(folder, 'rc'));
    const { lines } = await grep({ path: folder, globs: ['*.txt'] });
    vi.unstubAllEnvs();
    expect(lines.map(({ text }) => text)).toEqual(['hit']);
    expect(existsSync(join(folder, 'PWN'))).toBe(false);
  });

  it.each(['--pre=./c.sh', '-f/etc/passwd', '--files', '-e', '$(touch PWN)', '`touch PWN`', "'", '\\-\\-'])(
    'tool-14: %s is a pattern, a type or a glob, never a switch',
    async (text) => {
      const folder = folderWith({ 'a.txt': `x ${text}\n` });
      expect((await grep({ path: folder, pattern: text, literal: true })).lines).toHaveLength(1);
      await expect(grep({ path: folder, type: text })).rejects.toThrow(ToolInputError);
      expect((await grepFiles({ path: folder, pattern: 'x', globs: [text] })).files).toEqual([]);
      expect((await glob({ path: folder, pattern: text })).paths).toEqual([]);
      expect(existsSync(join(folder, 'PWN'))).toBe(false);
    },
  );

  it('tool-14: patterns that would take all memory or time are refused', async () => {
    const folder = folderWith({ a: `${'a'.repeat(100_000)}\n` });
    await expect(grep({ path: folder, pattern: '((a{1000}){1000}){1000}' })).rejects.toThrow(/size limit/);
    await expect(grep({ path: folder, pattern: 'x'.repeat(20_001) })).rejects.toThrow(/longer than/);
    await expect(grep({ path: folder, pattern: 'a\0b' })).rejects.toThrow(/NUL/);
    await expect(grep({ path: folder, globs: ['{a,b}'.repeat(30)] })).rejects.toThrow(/braces/);
    expect((await grep({ path: folder, pattern: '(a+)+$' })).lines).toHaveLength(1);
    expect((await grep({ path: folder, pattern: '(a|aa)+b' })).lines).toEqual([]);
  });

  it('tool-15: names that are hard to show come out whole, each once, and are counted', async () => {
    const names = ['a\nb', '-rf', '$(touch PWN)', "it's", '"q"', '*', ' x', 'é', '日本', 'a:1:hit', '\\', '1\n2'];
    const folder = folderWith(Object.fromEntries(names.map((name) => [name, 'hit\nhit\n'])));
    const { lines } = await grep({ path: folder });
    expect([...new Set(lines.map(({ path }) => path.slice(folder.length + 1)))].sort()).toEqual([...names].sort());
    expect(lines).toHaveLength(2 * names.length);
    const { files } = await grepFiles({ path: folder, counts: true });
    expect(files.map(({ path, count }) => [path.slice(folder.length + 1), count]).sort()).toEqual(names.map((name) => [name, 2]).sort());
  });

  it.runIf(process.platform === 'linux')('tool-15: bytes of a name that are not UTF-8 are shown as such', async () => {
    const folder = temporaryFolder();
    writeFileSync(Buffer.concat([Buffer.from(`${folder}/caf`), Buffer.from([0xe9]), Buffer.from('é.txt')]), 'hit\n');
    const shown = join(folder, 'caf\\xe9é.txt');
    expect((await grep({ path: folder })).lines.map(({ path }) => path)).toEqual([shown]);
    expect((await grepFiles({ path: folder })).files).toEqual([{ path: shown }]);
    expect((await glob({ path: folder, pattern: '*.txt' })).paths).toEqual([shown]);
  });

  it('a line that is too long and not UTF-8 is shown, not dropped', async () => {
    const folder = folderWith({
      a: Buffer.concat([Buffer.from('hit \xe9', 'latin1'), Buffer.alloc(400_000, 'x')]),
      b: `hit \u0001${'\u0002'.repeat(400_000)}`,
    });
    const { lines } = await grep({ path: folder });
    expect(lines[0]?.text).toMatch(/^hit éx+… \[very long line\]$/);
    expect(lines[1]?.text.replaceAll('\u0002', '')).toBe('hit \u0001… [very long line]');
  });

  it.runIf(process.platform !== 'win32')('pipes and devices are refused rather than waited for', async () => {
    const folder = temporaryFolder();
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    await expect(grep({ path: join(folder, 'pipe') })).rejects.toThrow(/neither a folder nor a file/);
    await expect(grep({ path: '/dev/zero' })).rejects.toThrow(/neither a folder nor a file/);
    expect((await grep({ path: folder })).lines).toEqual([]);
  });

  it.runIf(process.platform === 'linux')('what cannot be read is said, and hides nothing else', async () => {
    expect(await grep({ path: '/proc/self/mem' })).toMatchObject({ lines: [], note: 'Some files could not be read.' });
  });

  it.runIf(process.platform !== 'win32')('tool-13: a search that finds without end is ended', async () => {
    const folder = folderWith({ rg: '#!/bin/sh\nyes /x/y/z | tr "\\n" "\\0"\n' });
    chmodSync(join(folder, 'rg'), 0o755);
    const endless = createRipgrepSearch(() => Promise.resolve(join(folder, 'rg')));
    const before = process.memoryUsage().rss;
    const found = await endless.glob({ path: folder, pattern: 'z', limit: 1_000 }, signal);
    expect([found.truncated, found.paths.length]).toEqual([true, 1_000]);
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 * 1024);
  });
});

describe('FirstByPath', () => {
  it('keeps what sorting everything and cutting would, in bounded memory', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string(), { maxLength: 200 }), fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 5 }), (keys, wanted, weight) => {
        const first = new FirstByPath<string>(wanted);
        for (const key of keys) if (first.wants(key)) first.add({ key, weight, value: key });
        const kept = first.inOrder();
        const needed = Math.ceil(wanted / weight);
        expect(kept.slice(0, needed)).toEqual(keys.toSorted((a, b) => (a < b ? -1 : 1)).slice(0, needed));
        expect(kept.length).toBeLessThanOrEqual(needed);
      }),
    );
  });
});
