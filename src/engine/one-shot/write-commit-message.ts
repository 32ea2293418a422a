import { ProviderError } from '../../domain/errors.js';
import { t } from '../../domain/l10n.js';
import type { AskedModel } from './ask-once.js';
import { askOnce, errorOf } from './ask-once.js';
import type { CommitFacts } from './commit-message-request.js';
import { commitMessageRequest } from './commit-message-request.js';
import { withoutUnseen } from '../../domain/hidden-characters.js';

/** Dependencies of {@link writeCommitMessage}. */
export interface CommitWriter extends AskedModel {
  /** Hears the message as far as it is written. */
  readonly written: (message: string) => void;
}

/**
 * Has a model write a commit message, as it comes.
 * @returns the whole message.
 * @throws what went wrong with the request, or ProviderError when nothing was written. What came before was told.
 */
export async function writeCommitMessage(facts: CommitFacts, writer: CommitWriter): Promise<string> {
  const { model, clock, written } = writer;
  let text = '';
  const answer = await askOnce(commitMessageRequest(facts, model, clock.timestamp()), writer, (piece) => {
    text += piece;
    written(cleanCommitMessage(text));
  });
  const error = errorOf(answer);
  if (error !== undefined) throw error;
  const message = cleanCommitMessage(text);
  if (message === '') throw new ProviderError('protocol', t('The model did not return a commit message. Try again, or choose another model.'));
  written(message);
  return message;
}

/** Characters of a message at most. */
const MAX_LENGTH = 5_000;
/** A fence that models put around a message although they were asked not to. */
const OPENING = /^\s*```[^\n]*\n?/;
const CLOSING = /\n?```\s*$/;

/** The commit message in what a model has written so far: as it is shown while more comes, and at the end. */
export function cleanCommitMessage(written: string): string {
  const fenced = OPENING.test(written);
  const bare = fenced ? written.replace(OPENING, '').replace(CLOSING, '') : written;
  const lines = withoutUnseen(bare.slice(0, MAX_LENGTH)).text.replace(/\r\n?/g, '\n').split('\n');
  return lines.map((line) => line.trimEnd()).join('\n').trim().toWellFormed();
}
