import { withoutUnseen } from '../../domain/hidden-characters.js';

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
