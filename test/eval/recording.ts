import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Usage } from '../../src/domain/model/usage.js';

/** One recorded answer. */
export interface RecordedAnswer {
  readonly request: string;
  /** What the conversation said, for the message when no answer fits. */
  readonly conversation: readonly string[];
  readonly text: string;
  readonly calls: readonly { readonly name: string; readonly arguments: string }[];
  readonly usage: Usage;
}

/** The answers to one task, by the hash of their request. */
export interface Recording {
  /** `provider/model`, or `written` for answers by hand. */
  readonly model: string;
  readonly answers: readonly RecordedAnswer[];
}

const FOLDER = resolve('test/eval/recordings');

/** Reads the recording of a task. @throws Error saying how to make it when it is not there. */
export async function loadRecording(task: string): Promise<Recording> {
  const text = await readFile(join(FOLDER, `${task}.json`), 'utf8').catch((error: unknown) => {
    throw new Error(`There is no recording of ${task}. Make it with npm run eval -- --write.`, { cause: error });
  });
  return JSON.parse(text) as Recording;
}

/** Writes the recording of a task. */
export async function saveRecording(task: string, recording: Recording): Promise<void> {
  await mkdir(FOLDER, { recursive: true });
  await writeFile(join(FOLDER, `${task}.json`), `${JSON.stringify(recording, undefined, 1)}\n`);
}

/** The recorded conversation that shares most with one that has no answer, and where they part. */
export function closestMatch(recording: Recording, conversation: readonly string[]): string {
  const shared = recording.answers.map((answer) => sharedLength(answer.conversation, conversation));
  const best = shared.indexOf(Math.max(...shared));
  const at = shared[best] ?? 0;
  const known = recording.answers[best]?.conversation[at] ?? '(nothing more)';
  return `The closest recorded conversation parts from it at message ${at + 1}:\n  recorded: ${known.slice(0, 500)}\n  now:      ${(conversation[at] ?? '(nothing more)').slice(0, 500)}`;
}

function sharedLength(a: readonly string[], b: readonly string[]): number {
  const end = a.findIndex((line, index) => line !== b[index]);
  return end < 0 ? a.length : end;
}
