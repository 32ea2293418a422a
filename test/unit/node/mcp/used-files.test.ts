import { createHash } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { McpConfigFile, McpEntry } from '../../../../src/domain/mcp/config.js';
import { readConfigFile } from '../../../../src/mcp/config/read-config.js';
import { approve, judgeConsent } from '../../../../src/mcp/consent/consent.js';
import { type EffectiveEntry, effectiveEntry } from '../../../../src/mcp/consent/effective-entry.js';
import { decidingVariables, pathsToLookAt } from '../../../../src/mcp/consent/looked-at.js';
import { readConfigFiles } from '../../../../src/node/mcp/config-files.js';
import { readEnvFile } from '../../../../src/node/mcp/env-file.js';
import { usedFiles } from '../../../../src/node/mcp/used-files.js';
import { tempFolder } from '../temp-folder.js';

const never = new AbortController().signal;

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

describe('the files that a server uses', () => {
  it('M-31: are hashed where they are files of the workspace', async () => {
    const [folder, outside] = [tempFolder(), tempFolder()];
    writeFileSync(join(folder, 'server.js'), 'one');
    mkdirSync(join(folder, 'lib'));
    writeFileSync(join(folder, 'lib', 'hook.js'), 'two');
    writeFileSync(join(outside, 'other.js'), 'three');
    const paths = ['./server.js', 'server.js', 'lib/../server.js', join(folder, 'lib/hook.js'), 'lib', 'missing.js', '--port', '80', '', 'a\0b', 'x'.repeat(10_000), 'server.js/below', join(outside, 'other.js'), '../../../../etc/passwd'];
    expect(await usedFiles(paths, '.', { folders: [folder], folder }, never)).toEqual([
      { path: 'server.js', sha256: sha256('one') },
      { path: 'lib/hook.js', sha256: sha256('two') },
    ]);
    expect(await usedFiles(['hook.js'], 'lib', { folders: [folder], folder }, never)).toEqual([{ path: 'lib/hook.js', sha256: sha256('two') }]);
    expect(await usedFiles(['server.js'], '.', { folders: [], folder }, never)).toEqual([]);
  });

  it('M-31: through a link are those that it leads to; out of the workspace it is only told where to', async () => {
    const [folder, outside, other] = [tempFolder(), tempFolder(), tempFolder()];
    writeFileSync(join(folder, 'real.js'), 'one');
    const target = join(outside, 'target.js');
    writeFileSync(target, 'two');
    symlinkSync('real.js', join(folder, 'in.js'));
    symlinkSync(target, join(folder, 'out.js'));
    symlinkSync(join(folder, 'real.js'), join(other, 'into.js'));
    symlinkSync('loop.js', join(folder, 'loop.js'));
    expect(await usedFiles(['in.js', 'out.js', 'loop.js', join(other, 'into.js')], folder, { folders: [folder], folder }, never)).toEqual([
      { path: 'in.js', sha256: sha256('one') },
      { path: 'out.js', leadsTo: target },
      { path: 'real.js', sha256: sha256('one') },
    ]);
  });

  it('are found where the workspace folder is a link itself', async () => {
    const real = tempFolder();
    const link = join(tempFolder(), 'link');
    symlinkSync(real, link);
    writeFileSync(join(real, 'server.js'), 'one');
    expect(await usedFiles(['server.js', join(real, 'server.js')], '.', { folders: [link], folder: link }, never)).toEqual([{ path: 'server.js', sha256: sha256('one') }]);
  });

  it('are not waited for when they are pipes, and not read when they are huge', async () => {
    const folder = tempFolder();
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    writeFileSync(join(folder, 'huge'), '');
    truncateSync(join(folder, 'huge'), 5 * 1024 ** 3);
    expect(await usedFiles(['pipe', 'huge'], '.', { folders: [folder], folder }, never)).toEqual([{ path: 'huge', tooLarge: 5 * 1024 ** 3 }]);
  });

  it('M-31: conf-03: an approved server whose script was changed has to be approved again', async () => {
    const folder = tempFolder();
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
  });
});

/** Reads a folder's configuration, and looks at its only server, as before each start. */
async function lookAt(folder: string): Promise<EffectiveEntry> {
  const values = { environment: {}, platform: process.platform, folders: [{ path: folder, name: 'folder' }], home: '/nowhere', inputs: new Map<string, string>() };
  const [file] = await readConfigFiles([folder], '/nowhere', never);
  const entry = onlyEntry(file, folder);
  const look = pathsToLookAt(entry, values);
  const files = await usedFiles(look?.paths ?? [], look?.cwd ?? '', { folders: [folder], folder }, never);
  const { file: envFile } = await readEnvFile(join(folder, look?.envFile ?? ''), [folder], never);
  return effectiveEntry(entry, { files, envFile, variables: decidingVariables(entry, values), folder });
}

function onlyEntry(file: McpConfigFile | undefined, folder: string): McpEntry {
  const [entry] = file === undefined ? [] : readConfigFile(file, [folder]).entries;
  if (entry === undefined) throw new Error('There is no entry.');
  return entry;
}
