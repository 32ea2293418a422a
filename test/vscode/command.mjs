/**
 * Running other programs to their end.
 */
import { spawn, spawnSync } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';

/** How much of a program's output an error shows. */
const TAIL_LINES = 30;

/**
 * Thrown when a program could not be started, failed, or was killed.
 */
export class CommandError extends Error {
  /**
   * @param {string} command the command line
   * @param {string} reason how it ended
   * @param {string} output what it printed, shortened by the caller
   */
  constructor(command, reason, output) {
    super(`${command}\n${reason}\n${output}`.trimEnd());
    this.name = 'CommandError';
  }
}

/**
 * Runs a program without a shell, its output going to a file.
 * @param {readonly string[]} command the program and its arguments
 * @param {{ logFile: string, cwd?: string, env?: NodeJS.ProcessEnv }} options `logFile` is appended to
 * @returns {Promise<void>} settles when the program has ended with status 0
 * @throws {CommandError} with the last lines of the log otherwise
 */
export async function run(command, { logFile, cwd, env = process.env }) {
  const [program = '', ...args] = command;
  const output = openSync(logFile, 'a');
  try {
    /** @type {string | undefined} */
    const reason = await new Promise((resolve) => {
      const child = spawn(program, args, { cwd, env, stdio: ['ignore', output, output] });
      child.once('error', (error) => resolve(error.message));
      child.once('close', (code, signal) => resolve(code === 0 ? undefined : `ended with ${signal ?? `status ${code}`}`));
    });
    if (reason !== undefined) throw new CommandError(command.join(' '), reason, tail(logFile));
  } finally {
    closeSync(output);
  }
}

/**
 * Tells whether a program can be run and ends with status 0.
 * @param {readonly string[]} command the program and its arguments
 * @returns {boolean} false also when there is no such program
 */
export function succeeds(command) {
  const [program = '', ...args] = command;
  return spawnSync(program, args, { stdio: 'ignore' }).status === 0;
}

/**
 * The end of a text file.
 * @param {string} file its path
 * @param {number} [lines] how many lines at most
 * @returns {string} empty when there is no such file
 */
export function tail(file, lines = TAIL_LINES) {
  try {
    return readFileSync(file, 'utf8').trimEnd().split('\n').slice(-lines).join('\n');
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'ENOENT') return '';
    throw error;
  }
}
