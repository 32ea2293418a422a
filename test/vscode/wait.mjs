/**
 * Waiting for a condition, with a deadline. The only place of the harness that lets time pass.
 */
import { setTimeout as delay } from 'node:timers/promises';

/**
 * Thrown when a condition did not come true in time.
 */
export class DeadlineError extends Error {
  /**
   * @param {string} what what was waited for, as a noun phrase
   * @param {number} timeoutMs how long, in milliseconds
   */
  constructor(what, timeoutMs) {
    super(`Waited ${timeoutMs / 1000} s in vain for ${what}.`);
    this.name = 'DeadlineError';
  }
}

/**
 * Polls until the condition yields something other than `undefined` or `false`.
 * @template T
 * @param {() => T | Promise<T>} condition may throw: that ends the wait with its error
 * @param {{ what: string, timeoutMs: number, intervalMs?: number }} options `what` names the condition in the error
 * @returns {Promise<Exclude<T, undefined | false>>} what the condition yielded
 * @throws {DeadlineError} when the time is up
 */
export async function waitFor(condition, { what, timeoutMs, intervalMs = 100 }) {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const value = await condition();
    if (value !== undefined && value !== false) {
      return /** @type {Exclude<T, undefined | false>} */ (value);
    }
    if (Date.now() >= deadline) throw new DeadlineError(what, timeoutMs);
    await delay(intervalMs);
  }
}
