import { createHash } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { UsedFile } from '../../../src/domain/workspace/used-file.js';
import type { McpConfigFile, McpEntry } from '../../../src/domain/mcp/config.js';
import { readConfigFile } from '../../../src/mcp/config/read-config.js';
import { approve, judgeConsent } from '../../../src/mcp/consent/consent.js';
import type { EffectiveEntry } from '../../../src/mcp/consent/effective-entry.js';
import { type ExaminedEntry, examineEntry } from '../../../src/mcp/consent/examine-entry.js';
import { readConfigFiles } from '../../../src/node/mcp/config-files.js';
import { readEnvFile } from '../../../src/node/mcp/env-file.js';
import { boundContent } from '../../../src/node/files/bound-content.js';
import { type LookupPlace, usedFiles } from '../../../src/node/files/used-files.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { NAMED_SECRETS } from '../../support/named-secrets.js';

const never = new AbortController().signal;

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

const used = async (paths: readonly string[], place: LookupPlace): Promise<readonly UsedFile[]> =>
  (await usedFiles(paths, place, never)).map(({ file }) => file);

describe('the files that a server uses', () => {
  it('M-31: are hashed where they are files of the workspace', async () => {
    const [folder, outside] = [temporaryFolder(), temporaryFolder()];
    writeFileSync(join(folder, 'server.js'), 'one');
    mkdirSync(join(folder, 'lib'));
    writeFileSync(join(folder, 'lib', 'hook.js'), 'two');
    writeFileSync(join(outside, 'other.js'), 'three');
    const paths = [
      './server.js',
      'server.js',
      'lib/../server.js',
      join(folder, 'lib/hook.js'),
      'lib',
      'missing.js',
      '--port',
      '80',
      '',
      'a\0b',
      'x'.repeat(10_000),
      'server.js/below',
      join(outside, 'other.js'),
      '../../../etc/passwd',
    ];
    expect(await used(paths, { folders: [folder], folder })).toEqual([
      { path: 'server.js', sha256: sha256('one') },
      { path: 'lib/hook.js', sha256: sha256('two') },
    ]);
    expect(await used(['lib/hook.js'], { folders: [folder], folder })).toEqual([{ path: 'lib/hook.js', sha256: sha256('two') }]);
    expect(await used(['server.js'], { folders: [], folder })).toEqual([]);
  });

  it('M-31: through a link are those that it leads to; out of the workspace it is only told where to', async () => {
    const [folder, outside, other] = [temporaryFolder(), temporaryFolder(), temporaryFolder()];
    writeFileSync(join(folder, 'real.js'), 'one');
    const target = join(outside, 'target.js');
    writeFileSync(target, 'two');
    symlinkSync('real.js', join(folder, 'in.js'));
    symlinkSync(target, join(folder, 'out.js'));
    symlinkSync(join(folder, 'real.js'), join(other, 'into.js'));
    symlinkSync('loop.js', join(folder, 'loop.js'));
    expect(await used(['in.js', 'out.js', 'loop.js', join(other, 'into.js')], { folders: [folder], folder })).toEqual([
      { path: 'in.js', sha256: sha256('one') },
      { path: 'out.js', leadsTo: target },
      { path: 'real.js', sha256: sha256('one') },
    ]);
  });

  it('are found where the workspace folder is a link itself', async () => {
    const real = temporaryFolder();
    const link = join(temporaryFolder(), 'link');
    symlinkSync(real, link);
    writeFileSync(join(real, 'server.js'), 'one');
    expect(await used(['server.js', join(real, 'server.js')], { folders: [link], folder: link })).toEqual([{ path: 'server.js', sha256: sha256('one') }]);
  });

  it('are not waited for when they are pipes, and not read when they are huge', async () => {
    const folder = temporaryFolder();
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    writeFileSync(join(folder, 'huge'), '');
    truncateSync(join(folder, 'huge'), 5 * 1024 ** 3);
    expect(await used(['pipe', 'huge'], { folders: [folder], folder })).toEqual([{ path: 'huge', tooLarge: 5 * 1024 ** 3 }]);
  });

  it('M-31: conf-03: an approved server whose script was changed has to be approved again', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, '.mcp.json'), JSON.stringify({ mcpServers: { db: { command: 'node', args: ['./server.js'], envFile: '.env' } } }));
    writeFileSync(join(folder, 'server.js'), 'good');
    writeFileSync(join(folder, '.env'), 'A=1');
    const approved = approve(await lookAt(folder), 1);
    expect(judgeConsent(await lookAt(folder), approved)).toBe('approved');
    writeFileSync(join(folder, 'server.js'), 'evil');
    const verdict = judgeConsent(await lookAt(folder), approved);
    expect(verdict).toMatchObject({ changed: ['files'] });
    expect(typeof verdict === 'string' ? '' : verdict.before).toContain(sha256('good'));
    expect(typeof verdict === 'string' ? '' : verdict.after).toContain(sha256('evil'));
    rmSync(join(folder, 'server.js'));
    expect(judgeConsent(await lookAt(folder), approved)).toMatchObject({ changed: ['files'] });
    writeFileSync(join(folder, 'server.js'), 'good');
    writeFileSync(join(folder, '.env'), 'A=2');
    expect(judgeConsent(await lookAt(folder), approved)).toMatchObject({ changed: ['envFile'] });
    expect((await examined(folder)).variables).toEqual({ A: '2' });
  });

  it('M-31: a file with variables that cannot be read keeps the server from starting, and is no reason to forget the approval once it is back', async () => {
    const folder = temporaryFolder();
    const write = (envFile: string): void => writeFileSync(join(folder, '.mcp.json'), JSON.stringify({ mcpServers: { db: { command: 'run', envFile } } }));
    write('my.env');
    writeFileSync(join(folder, 'my.env'), 'A=1');
    const approved = approve(await lookAt(folder), 1);
    rmSync(join(folder, 'my.env'));
    const without = await examined(folder);
    expect(without).toMatchObject({ variables: {}, problem: `The file ${join(folder, 'my.env')} does not exist.` });
    expect(judgeConsent(without.effective, approved)).toMatchObject({ changed: ['envFile'] });
    writeFileSync(join(folder, 'my.env'), 'A=1');
    expect(judgeConsent(await lookAt(folder), approved)).toBe('approved');
    write('${WHERE}/my.env');
    expect((await examined(folder)).problem).toContain('must not contain inputs or variables that are not set');
  });
});

/** Reads a folder's configuration, and looks at its only server, as before each start. */
async function examined(folder: string): Promise<ExaminedEntry> {
  const values = {
    environment: {},
    platform: process.platform,
    folders: [{ path: folder, name: 'folder' }],
    home: '/nowhere',
    inputs: new Map<string, string>(),
  };
  const [file] = await readConfigFiles({ folders: [folder], home: '/nowhere', guards: NAMED_SECRETS }, never);
  return examineEntry(onlyEntry(file, folder), values, { boundContent, readEnvFile }, never);
}

async function lookAt(folder: string): Promise<EffectiveEntry> {
  return (await examined(folder)).effective;
}

function onlyEntry(file: McpConfigFile | undefined, folder: string): McpEntry {
  const [entry] = file === undefined ? [] : readConfigFile(file, [folder]).entries;
  if (entry === undefined) throw new Error('There is no entry.');
  return entry;
}
