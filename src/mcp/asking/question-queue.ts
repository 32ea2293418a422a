import { Signal } from '../../concurrency/signal.js';
import { AbortError } from '../../domain/errors.js';
import type { McpElicitation, McpQuestionAnswer, McpSampleQuestion } from '../../domain/mcp/request.js';

/** Something that a server waits for the user to answer. A plain value. */
export interface McpQuestion {
  /** Identifies the question in the answer. Never reused, so that an answer cannot apply to another question than the one shown. */
  readonly id: string;
  /** Id of the server. */
  readonly serverId: string;
  /** The name that the user knows the server by. */
  readonly server: string;
  /** The chat in which it is asked. */
  readonly session: string;
  readonly asked: McpElicitation | McpSampleQuestion;
  /** The server's own host, when an address leads to another one. */
  readonly ownHost?: string;
}

/** When a question goes without an answer of the user. */
export interface QuestionEnds {
  /** The server does not wait any more: rejects. */
  readonly gone: AbortSignal;
  /** The user has stopped what it was asked for: answered with `cancel`. */
  readonly over?: AbortSignal;
}

interface OpenQuestion {
  readonly question: McpQuestion;
  readonly settle: (answer: McpQuestionAnswer) => void;
}

/** Questions of servers that the user has not answered, oldest first. */
export class QuestionQueue {
  private readonly open = new Map<string, OpenQuestion>();
  private readonly changed = new Signal();
  /** Calls back after each change. Returns how to stop that. */
  readonly onDidChange = this.changed.subscribe;
  private count = 0;

  /** Open questions of one chat or of all. */
  list(session?: string): readonly McpQuestion[] {
    return [...this.open.values()].map(({ question }) => question).filter((question) => session === undefined || question.session === session);
  }

  /** A question that is open. */
  get(id: string): McpQuestion | undefined {
    return this.open.get(id)?.question;
  }

  /**
   * Asks, and resolves with the answer.
   * @throws AbortError when the server does not wait any more
   */
  ask(asked: Omit<McpQuestion, 'id'>, { gone, over }: QuestionEnds): Promise<McpQuestionAnswer> {
    if (gone.aborted) return Promise.reject(new AbortError());
    if (over?.aborted === true) return Promise.resolve({ action: 'cancel' });
    this.count += 1;
    const id = `q${this.count}`;
    return new Promise((resolve, reject) => {
      const end = (): void => {
        this.open.delete(id);
        gone.removeEventListener('abort', leave);
        over?.removeEventListener('abort', cancel);
        this.changed.emit();
      };
      const settle = (answer: McpQuestionAnswer): void => {
        end();
        resolve(answer);
      };
      const leave = (): void => {
        end();
        reject(new AbortError());
      };
      const cancel = (): void => settle({ action: 'cancel' });
      gone.addEventListener('abort', leave, { once: true });
      over?.addEventListener('abort', cancel, { once: true });
      this.open.set(id, { question: { id, ...asked }, settle });
      this.changed.emit();
    });
  }

  /** Answers a question. One that is not open any more is passed over. */
  answer(id: string, answer: McpQuestionAnswer): void {
    this.open.get(id)?.settle(answer);
  }

  /** Cancels those that a test picks. */
  cancel(picked: (question: McpQuestion) => boolean): void {
    for (const question of this.list()) if (picked(question)) this.answer(question.id, { action: 'cancel' });
  }
}
