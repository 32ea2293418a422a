import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { HELD, NOT_HELD } from '../../support/sandboxes.js';
import { ProjectScene } from './scene.js';

/** What agents run all day, by those who watched them. */
const LINES = JSON.parse(readFileSync('test/unit/safety/everyday-lines.json', 'utf8')) as readonly {
  readonly command: string;
  readonly rules?: readonly string[];
}[];
/** Of these so many may ask where there is a sandbox. */
const MOST = 25;
/** What asks without one: the programs that are given files. */
const MOST_UNHELD = 210;

/** The lines that ask, or are refused. */
async function asking(sandbox: typeof HELD): Promise<readonly string[]> {
  const scene = new ProjectScene(temporaryFolder(), false);
  scene.isDone = true;
  const asked: string[] = [];
  for (const { command, rules = [] } of LINES) {
    if ((await scene.judge(command, { rules, sandbox })).type !== 'allow') asked.push(command);
  }
  return asked;
}

test('what agents run all day asks seldom: at most 25 of 235 lines', async () => {
  const asked = await asking(HELD);
  expect(LINES).toHaveLength(235);
  expect(asked.length, asked.join('\n')).toBeLessThanOrEqual(MOST);
});

test('without a sandbox only what reads no file runs without asking', async () => {
  const asked = await asking(NOT_HELD);
  expect(asked.length, asked.join('\n')).toBeLessThanOrEqual(MOST_UNHELD);
  expect(asked).toEqual(expect.arrayContaining(['git status', 'ls -la', 'cat README.md src/a.ts', 'rg foo']));
  for (const line of ['pwd', 'echo hello', 'true', 'sleep 1', 'whoami', 'npm test']) expect(asked).not.toContain(line);
});
