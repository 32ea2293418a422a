import { readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** A module in the same folder that a file imports. */
const NEIGHBOR = /from '\.\/([\w-]+)\.js'/g;

/** Folders whose tests start programs, mostly in what they test, and what a test file has that starts some itself. */
const STARTS_PROGRAMS = /\/test\/unit\/(?:node|agent-host|headless|mcp)\//;
const STARTS_SOME = /from 'node:child_process'/;

/**
 * Begins with the test files that start programs, as Linux copies the table of a process's memory for each program that it starts: a worker that has
 * loaded much takes five times as long for it as a new one. Of these, and of the others, those that probably take longest come first: one that begins last
 * keeps a worker busy when the others have nothing left to do. A fresh clone knows nothing of earlier runs, so size decides, with what stands in modules
 * beside the file.
 */
export class LongestFirst extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const weighed = files.map((file) => ({ file, starts: startsPrograms(file.moduleId) ? 1 : 0, weight: weightOf(file.moduleId) }));
    return Promise.resolve(weighed.sort((a, b) => b.starts - a.starts || b.weight - a.weight).map(({ file }) => file));
  }
}

function startsPrograms(path: string): boolean {
  return STARTS_PROGRAMS.test(path) || STARTS_SOME.test(readFileSync(path, 'utf8'));
}

function weightOf(path: string): number {
  const text = readFileSync(path, 'utf8');
  const neighbors = new Set([...text.matchAll(NEIGHBOR)].map(([, name]) => join(dirname(path), `${name}.ts`)));
  return [...neighbors].reduce((sum, neighbor) => sum + (statSync(neighbor, { throwIfNoEntry: false })?.size ?? 0), text.length);
}
