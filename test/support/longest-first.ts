import { readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** A module in the same folder that a file imports. */
const NEIGHBOR = /from '\.\/([\w-]+)\.js'/g;

/**
 * Begins with the test files that probably take longest: one that begins last keeps a worker busy when the others have
 * nothing left to do. A fresh clone knows nothing of earlier runs, so size decides, with what stands in modules beside the file.
 */
export class LongestFirst extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const weighed = files.map((file) => ({ file, weight: weightOf(file.moduleId) }));
    return Promise.resolve(weighed.sort((a, b) => b.weight - a.weight).map(({ file }) => file));
  }
}

function weightOf(path: string): number {
  const text = readFileSync(path, 'utf8');
  const neighbors = new Set([...text.matchAll(NEIGHBOR)].map(([, name]) => join(dirname(path), `${name}.ts`)));
  return [...neighbors].reduce((sum, neighbor) => sum + (statSync(neighbor, { throwIfNoEntry: false })?.size ?? 0), text.length);
}
