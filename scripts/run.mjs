import { spawn } from 'node:child_process';

/**
 * How a program runs.
 * @typedef {object} Options
 * @property {NodeJS.ProcessEnv} [env]
 * @property {((chunk: string) => void) | undefined} [print] takes its output; ours when absent
 */

/**
 * Runs a program of the project to its end.
 * @param {string} program `node`, or the name of a program of node_modules/.bin
 * @param {readonly string[]} args
 * @param {Options} [options]
 * @returns {Promise<void>}
 * @throws {Error} when it exits with anything but 0
 */
export async function run(program, args, options = {}) {
  const code = await exitCode(program, args, options);
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with exit code ${code}`);
}

/**
 * Like {@link run}, for programs whose exit code is an answer.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {Options} [options]
 * @returns {Promise<number>} 128 and more when a signal ended it
 */
export function exitCode(program, args, { env = process.env, print } = {}) {
  const path = program === 'node' ? process.execPath : `node_modules/.bin/${program}`;
  const output = print === undefined ? 'inherit' : 'pipe';
  return new Promise((resolve, reject) => {
    const child = spawn(path, args, { env, stdio: ['ignore', output, output] });
    for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', print ?? (() => undefined));
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 128));
  });
}
