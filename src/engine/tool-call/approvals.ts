import { AbortError } from '../../domain/errors.js';
import type { ApprovalAnswer } from '../../domain/tool/permission.js';

/** A prompt that waits: which one of its call it is, and what takes the answer. */
interface OpenPrompt {
  readonly revision: number;
  readonly take: (answer: ApprovalAnswer) => void;
}

/** The permission prompts that are open, by id of their call. */
export class Approvals {
  private readonly open = new Map<string, OpenPrompt>();

  /** Number of pending prompts. */
  get size(): number {
    return this.open.size;
  }

  /**
   * Waits for the user's answer to a call.
   * @param prompt the call, and which prompt of it this is, from 1.
   * @throws AbortError when the signal aborts first.
   */
  ask({ callId, revision }: { readonly callId: string; readonly revision: number }, signal: AbortSignal): Promise<ApprovalAnswer> {
    return new Promise((resolve, reject) => {
      const abort = (): void => {
        this.open.delete(callId);
        reject(new AbortError());
      };
      if (signal.aborted) return abort();
      signal.addEventListener('abort', abort, { once: true });
      const take = (answer: ApprovalAnswer): void => {
        signal.removeEventListener('abort', abort);
        resolve(answer);
      };
      this.open.set(callId, { revision, take });
    });
  }

  /**
   * Passes on an answer. Returns false when nothing waits under that id; a second answer changes nothing.
   * @param revision the prompt that it answers: one that was replaced meanwhile is not answered. Left out: any.
   */
  answer(callId: string, answer: ApprovalAnswer, revision?: number): boolean {
    const prompt = this.open.get(callId);
    if (prompt === undefined || (revision !== undefined && revision !== prompt.revision)) return false;
    this.open.delete(callId);
    prompt.take(answer);
    return true;
  }
}
