import * as vscode from 'vscode';
import { AbortError, ToolInputError } from '../../domain/errors.js';

/** Longest wait for the language servers, in milliseconds; a large project takes some seconds to load. */
const ANSWER_MS = 10_000;
const LATE = `The language server did not answer within ${ANSWER_MS / 1_000} seconds. It may still be loading: try again, or use grep.`;

/**
 * Runs one of VS Code's commands that ask language servers. Such a command cannot be called off: on a stop or after the
 * limit its answer is left unread.
 * @returns an empty list where no server answers
 * @throws ToolInputError when it takes too long
 */
export async function askServers<T>(signal: AbortSignal, command: string, ...args: readonly unknown[]): Promise<readonly T[]> {
  if (signal.aborted) throw new AbortError();
  let tidy = (): void => undefined;
  const answer = new Promise<readonly T[]>((resolve, reject) => {
    const stop = (): void => reject(new AbortError());
    const late = setTimeout(() => reject(new ToolInputError(LATE)), ANSWER_MS);
    signal.addEventListener('abort', stop, { once: true });
    tidy = () => {
      clearTimeout(late);
      signal.removeEventListener('abort', stop);
    };
    vscode.commands.executeCommand<readonly T[] | undefined>(command, ...args).then((found) => resolve(found ?? []), reject);
  });
  return answer.finally(tidy);
}
