import { spawn } from 'node:child_process';

/**
 * Runs a program of the project to its end, its output going to ours.
 * @param {string} program `node`, or the name of a program of node_modules/.bin
 * @param {readonly string[]} args
 * @param {{ readonly env?: NodeJS.ProcessEnv, readonly onOutput?: (chunk: string) => void }} [options]
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
 * @param {{ readonly env?: NodeJS.ProcessEnv, readonly onOutput?: (chunk: string) => void }} [options]
 * @returns {Promise<number>} 128 and more when a signal ended it
 */
export function exitCode(program, args, { env = process.env, onOutput } = {}) {
  const path = program === 'node' ? process.execPath : `node_modules/.bin/${program}`;
  return new Promise((resolve, reject) => {
    const child = spawn(path, args, { env, stdio: ['ignore', onOutput ? 'pipe' : 'inherit', 'inherit'] });
    child.stdout?.setEncoding('utf8').on('data', (chunk) => {
      process.stdout.write(chunk);
      onOutput?.(chunk);
    });
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 128));
  });
}
