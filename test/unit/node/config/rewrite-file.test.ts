import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, watch } from 'node:fs';
import { chmod, link, lstat, lutimes, mkdir, readFile, readdir, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { describe, expect, it, onTestFinished } from 'vitest';
import { changeRules } from '../../../../src/config/permissions/change-rules.js';
import { type WriteLock, rewriteConfigurationFile } from '../../../../src/node/config/rewrite-file.js';
import { createWriteLock } from '../../../../src/customization/write-lock.js';
import { quickFolder, temporaryFolder } from '../../../support/temporary-folder.js';

const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
const FREE: WriteLock = { take: () => Promise.resolve({ release: () => Promise.resolve() }) };
const MAX = 1024 * 1024;
const LONG_AGO = new Date('2020-01-01T00:00:00Z');

const add = (rule: string) => (text: string) => changeRules(text, { effect: 'allow', add: [rule] });

/** A program that stands for another window: adds the rules `<name>-<n>` to a file, and prints a line for each. */
const WRITER = `
import { changeRules } from './src/config/permissions/change-rules.js';
import { rewriteConfigurationFile } from './src/node/config/rewrite-file.js';
import { createWriteLock } from './src/customization/write-lock.js';
const [, , path, locks, name, count] = process.argv;
const lock = createWriteLock(locks, { info: () => undefined, warn: console.error, error: console.error });
for (let n = 0; n < Number(count); n += 1) {
  await rewriteConfigurationFile({ path, maxBytes: ${MAX} }, (text) => changeRules(text, { effect: 'allow', add: [name + '-' + n] }), lock);
  console.log(n);
}
`;

async function writerProgram(folder: string): Promise<string> {
  const outfile = join(folder, 'writer.mjs');
  await build({
    stdin: { contents: WRITER, resolveDir: process.cwd(), loader: 'ts' },
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    mainFields: ['module', 'main'],
    logLevel: 'error',
  });
  return outfile;
}

function start(program: string, ...args: readonly string[]): ChildProcess {
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  return child;
}

const allowed = async (path: string): Promise<readonly string[]> =>
  (JSON.parse(await readFile(path, 'utf8')) as { permissions: { allow: string[] } }).permissions.allow;

describe('S-07: a settings file that is changed', () => {
  it('is made with its folder, and readable like any file of the user', async () => {
    const path = join(temporaryFolder(), '.gnomon', 'settings.local.json');
    expect(await rewriteConfigurationFile({ path, maxBytes: MAX }, add('A'), FREE)).toBe('made');
    expect(await allowed(path)).toEqual(['A']);
    expect([
      await rewriteConfigurationFile({ path, maxBytes: MAX }, add('A'), FREE),
      await rewriteConfigurationFile({ path, maxBytes: MAX }, (text) => `${text}\n`, FREE),
    ]).toEqual(['same', 'changed']);
    await writeFile(join(path, '..', '..', 'plain'), '');
    expect((await stat(path)).mode).toBe((await stat(join(path, '..', '..', 'plain'))).mode);
    expect(await readdir(join(path, '..'))).toEqual(['settings.local.json']);
  });

  it('keeps byte order mark, line endings, no end of line at its end, encoding, and permissions', async () => {
    const path = join(temporaryFolder(), 'settings.json');
    for (const [before, after] of [
      [
        '\uFEFF{\r\n\t"permissions": {\r\n\t\t"allow": [ "ü" ]\r\n\t} // ende\r\n}',
        '\uFEFF{\r\n\t"permissions": {\r\n\t\t"allow": [ "ü", "A" ]\r\n\t} // ende\r\n}',
      ],
      ['{"permissions":{"allow":[]},"x":1}', '{"permissions":{"allow":["A"]},"x":1}'],
    ] as const) {
      for (const encoding of ['utf8', 'utf16le'] as const) {
        const mark = encoding === 'utf16le' && !before.startsWith('\uFEFF') ? '\uFEFF' : '';
        await writeFile(path, `${mark}${before}`, encoding);
        await chmod(path, 0o640);
        await rewriteConfigurationFile({ path, maxBytes: MAX }, add('A'), FREE);
        expect(await readFile(path, encoding)).toBe(`${mark}${after}`);
        expect((await stat(path)).mode & 0o777).toBe(0o640);
      }
    }
    const latin = Buffer.from('{"permissions":{"allow":[]},"x":"\xFC"}', 'latin1');
    await writeFile(path, latin);
    await rewriteConfigurationFile({ path, maxBytes: MAX }, add('A'), FREE);
    expect(await readFile(path, 'latin1')).toBe('{"permissions":{"allow":["A"]},"x":"\xFC"}');
  });

  it('is not written when nothing changes, and stays the file that links lead to', async () => {
    const folder = temporaryFolder();
    const [path, other, byName] = [join(folder, 'dotfiles.json'), join(folder, 'hard.json'), join(folder, 'settings.json')];
    await writeFile(path, '{}');
    await symlink(path, byName);
    const before = await stat(path);
    await rewriteConfigurationFile({ path: byName, maxBytes: MAX }, (text) => text, FREE);
    expect(await stat(path)).toMatchObject({ ino: before.ino, mtimeMs: before.mtimeMs });
    await rewriteConfigurationFile({ path: byName, maxBytes: MAX }, add('A'), FREE);
    await link(path, other);
    await rewriteConfigurationFile({ path: byName, maxBytes: MAX }, add('B'), FREE);
    expect([(await lstat(byName)).isSymbolicLink(), await allowed(path), await allowed(other)]).toEqual([true, ['A', 'B'], ['A', 'B']]);
  });

  it('is refused with a reason, and left as it is, where it cannot be changed', async () => {
    const [outside, folder] = [temporaryFolder(), temporaryFolder()];
    const path = join(folder, 'settings.json');
    const refused = (within?: readonly string[]): Promise<string> =>
      rewriteConfigurationFile({ path, maxBytes: 100, within }, add('A'), FREE).then(
        () => 'changed',
        (error: unknown) => String(error),
      );
    await writeFile(path, '{"permissions":');
    expect(await refused()).toContain('Line 1: The file is not valid JSON');
    await writeFile(path, `{"x":"${'x'.repeat(90)}"}`);
    expect(await refused()).toContain('larger than');
    await writeFile(path, Buffer.from([0x7b, 0, 0x7d]));
    expect(await refused()).toContain('not a text file');
    await writeFile(path, '{}');
    await chmod(path, 0o444);
    expect(await refused()).toContain('read-only');
    expect(await readFile(path, 'utf8')).toBe('{}');
    await writeFile(join(outside, 'theirs.json'), '{}');
    for (const [target, make] of [
      [join(outside, 'theirs.json'), 'file'],
      [join(outside, 'new.json'), 'nothing'],
    ] as const) {
      const linked = join(folder, `${make}.json`);
      await symlink(target, linked);
      await expect(rewriteConfigurationFile({ path: linked, maxBytes: MAX, within: [folder] }, add('A'), FREE)).rejects.toThrow('outside the workspace');
    }
    expect([await readFile(join(outside, 'theirs.json'), 'utf8'), existsSync(join(outside, 'new.json'))]).toEqual(['{}', false]);
    await symlink(outside, join(folder, '.gnomon'));
    await expect(rewriteConfigurationFile({ path: join(folder, '.gnomon', 'settings.json'), maxBytes: MAX, within: [folder] }, add('A'), FREE)).rejects.toThrow(
      'outside the workspace',
    );
    await mkdir(join(folder, 'is-folder.json'));
    await expect(rewriteConfigurationFile({ path: join(folder, 'is-folder.json'), maxBytes: MAX }, add('A'), FREE)).rejects.toThrow('It is a folder');
    await expect(rewriteConfigurationFile({ path: join(path, 'settings.json'), maxBytes: MAX }, add('A'), FREE)).rejects.toThrow(
      'There is a file where its folder would be',
    );
  });

  it('gets the change anew when a program without the lock writes meanwhile, and is given up when that goes on', async () => {
    const folder = temporaryFolder();
    const path = join(folder, 'settings.json');
    await writeFile(path, '{"permissions":{"allow":["A"]}}');
    const seen: string[] = [];
    const { writeFileSync } = await import('node:fs');
    await rewriteConfigurationFile(
      { path, maxBytes: MAX },
      (text) => {
        if (seen.push(text) === 1) writeFileSync(path, '{"permissions":{"allow":["A","theirs"]}}');
        return add('ours')(text);
      },
      FREE,
    );
    expect([seen.length, await allowed(path)]).toEqual([2, ['A', 'theirs', 'ours']]);
    let n = 0;
    const always = rewriteConfigurationFile(
      { path, maxBytes: MAX },
      (text) => (writeFileSync(path, `{"n":"${'x'.repeat((n += 1))}"}`), add('again')(text)),
      FREE,
    );
    await expect(always).rejects.toThrow('Another program keeps changing the file');
    expect(await readFile(path, 'utf8')).toBe(`{"n":"${'x'.repeat(n)}"}`);
    expect(await readdir(folder)).toEqual(['settings.json']);
  });

  it('loses nothing when windows write at once', async () => {
    const [folder, locks] = [quickFolder(), quickFolder()];
    const path = join(folder, '.gnomon', 'settings.local.json');
    const program = await writerProgram(locks);
    const others = ['one', 'two'].map((name) => start(program, path, locks, name, '20'));
    const lock = createWriteLock(locks, log);
    const own = Array.from({ length: 20 }, (_, n) => rewriteConfigurationFile({ path, maxBytes: MAX }, add(`own-${n}`), lock));
    await Promise.all([...own, ...others.map((child) => once(child, 'exit'))]);
    const all = ['one', 'two', 'own'].flatMap((name) => Array.from({ length: 20 }, (_, n) => `${name}-${n}`));
    expect([...(await allowed(path))].sort()).toEqual(all.sort());
    expect(await readdir(join(path, '..'))).toEqual(['settings.local.json']);
  }, 30_000);

  it('is the old or the new one when the window is killed while it writes, and can be written by another one at once', async () => {
    const [folder, locks] = [temporaryFolder(), temporaryFolder()];
    const path = join(folder, 'settings.json');
    const program = await writerProgram(locks);
    const filler = 'x'.repeat(900_000);
    await writeFile(path, `{"permissions":{"allow":[]},"filler":"${filler}"}`);
    for (let round = 0; round < 6; round += 1) {
      const child = start(program, path, locks, `round${round}`, '1000');
      const ended = once(child, 'exit');
      const watcher = watch(folder, (_, name) => {
        if (name?.endsWith('.tmp') === true) child.kill('SIGKILL');
      });
      await ended;
      watcher.close();
      const text = await readFile(path, 'utf8');
      expect((JSON.parse(text) as { filler: string }).filler).toBe(filler);
      await rewriteConfigurationFile({ path, maxBytes: MAX }, add(`after${round}`), createWriteLock(locks, log));
    }
    expect((await allowed(path)).filter((rule) => rule.startsWith('after'))).toHaveLength(6);
    // What killed windows leave stays for a minute, since another program could be writing it.
    const left = (await readdir(folder)).filter((name) => name.endsWith('.tmp'));
    for (const name of left) await utimes(join(folder, name), LONG_AGO, LONG_AGO);
    await rewriteConfigurationFile({ path, maxBytes: MAX }, add('last'), createWriteLock(locks, log));
    expect(await readdir(folder)).toEqual(['settings.json']);
  }, 60_000);

  it('takes away what was left beside it, and nothing else', async () => {
    const [folder, outside] = [temporaryFolder(), temporaryFolder()];
    const path = join(folder, 'settings.json');
    const left = '.gnomon-0123456789abcdef01.tmp';
    const kept = [
      '.gnomon-0123456789abcdef02.tmp',
      '.gnomon-0123456789abcdef0.tmp',
      '.gnomon-0123456789ABCDEF03.tmp',
      '.gnomon-0123456789abcdef04.tmp.bak',
      'a.gnomon-0123456789abcdef05.tmp',
      'settings.json.1-a.tmp',
    ];
    for (const name of [left, ...kept]) {
      await writeFile(join(folder, name), name);
      if (name !== kept[0]) await utimes(join(folder, name), LONG_AGO, LONG_AGO);
    }
    const theirs = join(outside, 'theirs');
    await writeFile(theirs, 'x');
    await utimes(theirs, LONG_AGO, LONG_AGO);
    const [linked, isFolder] = ['.gnomon-0123456789abcdef06.tmp', '.gnomon-0123456789abcdef07.tmp'];
    await symlink(theirs, join(folder, linked));
    await lutimes(join(folder, linked), LONG_AGO, LONG_AGO);
    await mkdir(join(folder, isFolder));
    await utimes(join(folder, isFolder), LONG_AGO, LONG_AGO);
    expect(await rewriteConfigurationFile({ path, maxBytes: MAX }, (text) => text, FREE)).toBe('same');
    expect(await readdir(folder)).toContain(left);
    await rewriteConfigurationFile({ path, maxBytes: MAX }, add('A'), FREE);
    expect((await readdir(folder)).sort()).toEqual([...kept, linked, isFolder, 'settings.json'].sort());
    expect(await readFile(theirs, 'utf8')).toBe('x');
  });
});
