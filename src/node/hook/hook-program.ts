import { delimiter, dirname, isAbsolute, join } from 'node:path';
import type { HookHandler } from '../../domain/hook/definition.js';
import { t } from '../../domain/l10n.js';
import { batchCommand, isBatchFile } from '../process/batch-command.js';
import { isProgram, startedProgram, windowsProgram } from '../process/find-program.js';
import { bash, defaultShell, powershell, type Shell } from '../process/shell.js';

type CommandHandler = Extract<HookHandler, { type: 'command' }>;
type Variables = Readonly<Record<string, string>>;

/** What a hook is started as. */
export interface HookProgram {
  readonly program: string;
  readonly args: readonly string[];
  /** Whether the arguments are a command line of Windows already. */
  readonly verbatim?: true;
}

/**
 * What to start for a hook: a shell with the command line as its author wrote it, or, when there are arguments, a program without
 * a shell, so that nothing of these is interpreted.
 * @param env that the hook gets; programs are looked for in its `PATH`
 * @throws Error with a sentence for users when the shell is missing, Error with the code `ENOENT` when the program is.
 */
export async function hookProgram(
  { command, args, shell }: CommandHandler,
  env: Variables,
  platform: NodeJS.Platform = process.platform,
): Promise<HookProgram> {
  if (args !== undefined) return platform === 'win32' ? windowsScript(await startedProgram(command, env, platform), args, env) : { program: command, args };
  const started = await shellOf(shell, env, platform);
  // bash takes a carriage return, of a file that was written on Windows, for a part of the last word.
  return { program: started.program, args: started.argumentsFor(started.kind === 'bash' ? command.replaceAll('\r\n', '\n') : command) };
}

/** Windows starts programs only; what its shells would find an interpreter for is given to that. */
async function windowsScript(path: string, args: readonly string[], env: Variables): Promise<HookProgram> {
  if (isBatchFile(path)) return { ...batchCommand(path, args), verbatim: true };
  if (/\.ps1$/i.test(path)) {
    const program = windowsProgram('WindowsPowerShell', 'v1.0', 'powershell.exe');
    return { program, args: ['-NoLogo', '-NoProfile', '-NonInteractive', '-ExecutionPolicy', 'Bypass', '-File', path, ...args] };
  }
  if (/\.[cm]?js$/i.test(path)) return { program: await startedProgram('node', env, 'win32'), args: [path, ...args] };
  return { program: path, args };
}

async function shellOf(wanted: Shell['kind'] | undefined, env: Variables, platform: NodeJS.Platform): Promise<Shell> {
  if (platform === 'win32' && wanted === 'bash') {
    const program = await firstProgram(gitBashPaths(env));
    if (program === undefined) throw new Error(t('There is no bash on this machine. Install Git for Windows, or write the hook for PowerShell.'));
    return bash(program);
  }
  if (platform !== 'win32' && wanted === 'powershell') {
    const program = await firstProgram(foldersOf(env).map((folder) => join(folder, 'pwsh')));
    if (program === undefined) throw new Error(t('There is no PowerShell on this machine. Install it, or write the hook for bash.'));
    return powershell(program);
  }
  return defaultShell(platform);
}

/** Where Git for Windows has its bash; `System32\bash.exe` is not one, as it starts Linux. */
function gitBashPaths(env: Variables): readonly string[] {
  const known = ['ProgramFiles', 'ProgramW6432', 'ProgramFiles(x86)'].flatMap((name) => env[name] ?? []);
  const own = env['LOCALAPPDATA'] === undefined ? [] : [join(env['LOCALAPPDATA'], 'Programs')];
  // `git` is in `cmd` of its folder, beside `bin`.
  const besideGit = foldersOf(env).flatMap((folder) => (/[\\/]Git[\\/]cmd[\\/]?$/i.test(folder) ? dirname(folder) : []));
  return [...[...known, ...own].map((folder) => join(folder, 'Git')), ...besideGit].map((folder) => join(folder, 'bin', 'bash.exe'));
}

function foldersOf(env: Variables): readonly string[] {
  return (env['PATH'] ?? env['Path'] ?? '').split(delimiter).filter((folder) => isAbsolute(folder));
}

async function firstProgram(paths: readonly string[]): Promise<string | undefined> {
  for (const path of paths) if (await isProgram(path)) return path;
  return undefined;
}
