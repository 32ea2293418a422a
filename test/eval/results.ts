import { createHash } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import * as z from 'zod/mini';
import { startOf } from './workspace.js';
import type { EvalTask } from './tasks/task.js';

const count = z.int().check(z.minimum(0));

const runSchema = z.object({
  task: z.string(),
  /** What the task was: runs of different versions do not go together. */
  version: z.string(),
  /** Index of the system prompt. */
  prompt: count,
  /** Counts from 1. */
  run: count,
  outcome: z.enum(['solved', 'failed', 'not measured']),
  problem: z.optional(z.string()),
  rounds: count,
  inputTokens: count,
  cacheReadTokens: count,
  outputTokens: count,
  costUsd: z.optional(z.number()),
  toolCalls: count,
  toolErrors: count,
  failedCommands: count,
  seconds: z.number(),
});

const aboutSchema = z.object({
  /** `scripted`: a script played the model, so the figures are about the harness and say nothing about Gnomon. */
  source: z.enum(['model', 'scripted']),
  /** `provider/id`. */
  model: z.string(),
  effort: z.string(),
  /** By what commands were held; `none` without a sandbox. */
  sandbox: z.string(),
  /** Names of the system prompts, with what tells them and the tools apart. */
  prompts: z.array(z.object({ name: z.string(), fingerprint: z.string() })),
});

const fileSchema = z.object({ format: z.literal(1), about: aboutSchema, runs: z.array(runSchema) });

/** One run of a task, as it is kept. */
export type RunRecord = z.infer<typeof runSchema>;
/** What was measured, and with what. */
export type About = z.infer<typeof aboutSchema>;

/** Results as they are kept in a file. */
export interface Results {
  readonly about: About;
  readonly runs: readonly RunRecord[];
}

/**
 * Reads a file of results; `undefined` when there is none.
 * @throws Error saying what is wrong with it.
 */
export async function readResults(path: string): Promise<Results | undefined> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  const parsed = z.safeParse(fileSchema, jsonOf(text));
  if (!parsed.success) throw new Error(`${path} is not a file of results: ${parsed.error.issues[0]?.path.join('.') ?? ''} is missing or wrong.`);
  return parsed.data;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Writes a file whole, so that an interruption leaves the one before. */
export async function writeWhole(path: string, text: string): Promise<void> {
  await writeFile(`${path}.new`, text);
  await rename(`${path}.new`, path);
}

/** A short text that differs for what differs. */
export function fingerprint(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 12);
}

/** What a task is, for telling its versions apart. */
export function versionOf(task: EvalTask): string {
  return fingerprint([task.prompt, startOf(task)]);
}
