import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** A module in the same folder that a file imports. */
const NEIGHBOR = /from '\.\/([\w-]+)\.js'/g;

/** What test files and their neighbors have that start many programs: most of them run Git for each of their tests. */
const STARTS_MANY = /from 'node:child_process'/;
/** Folders in which what is tested starts programs. */
const STARTS_SOME = /\/test\/unit\/(?:node|agent-host|headless|mcp)\//;

/**
 * Begins with the test files that start programs, as Linux copies the table of a process's memory for each program that it starts: a worker that has
 * loaded much takes five times as long for it as a new one. Of these, and of the others, those that probably take longest come first: one that begins last
 * keeps a worker busy when the others have nothing left to do. A fresh clone knows nothing of earlier runs, so size decides, with what stands in modules
 * beside the file.
 */
export class LongestFirst extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const weighed = files.map((file) => ({ file, ...weigh(file.moduleId) }));
    return Promise.resolve(weighed.sort((a, b) => b.starts - a.starts || b.weight - a.weight).map(({ file }) => file));
  }
}

function weigh(path: string): { readonly starts: number; readonly weight: number } {
  const text = readFileSync(path, 'utf8');
  const neighbors = new Set([...text.matchAll(NEIGHBOR)].map(([, name]) => join(dirname(path), `${name}.ts`)));
  const texts = [text, ...[...neighbors].filter((neighbor) => existsSync(neighbor)).map((neighbor) => readFileSync(neighbor, 'utf8'))];
  return {
    starts: texts.some((each) => STARTS_MANY.test(each)) ? 2 : STARTS_SOME.test(path) ? 1 : 0,
    weight: texts.reduce((sum, each) => sum + each.length, 0),
  };
}
