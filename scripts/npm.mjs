/**
 * Finding npm, so that it can be run by a chosen Node.js and without a shell.
 */
import { existsSync, realpathSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

/**
 * The script that is npm.
 * @returns {string} an absolute path to `npm-cli.js`
 * @throws {Error} when no npm is found
 */
export function npmCli() {
  const found = candidates().find((path) => path.endsWith('npm-cli.js') && existsSync(path));
  if (found === undefined) throw new Error('npm was not found. It comes with Node.js; install it and try again.');
  return found;
}

/**
 * @returns {string[]} places where npm may be: the npm that runs us, the one beside our Node.js, those on the PATH
 */
function candidates() {
  const bin = dirname(process.execPath);
  const script = join('node_modules', 'npm', 'bin', 'npm-cli.js');
  const onPath = (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, 'npm'));
  return [
    process.env['npm_execpath'] ?? '',
    join(bin, '..', 'lib', script),
    join(bin, script),
    ...onPath.filter((path) => existsSync(path)).map((path) => realpathSync(path)),
  ];
}

/**
 * The environment for an npm of its own: without what an npm that runs us tells its scripts, which would be read as
 * configuration. What is needed to reach a registry stays.
 * @param {NodeJS.ProcessEnv} [from] the environment to start from
 * @returns {NodeJS.ProcessEnv} a copy
 */
export function npmEnvironment(from = process.env) {
  const keep = /^npm_config_(registry|cafile|cache|proxy|https_proxy|noproxy|userconfig|globalconfig)$/;
  return Object.fromEntries(Object.entries(from).filter(([name]) => !name.startsWith('npm_') || keep.test(name)));
}
