import { windowsProgram } from './find-program.js';

/*
 * Node starts no batch files, because their arguments are read by `cmd.exe`, which has rules of its own (CVE-2024-27980). `npx` is one.
 * The package cross-spawn knows how, but it cannot be bundled as a module, and looks for programs in the working directory first.
 */

/** Characters of arguments that need no quotes. */
const PLAIN = /^[A-Za-z0-9#$*+\-./:?@\\_]+$/;

/** Whether a program of Windows is a batch file. */
export function isBatchFile(path: string): boolean {
  return /\.(?:bat|cmd)$/i.test(path);
}

/**
 * How to start a batch file so that it gets the arguments as they are, and nothing of them is run. To be started with verbatim
 * arguments. The rules are those of Rust's standard library since CVE-2024-24576: quotes are doubled, and a percent sign is put
 * before an expansion that is empty, so that it starts no name of a variable.
 * @throws Error for what cannot be written on a command line
 */
export function batchCommand(script: string, args: readonly string[]): { readonly program: string; readonly args: readonly string[] } {
  if (/["\0\r\n]|\\$/.test(script)) throw new Error('A batch file cannot have such a name.');
  const line = [`"${script}"`, ...args.map(quoted)].join(' ');
  return { program: windowsProgram('cmd.exe'), args: ['/e:ON', '/v:OFF', '/d', '/c', `"${line}"`] };
}

function quoted(arg: string): string {
  if (/[\0\r\n]/.test(arg)) throw new Error('A batch file cannot be given an argument of several lines.');
  if (PLAIN.test(arg) && !arg.endsWith('\\')) return arg;
  // Backslashes count only before a quote, also before the one at the end.
  const escaped = arg
    .replace(/(\\*)"/g, '$1$1""')
    .replace(/(\\+)$/, '$1$1')
    .replaceAll('%', '%%cd:~,%');
  return `"${escaped}"`;
}
