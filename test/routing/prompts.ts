import { readFileSync } from 'node:fs';
import * as z from 'zod/mini';
import { TASK_KINDS, type TaskKind } from '../../src/domain/model/task-kind.js';
import { kindOfPrompt } from '../../src/routing/kind-of-prompt.js';
import type { Confusion } from './simulate.js';

const FILE = z.object({ cases: z.array(z.object({ prompt: z.string(), kind: z.enum(TASK_KINDS) })) });
type Case = z.infer<typeof FILE>['cases'][number];

/** How often prompts of each kind (rows) are taken for each other one (columns). */
export interface Matrix {
  readonly name: string;
  readonly counts: readonly (readonly number[])[];
}

function casesIn(file: string): readonly Case[] {
  return FILE.parse(JSON.parse(readFileSync(`test/routing/prompts/${file}.json`, 'utf8'))).cases;
}

/** The prompts that the table of words was made from, and those that it was not. */
export function promptMatrices(): { readonly tuned: Matrix; readonly heldOut: Matrix } {
  const given = casesIn('given');
  return {
    tuned: matrixOf('tuned on', [...casesIn('tuned'), ...casesIn('own'), ...given.filter((_, at) => at % 2 === 0)]),
    heldOut: matrixOf('held out', [...casesIn('held-out'), ...given.filter((_, at) => at % 2 === 1)]),
  };
}

function matrixOf(name: string, cases: readonly Case[]): Matrix {
  const guesses = cases.map(({ prompt, kind }) => ({ kind, guess: kindOfPrompt(prompt) }));
  const count = (kind: TaskKind, other: TaskKind): number => guesses.filter(({ kind: of, guess }) => of === kind && guess === other).length;
  return { name, counts: TASK_KINDS.map((kind) => TASK_KINDS.map((other) => count(kind, other))) };
}

/** The share of prompts whose kind is guessed rightly. */
export function accuracy({ counts }: Matrix): number {
  const all = counts.flat().reduce((sum, count) => sum + count, 0);
  return counts.reduce((sum, row, at) => sum + (row[at] ?? 0), 0) / all;
}

/** The matrix as shares of each row, for the kinds of a table in their order. */
export function confusionOf({ counts }: Matrix, kinds: readonly string[]): Confusion {
  const at = kinds.map((kind) => TASK_KINDS.findIndex((each) => each === kind));
  return at.map((row) => {
    const of = at.map((column) => counts[row]?.[column] ?? 0);
    const sum = of.reduce((total, count) => total + count, 0);
    return of.map((count) => count / sum);
  });
}
