import type { Clock } from '../../domain/clock.js';
import { errorMessage, ProviderError } from '../../domain/errors.js';
import { t } from '../../domain/l10n.js';
import type { Log } from '../../domain/log.js';
import type { ModelInfo, Provider } from '../../domain/provider.js';
import { streamAnswer } from '../answer.js';
import { CallIds } from '../call-ids.js';
import { cleanCommitMessage } from './clean-commit-message.js';
import type { CommitFacts } from './commit-message-request.js';
import { commitMessageRequest } from './commit-message-request.js';

/** What {@link writeCommitMessage} works with. */
export interface CommitWriter {
  readonly provider: Provider;
  readonly model: ModelInfo;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
  /** Hears the message as far as it is written. */
  readonly written: (message: string) => void;
}

/**
 * Has a model write a commit message, as it comes.
 * @returns the whole message.
 * @throws what went wrong with the request, or ProviderError when nothing was written. What came before was told.
 */
export async function writeCommitMessage(facts: CommitFacts, { provider, model, clock, log, signal, written }: CommitWriter): Promise<string> {
  const request = commitMessageRequest(facts, model, clock.timestamp());
  let text = '';
  const answer = await streamAnswer(request, {
    provider,
    ids: new CallIds([]),
    signal,
    clock,
    log,
    event: (event) => {
      if (event.type !== 'text_delta') return;
      text += event.delta;
      written(cleanCommitMessage(text));
    },
    partial: () => Promise.resolve(),
  });
  if (answer.error !== undefined) throw answer.error instanceof Error ? answer.error : new Error(errorMessage(answer.error));
  const message = cleanCommitMessage(text);
  if (message === '') throw new ProviderError('protocol', t('The model wrote no commit message. Try again, or choose another model.'));
  written(message);
  return message;
}
