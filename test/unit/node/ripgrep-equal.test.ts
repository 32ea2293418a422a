import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { GrepFilter } from '../../../src/domain/workspace/search.js';
import { createRipgrepSearch } from '../../../src/node/search/ripgrep.js';
import { ripgrepProgram } from './ripgrep-program.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { runs } from '../../support/runs.js';

/** 3,000 where all runs are wanted. */
const FILES = runs(3_000);
/** Lines of a page: all are several pages long. */
const PAGE = FILES / 3;
const search = createRipgrepSearch(() => Promise.resolve(ripgrepProgram()));
const { signal } = new AbortController();
const SCOPE = ['--no-config', '--hidden', '--no-require-git', '--glob=!.git'];

/** What ripgrep itself prints, as lines. */
function ripgrep(folder: string, ...args: readonly string[]): string[] {
  const { stdout } = spawnSync(ripgrepProgram(), [...SCOPE, ...args], { cwd: folder, encoding: 'utf8', maxBuffer: 100 * 1024 * 1024 });
  return stdout.split('\n').slice(0, -1);
}

function writeTree(folder: string): void {
  for (let index = 0; index < FILES; index += 1) {
    const extension = ['ts', 'js', 'md', 'json'][index % 4] ?? '';
    // Names that sort otherwise as whole paths than name by name: `p1/…` comes before `p1-x/…`.
    const file = join(folder, `p${index % 30}${index % 7 === 0 ? '-x' : ''}`, `q${index % 11}`, `Ä${index}.${extension}`);
    mkdirSync(dirname(file), { recursive: true });
    const lines = Array.from({ length: 12 }, (_, line) => `line ${line} ${(index + line) % 5 === 0 ? 'Needle (x)' : 'hay'}${line % 3 === 0 ? '\r' : ''}`);
    writeFileSync(file, `${lines.join('\n')}\n`);
    // Every file has a time of its own, in another order than its name.
    utimesSync(file, 1_700_000_000, 1_700_000_000 + ((index * 7_919) % 100_003));
  }
  writeFileSync(join(folder, '.gitignore'), '*.json\n/p3/\n');
}

describe('on a tree of many files', () => {
  let folder = '';
  beforeAll(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'gnomon-test-')));
    writeTree(folder);
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  const filter = (): GrepFilter => ({
    path: folder,
    pattern: 'needle',
    globs: [],
    literal: false,
    ignoreCase: true,
    word: false,
    multiline: false,
    ignored: false,
  });
  const grepAll = async (wanted: Partial<GrepFilter>, around: { before: number; after: number }): Promise<string[]> => {
    const shown: string[] = [];
    for (let offset = 0; ;) {
      const page = await search.grep({ ...filter(), ...wanted, ...around, offset, limit: PAGE }, signal);
      shown.push(...page.lines.map(({ path, line, text, match }) => `${path}${match ? ':' : '-'}${line}${match ? ':' : '-'}${text}`));
      offset += page.lines.filter(({ match }) => match).length;
      if (!page.truncated) return shown;
    }
  };

  it.each<[string, Partial<GrepFilter>, readonly string[]]>([
    ['-i', {}, ['-i', 'needle']],
    ['-F', { pattern: 'Needle (x)', literal: true, ignoreCase: false }, ['-F', 'Needle (x)']],
    ['-w', { pattern: '1', word: true }, ['-i', '-w', '1']],
    ['--type', { type: 'ts' }, ['-i', '--type=ts', 'needle']],
    ['--no-ignore', { ignored: true }, ['-i', '--no-ignore', 'needle']],
    ['-g', { globs: ['*.{md,js}', '!p2*/**'] }, ['-i', '-g', '*.{md,js}', '-g', '!p2*/**', 'needle']],
  ])('grep %s gives, page by page, the lines of rg --sort=path', async (_, wanted, args) => {
    const expected = ripgrep(folder, '-n', '--sort=path', '--crlf', ...args, folder).map((line) => line.replace(/\r$/, ''));
    expect(expected.length).toBeGreaterThan(PAGE);
    expect(await grepAll(wanted, { before: 0, after: 0 })).toEqual(expected);
  });

  it('grep with context and across lines gives what rg gives', async () => {
    const around = ripgrep(folder, '-n', '--sort=path', '--crlf', '--no-context-separator', '-i', '-B1', '-A2', '-g', '!*.md', 'line 5 needle', folder);
    expect(await grepAll({ pattern: 'line 5 needle', globs: ['!*.md'] }, { before: 1, after: 2 })).toEqual(around.map((line) => line.replace(/\r$/, '')));
    const across = ripgrep(folder, '-n', '--sort=path', '--crlf', '-U', '--multiline-dotall', '-i', 'needle.{1,6}line 6', folder);
    expect(await grepAll({ pattern: 'needle.{1,6}line 6', multiline: true }, { before: 0, after: 0 })).toEqual(across.map((line) => line.replace(/\r$/, '')));
  });

  it('files and counts are those of rg -l and rg -c', async () => {
    const page = { offset: 0, limit: FILES };
    const { files } = await search.grepFiles({ ...filter(), ...page, counts: false }, signal);
    expect(files.map(({ path }) => path)).toEqual(ripgrep(folder, '-l', '--sort=path', '-i', 'needle', folder));
    const counted = await search.grepFiles({ ...filter(), ...page, counts: true }, signal);
    expect(counted.files.map(({ path, count }) => `${path}:${count ?? ''}`)).toEqual(ripgrep(folder, '-c', '--sort=path', '-i', 'needle', folder));
    const part = await search.grepFiles({ ...filter(), offset: 10, limit: 5, counts: false }, signal);
    expect(part).toEqual({ files: files.slice(10, 15), skipped: 10, truncated: true });
  });

  it('glob gives the files of rg --files --sortr=modified', async () => {
    const all = ripgrep(folder, '--files', '--sortr=modified', folder);
    expect(await search.glob({ path: folder, pattern: '**', limit: FILES }, signal)).toEqual({ paths: all, truncated: false });
    expect((await search.glob({ path: folder, pattern: '*.ts', limit: 50 }, signal)).paths).toEqual(
      ripgrep(folder, '--files', '--sortr=modified', '-g', '*.ts', folder).slice(0, 50),
    );
  });

  it('a page is the same each time, whichever files are searched first', async () => {
    const query = { ...filter(), before: 0, after: 0, offset: 37, limit: 20 };
    const first = await search.grep(query, signal);
    expect(first).toMatchObject({ skipped: 37, truncated: true });
    for (let run = 0; run < 5; run += 1) expect(await search.grep(query, signal)).toEqual(first);
  });
});

describe('patterns for paths', () => {
  const PATHS = ['a', 'b.ts', 'src/a', 'src/b.ts', 'src/x/b.ts', 'src/x/c.d.ts', 'x/src/a', 'x/src/b.js', '[k]/a', 'lib/{a}', 'x.y/-a', 'a b/c'];
  const part = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom('a', 'b', 'src', 'x', '.ts', '*', '**', '?', '/', '/', '-a', ' ') },
    fc.constantFrom('[a-c]', '{a,b}', '{src,x}', '{a,{b,c}*}', '\\[k]', '\\*', '.*'),
  );
  const pattern = fc.array(part, { minLength: 1, maxLength: 6 }).map((parts) => parts.join(''));
  /** Where ripgrep’s reading is its own (there, `[!a]` fits a slash too): empty names, a slash or space at the end, stars beside other characters across folders. */
  const isPlain = (text: string): boolean => !/\/\/|[/ ]$|^[!#]|\*\*\*|[^/{,]\*\*|\*\*[^/},]|^\/?\*\*$/.test(text);

  it('mean what they mean for rg -g, however they are put together', async () => {
    const folder = temporaryFolder();
    for (const path of PATHS) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), '');
    }
    await fc.assert(
      fc.asyncProperty(pattern.filter(isPlain), async (glob) => {
        const expected = ripgrep(folder, '--files', '-g', glob, '.');
        const found = await search.glob({ path: folder, pattern: glob, limit: 100 }, signal);
        expect(found.paths.map((path) => path.slice(folder.length + 1)).sort()).toEqual(expected.map((path) => path.slice(2)).sort());
      }),
      { numRuns: runs(150) },
    );
  });
});
