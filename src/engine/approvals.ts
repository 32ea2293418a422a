import { AbortError } from '../domain/errors.js';
import type { ApprovalAnswer } from '../domain/permission.js';

/** The permission prompts that are open, by id of their call (cmd-43). */
export class Approvals {
  private readonly open = new Map<string, (answer: ApprovalAnswer) => void>();

  /** How many prompts wait for an answer. */
  get size(): number {
    return this.open.size;
  }

  /**
   * Waits for the person's answer to a call.
   * @throws AbortError when the signal aborts first.
   */
  ask(callId: string, signal: AbortSignal): Promise<ApprovalAnswer> {
    return new Promise((resolve, reject) => {
      const abort = (): void => {
        this.open.delete(callId);
        reject(new AbortError());
      };
      if (signal.aborted) return abort();
      signal.addEventListener('abort', abort, { once: true });
      this.open.set(callId, (answer) => {
        signal.removeEventListener('abort', abort);
        resolve(answer);
      });
    });
  }

  /** Passes on an answer. Returns false when nothing waits under that id; a second answer changes nothing. */
  answer(callId: string, answer: ApprovalAnswer): boolean {
    const resolve = this.open.get(callId);
    if (resolve === undefined) return false;
    this.open.delete(callId);
    resolve(answer);
    return true;
  }
}
