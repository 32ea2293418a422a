import { execFileSync } from 'node:child_process';
import { appendFileSync, chmodSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type ReadRules, createSandbox } from '../../../../src/node/sandbox/sandbox.js';
import { SystemCopies } from '../../../../src/node/sandbox/system-copies.js';
import { defaultShell } from '../../../../src/node/process/shell.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { HAS_BUBBLEWRAP, sandboxRig } from './rig.js';

/** A machine in a folder: `usr/bin`, a link to it, settings of each kind, and what is not there. */
function machine(): { readonly base: string; readonly places: readonly string[]; readonly copies: SystemCopies } {
  const base = temporaryFolder();
  const texts = { 'usr/bin/tool': 'tool', 'usr/lib/release': 'release', 'etc/hosts': 'hosts', 'etc/certs/one': 'one', 'etc/key': 'key', 'other/zone': 'zone' };
  const files = { ...texts, 'etc/large': 'x'.repeat(1024 * 1024 + 1) };
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(base, name)), { recursive: true });
    writeFileSync(join(base, name), text);
  }
  chmodSync(join(base, 'etc/key'), 0o600);
  const leading = { bin: 'usr/bin', 'etc/release': '../usr/lib/release', 'etc/zone': '../other/zone', 'etc/broken': 'nowhere' };
  for (const [name, to] of Object.entries(leading)) symlinkSync(to, join(base, name));
  const names = ['usr', 'bin', 'lib', 'etc/hosts', 'etc/certs', 'etc/large', 'etc/key', 'etc/release', 'etc/zone', 'etc/broken', 'etc/missing'];
  return { base, places: names.map((name) => join(base, name)), copies: new SystemCopies(join(base, 'storage')) };
}

describe('copies of the system’s settings', () => {
  it('leave folders, large files, and what others may not read to be mounted, and lead to all else', async () => {
    const { base, places, copies } = machine();
    const { mounted, links } = await copies.of(places, []);
    const folder = mounted.at(-1) ?? '';
    expect(mounted.slice(0, -1)).toEqual(['usr', 'etc/certs', 'etc/large', 'etc/key'].map((name) => join(base, name)));
    const named = links.map(({ path, real }) => [
      path.slice(base.length + 1),
      real.startsWith(folder) ? readFileSync(real, 'utf8') : real.slice(base.length + 1),
    ]);
    expect(Object.fromEntries(named)).toEqual({ bin: 'usr/bin', 'etc/release': 'usr/lib/release', 'etc/hosts': 'hosts', 'etc/zone': 'zone' });
  });

  it('are never changed: another state of a file, or of what a link leads to, is in another folder', async () => {
    const { base, places, copies } = machine();
    const first = (await copies.of(places, [])).mounted.at(-1) ?? '';
    expect((await copies.of(places, [])).mounted.at(-1)).toBe(first);
    for (const name of ['etc/hosts', 'other/zone']) {
      appendFileSync(join(base, name), ' and more');
      const { mounted, links } = await copies.of(places, []);
      expect(mounted.at(-1)).not.toBe(first);
      const copied = links.map(({ real }) => real).filter((real) => real.startsWith(mounted.at(-1) ?? ''));
      expect(copied.map((real) => readFileSync(real, 'utf8')).join()).toContain('and more');
    }
    expect(
      readdirSync(first)
        .map((name) => readFileSync(join(first, name), 'utf8'))
        .sort(),
    ).toEqual(['hosts', 'zone']);
  });

  it('are made again when another window has removed them', async () => {
    const { places, copies } = machine();
    const folder = (await copies.of(places, [])).mounted.at(-1) ?? '';
    rmSync(folder, { recursive: true });
    await copies.of(places, []);
    expect(existsSync(folder)).toBe(true);
  });

  it('stand for nothing in which something is mounted', async () => {
    const { base, places, copies } = machine();
    const { mounted } = await copies.of(places, [join(base, 'bin/tool'), join(base, 'etc/hosts')]);
    expect(mounted).toEqual(expect.arrayContaining([join(base, 'bin'), join(base, 'etc/hosts')]));
  });
});

describe.runIf(HAS_BUBBLEWRAP)('the system, in the sandbox', () => {
  const SHOWS = 'cat /etc/passwd /etc/hosts /etc/nsswitch.conf 2>&1; ls /bin/ /usr/lib/os-release; id -un; getent services http';

  it('is as it is outside, for commands that read and those that were allowed', async () => {
    const { run } = sandboxRig();
    const outside = execFileSync('bash', ['-c', SHOWS], { encoding: 'utf8' });
    expect((await run(SHOWS)).output).toBe(outside);
    expect((await run(SHOWS, { hosts: [] })).output).toBe(outside);
  });

  it('cannot be written by way of its copies', async () => {
    const { run, base } = sandboxRig();
    const append = '{ [ -f "$file" ] && echo changed >> "$file"; } 2>/dev/null && echo "$file"';
    const script = `for file in /etc/* $(readlink -f /etc/passwd); do ${append}; done; rm -f /etc/passwd; echo x > /etc/new; true`;
    expect((await run(script, { hosts: [] })).output).not.toMatch(/^\/\S+$/m);
    const folder = join(base, 'storage/system');
    const texts = readdirSync(folder).flatMap((name) => readdirSync(join(folder, name)).map((file) => readFileSync(join(folder, name, file), 'latin1')));
    expect(texts.join('')).not.toContain('changed');
  });

  it('has what the user may read of it beside, at its own place', async () => {
    const { run } = sandboxRig();
    expect((await run('cat /bin/ldd | head -c 2; test -L /bin || echo mounted', { readable: ['/bin/ldd', '/etc/login.defs'] })).output).toBe('#!mounted\n');
  });

  it('takes few mounts: each costs a third of a millisecond', async () => {
    const { workspace, home, base } = sandboxRig();
    const rules = (): Promise<ReadRules> => Promise.resolve({ key: '', mayRead: () => true });
    const sandbox = createSandbox({ folders: () => [workspace], readable: [], rules, storage: join(base, 'storage'), home, env: { PATH: '/usr/bin' } });
    const shell = await sandbox.around(await defaultShell(), { command: 'true', cwd: workspace, confined: { readable: [] } });
    const inEtc = shell.argumentsFor('true').filter((word, index, all) => word.startsWith('/etc/') && all[index - 1] === word);
    expect(inEtc.filter((path) => !execFileSync('stat', ['-Lc', '%F', path], { encoding: 'utf8' }).startsWith('directory'))).toEqual([]);
  });
});
