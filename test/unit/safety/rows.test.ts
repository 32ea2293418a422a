import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const TABLE = 'test/safety/rows.md';
/** Rows of these kinds are about what exists: each has a test, but for those of an absent capability. */
const DUE = /^(cmd|path|view|tool)-/;
/** The absent capabilities. */
const ABSENT = /^Not applicable yet: there (is|are) no (hooks|subagents|MCP servers)/;

interface Row {
  readonly id: string;
  readonly holds: string;
  readonly proof: string;
}

/** The lines `| cmd-01 | A command … asks. | test/… |` of the table. */
function rows(): readonly Row[] {
  const lines = readFileSync(TABLE, 'utf8').split('\n').filter((line) => /^\| [a-z]+-\d\d \|/.test(line));
  return lines.map((line) => {
    const [, id = '', holds = '', proof = ''] = line.split('|').map((cell) => cell.trim());
    return { id, holds, proof };
  });
}

test('every row is there once', () => {
  const ids = rows().map(({ id }) => id);
  expect(ids).toHaveLength(167);
  expect(new Set(ids).size).toBe(167);
});

test.each(rows())('$id says in one sentence what must hold', ({ holds }) => {
  expect(holds).toMatch(/^[A-Z].{20,}\w[`)]?\.$/);
});

test.each(rows())('$id is proved by tests that name it, or says why not yet', ({ id, proof }) => {
  const files = [...proof.matchAll(/`([^`]+)`/g)].map(([, file = '']) => file);
  for (const file of files) expect(readFileSync(file, 'utf8'), `${file} names ${id}`).toMatch(new RegExp(`${id}(?!\\d)`));
  if (files.length > 0) return;
  expect(proof).toMatch(DUE.test(id) ? ABSENT : /^Not applicable yet: \w.{10,}/);
});
