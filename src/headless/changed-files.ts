import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type FileReview, LEDGER_PLACE } from '../edits/ledger-entry.js';
import type { Ledger } from '../edits/ledger.js';
import type { Places } from './places.js';

/** What a run changes files with. */
interface Changes {
  readonly ledger: Ledger;
  readonly places: Places;
}

/** Looks at what pends before a run. @returns what a session has changed since then */
export async function lookBefore({ ledger, places }: Changes): Promise<(sessionId: string) => readonly FileReview[]> {
  // Where nothing pends, it would make the folder.
  if (existsSync(join(places.review, LEDGER_PLACE.index))) await ledger.load();
  const before = new Map(ledger.files().map((file) => [file.path, stateOf(file)]));
  return (sessionId) => ledger.files().filter((file) => file.sessions.includes(sessionId) && before.get(file.path) !== stateOf(file));
}

function stateOf({ hunks, lines, deleted, movedFrom }: FileReview): string {
  return JSON.stringify([hunks, lines, deleted, movedFrom]);
}
