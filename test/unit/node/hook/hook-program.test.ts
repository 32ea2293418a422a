import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { HookHandler } from '../../../../src/domain/hook/definition.js';
import { hookProgram } from '../../../../src/node/hook/hook-program.js';

let folder = '';

beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'gnomon-hook-program-'))));
afterAll(() => rm(folder, { recursive: true, force: true }));

const handler = (command: string, more: Partial<Extract<HookHandler, { type: 'command' }>> = {}): Extract<HookHandler, { type: 'command' }> => ({
  type: 'command',
  command,
  ...more,
});

async function program(...parts: readonly string[]): Promise<string> {
  const path = join(folder, ...parts);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, '');
  await chmod(path, 0o755);
  return path;
}

describe('H-53: hooks on Windows', () => {
  it('H-53: command lines go to PowerShell unless the hook is for bash', async () => {
    const { program: shell, args } = await hookProgram(handler('.\\check.ps1 "a b"'), {}, 'win32');
    expect(shell).toContain('powershell.exe');
    expect(args.slice(-2)).toEqual(['-Command', '[Console]::OutputEncoding = [Text.Encoding]::UTF8; .\\check.ps1 "a b"']);
  });

  it('H-53: bash is that of Git, wherever it is installed, and never one of the working directory', async () => {
    const bash = await program('Files', 'Git', 'bin', 'bash.exe');
    const found = await hookProgram(handler('a\r\nb', { shell: 'bash' }), { ProgramFiles: join(folder, 'Files') }, 'win32');
    expect(found).toEqual({ program: bash, args: ['--noprofile', '--norc', '-c', 'a\nb'] });
    expect(await hookProgram(handler('a', { shell: 'bash' }), { PATH: join(folder, 'Files', 'Git', 'cmd') }, 'win32')).toMatchObject({ program: bash });
  });

  it('H-53: a missing bash is a sentence that says what to do', async () => {
    await program('other', 'bash.exe');
    await expect(hookProgram(handler('a', { shell: 'bash' }), { PATH: join(folder, 'other') }, 'win32')).rejects.toThrow(
      'There is no bash on this machine. Install Git for Windows, or write the hook for PowerShell.',
    );
  });

  it('H-53: scripts are given to what runs them, with their arguments as they are', async () => {
    const node = await program('bin', 'node.exe');
    const env = { PATH: join(folder, 'bin') };
    expect(await hookProgram(handler('C:\\x y\\check.js', { args: ['$(a)', 'b "c"'] }), env, 'win32')).toEqual({
      program: node,
      args: ['C:\\x y\\check.js', '$(a)', 'b "c"'],
    });
    const ps1 = await hookProgram(handler('C:\\check.ps1', { args: ['$(a)'] }), env, 'win32');
    expect(ps1.args.slice(-3)).toEqual(['-File', 'C:\\check.ps1', '$(a)']);
    const cmd = await hookProgram(handler('C:\\check.cmd', { args: ['%PATH%'] }), env, 'win32');
    expect(cmd).toMatchObject({ program: expect.stringContaining('cmd.exe') as string, verbatim: true });
    expect(cmd.args.at(-1)).toBe('""C:\\check.cmd" "%%cd:~,%PATH%%cd:~,%""');
  });

  it('H-53: a bare name is looked for in PATH only', async () => {
    const tool = await program('bin', 'tool.exe');
    expect(await hookProgram(handler('tool', { args: [] }), { PATH: join(folder, 'bin') }, 'win32')).toEqual({ program: tool, args: [] });
    await expect(hookProgram(handler('tool', { args: [] }), { PATH: '.' }, 'win32')).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

describe('hooks on other systems', () => {
  it('H-53: for PowerShell need it, and say so', async () => {
    await expect(hookProgram(handler('a', { shell: 'powershell' }), { PATH: join(folder, 'nowhere') }, 'linux')).rejects.toThrow(
      'There is no PowerShell on this machine.',
    );
    const pwsh = await program('bin', 'pwsh');
    expect(await hookProgram(handler('a', { shell: 'powershell' }), { PATH: join(folder, 'bin') }, 'linux')).toMatchObject({ program: pwsh });
  });

  it('H-53: a command line with carriage returns is read as lines', async () => {
    expect((await hookProgram(handler('a\r\nb'), {}, 'linux')).args.at(-1)).toBe('a\nb');
  });
});
