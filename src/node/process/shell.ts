import { access, constants } from 'node:fs/promises';
import { windowsProgram } from './find-program.js';

/** A shell that can run one command line. */
export interface Shell {
  readonly kind: 'bash' | 'powershell';
  /** The program; on Windows looked up in PATH by the system. */
  readonly program: string;
  /** Arguments that make it run one command, without start-up files. */
  argumentsFor(command: string): readonly string[];
}

/** bash without start-up files: not a login shell, not interactive. */
export function bash(program: string): Shell {
  return { kind: 'bash', program, argumentsFor: (command) => ['--noprofile', '--norc', '-c', command] };
}

/** PowerShell without profile or prompts; that of Windows unless another is given. */
export function powershell(program = windowsProgram('WindowsPowerShell', 'v1.0', 'powershell.exe')): Shell {
  const options = ['-NoLogo', '-NoProfile', '-NonInteractive', '-ExecutionPolicy', 'Bypass', '-Command'];
  return { kind: 'powershell', program, argumentsFor: (command) => [...options, utf8Output(command)] };
}

/**
 * The shell of this machine: PowerShell on Windows, bash elsewhere.
 * @throws Error with what to do when there is no bash.
 */
export async function defaultShell(platform: NodeJS.Platform = process.platform): Promise<Shell> {
  if (platform === 'win32') return powershell();
  for (const program of ['/bin/bash', '/usr/bin/bash', '/usr/local/bin/bash', '/opt/homebrew/bin/bash', '/run/current-system/sw/bin/bash']) {
    if (await isExecutable(program)) return bash(program);
  }
  throw new Error('There is no bash on this machine. Install bash, so that commands can be run.');
}

/** Windows PowerShell writes in the code page of the console unless configured otherwise. */
function utf8Output(command: string): string {
  return `[Console]::OutputEncoding = [Text.Encoding]::UTF8; ${command}`;
}

async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
