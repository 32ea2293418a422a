import { AbortError } from '../../../domain/errors.js';
import type { Question, QuestionAnswer, Questions } from '../../../domain/tool/questions.js';

/** Questions of one session's model that wait for the user. The chat shows them with their calls. */
export class OpenQuestions implements Questions {
  private readonly waiting = new Map<string, (answer: QuestionAnswer) => void>();

  ask(callId: string, _question: Question, signal: AbortSignal): Promise<QuestionAnswer> {
    signal.throwIfAborted();
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        this.waiting.delete(callId);
        reject(new AbortError());
      };
      signal.addEventListener('abort', stop, { once: true });
      this.waiting.set(callId, (answer) => {
        signal.removeEventListener('abort', stop);
        resolve(answer);
      });
    });
  }

  /** Answers the question of a call. Does nothing when none waits under that id. */
  answer(callId: string, answer: QuestionAnswer): void {
    const resolve = this.waiting.get(callId);
    this.waiting.delete(callId);
    resolve?.(answer);
  }
}
