import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const TABLE = 'test/safety/rows.md';
/** Rows about what Gnomon does not have: schemas that a file names, trust of its own, memory. Only a person changes the list, and makes it shorter. */
const ABSENT: readonly string[] = ['conf-08', 'conf-09', 'conf-21'];

interface Row {
  readonly id: string;
  readonly holds: string;
  readonly proof: string;
}

/** The lines `| cmd-01 | A command … asks. | test/… |` of the table. */
function rows(): readonly Row[] {
  const lines = readFileSync(TABLE, 'utf8')
    .split('\n')
    .filter((line) => /^\| [a-z]+-\d\d \|/.test(line));
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

test('the rows without a proof are those that wait for something Gnomon does not have', () => {
  expect(
    rows()
      .filter(({ proof }) => !proof.includes('`'))
      .map(({ id }) => id),
  ).toEqual(ABSENT);
});

test.each(rows())('$id is proved by tests that name it, or says what it waits for', ({ id, proof }) => {
  const files = [...proof.matchAll(/`([^`]+)`/g)].map(([, file = '']) => file);
  for (const file of files) expect(readFileSync(file, 'utf8'), `${file} names ${id}`).toMatch(new RegExp(`${id}(?!\\d)`));
  if (files.length > 0) return;
  expect(proof).toMatch(/^Not applicable yet: \w.{10,}/);
});
