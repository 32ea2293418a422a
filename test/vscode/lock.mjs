/**
 * A lock between processes: a folder with the name of its owner in it.
 */
import { mkdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { parseJson } from './json.mjs';
import { waitFor } from './wait.mjs';

/** An owner shows every few seconds that it is alive; after this long without a sign it is taken for dead. */
const STALE_AFTER_MS = 30_000;
const HEARTBEAT_MS = 5_000;

/** @typedef {{ pid: number, host: string }} Owner */

/**
 * Runs a step while holding the lock; waits for another owner first. A lock whose owner has died is taken over.
 * @template T
 * @param {{ path: string, timeoutMs: number, onWait: (owner: Owner | undefined) => void }} options
 *   `onWait` is called once, when somebody else holds the lock
 * @param {() => Promise<T>} step what the lock protects
 * @returns {Promise<T>} what the step returns
 * @throws {import('./wait.mjs').DeadlineError} when the lock does not come free in time
 */
export async function withLock({ path, timeoutMs, onWait }, step) {
  let told = false;
  const attempt = async () => {
    if (await tryLock(path)) return true;
    if (!told) onWait(await ownerOf(path));
    told = true;
    return false;
  };
  await waitFor(attempt, { what: `the lock ${path}`, timeoutMs, intervalMs: 250 });
  const heartbeat = setInterval(() => void touch(path), HEARTBEAT_MS);
  try {
    return await step();
  } finally {
    clearInterval(heartbeat);
    await rm(path, { recursive: true, force: true });
  }
}

/**
 * Takes the lock if it is free or its owner is dead.
 * @param {string} path the lock's folder
 * @returns {Promise<boolean>} whether it is ours now
 */
async function tryLock(path) {
  await mkdir(dirname(path), { recursive: true });
  try {
    await mkdir(path);
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error;
    if (!(await isStale(path))) return false;
    await rm(path, { recursive: true, force: true });
    return tryLock(path);
  }
  await writeFile(join(path, 'owner.json'), JSON.stringify({ pid: process.pid, host: hostname() }));
  return true;
}

/**
 * @param {string} path the lock's folder
 * @returns {Promise<boolean>} whether its owner is gone
 */
async function isStale(path) {
  const owner = await ownerOf(path);
  if (owner?.host === hostname() && !isAlive(owner.pid)) return true;
  const status = await stat(path).catch(() => undefined);
  return status !== undefined && Date.now() - status.mtimeMs > STALE_AFTER_MS;
}

/**
 * @param {string} path the lock's folder
 * @returns {Promise<Owner | undefined>} undefined while its owner is just taking or releasing it
 */
async function ownerOf(path) {
  const text = await readFile(join(path, 'owner.json'), 'utf8').catch(() => '');
  return text === '' ? undefined : /** @type {Owner} */ (parseJson(text));
}

/**
 * @param {number} pid a process of this machine
 * @returns {boolean} whether it exists
 */
function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM';
  }
}

/**
 * Shows that the owner is alive. A lock that was taken away meanwhile is left alone.
 * @param {string} path the lock's folder
 */
async function touch(path) {
  const now = new Date();
  await utimes(path, now, now).catch(() => undefined);
}
