import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isReadingProgram } from '../../../../src/permission/shell/readers/awk.js';
import { Random } from '../../../support/option-fuzz/random.js';
import { QUICK } from '../../../support/temporary-folder.js';
import { runs } from '../../../support/runs.js';

/** The programs of awk on this machine: what they do is the measure. */
const AWKS = ['mawk', 'gawk', 'original-awk', 'bwk'].map((name) => `/usr/bin/${name}`).filter((path) => existsSync(path));

/** The files that a program writes, run on a line that names one and gives a text. */
function written(awk: string, program: string): readonly string[] {
  const folder = mkdtempSync(join(QUICK, 'gnomon-awk-'));
  try {
    writeFileSync(join(folder, 'pair'), 'made text\n2 2\n');
    spawnSync(awk, [program, 'pair'], { cwd: folder, stdio: 'ignore', timeout: 1_000 });
    return readdirSync(folder).filter((name) => name !== 'pair');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Programs that write a file, each by making a reader lose count of braces, slashes or brackets. */
const WRITES = [
  '{ n = /[/]}/ ; print $2 > $1 }',
  '{ n = /[/]/ / 1; print $2 > $1 }',
  'x / 1 || 1 { y = 2 / 1; print $2 > $1 }',
  '{ if (1) /}/; y = 1 / 1; print $2 > $1 }',
  '{ x++ / 2 / /}/; y = 1 / 1; print $2 > $1 }',
  '{ if (0) /}/; else print $2 > $1 }',
  '{ n = /\\// ; print $2 > $1 }',
  '{ n = (1) / 2; z = 3 / 4; print $2 > $1 }',
  '/}/ || 1 { print $2 > $1 }',
  '1; { print $2 > $1 }',
];
const PIECES = [
  '{',
  '}',
  '/',
  ' / ',
  '/x/',
  '/}/',
  '/{/',
  '/[/]/',
  '/[}]/',
  '/\\//',
  '[',
  ']',
  '\\',
  '(',
  ')',
  'if (1) ',
  'else ',
  '$1',
  '$2',
  ' x',
  ' y',
  ' 1',
  ' 2',
  '++',
  '--',
  '=',
  ' ~ ',
  '!',
  '&&',
  '||',
  ';',
  '\n',
  ',',
  ' > ',
  '>=',
  '+',
  '-',
  '?',
  ':',
  ' print $2 > $1',
  ' print',
  'length',
  'next',
  ' in ',
  '1 { y = 2 / 1',
  '; print $2 > $1 }',
  '{ n = ',
];

describe.each(AWKS)('what only prints, by the analysis, and what %s does with it', (awk) => {
  test('the ways to write a file do write one, and none is taken for a program that only prints', () => {
    expect(WRITES.filter((program) => isReadingProgram(program))).toEqual([]);
    expect(WRITES.filter((program) => written(awk, program).length > 0).length).toBeGreaterThan(5);
  });

  test('none of many generated programs that are taken for such writes one', () => {
    const random = new Random(20_261);
    const programs = new Set<string>();
    for (let round = 0; round < 400_000 && programs.size < runs(250); round += 1) {
      const program = Array.from({ length: 3 + random.below(12) }, () => random.of(PIECES)).join('');
      if (/>/.test(program) && isReadingProgram(program)) programs.add(program);
    }
    expect(programs.size).toBeGreaterThan(runs(100));
    expect([...programs].filter((program) => written(awk, program).length > 0)).toEqual([]);
  });
});

test.each([
  '{print $1/2}',
  '/a/ {print $2}',
  '/[0-9]+/ {n++} END {print n/2}',
  '$1 ~ /^[[:alpha:]_]+$/',
  '!/x/',
  'NR>1 && /foo/',
  'NR/2 > 3',
  '{ a = $1 / $2; print a }',
  '/start/{f=1} f; /end/{f=0}',
  '{s+=$1} END {print s/NR}',
  '/a/,/b/',
  '{print length($1)}\n/x/ {print}',
])('%s still only prints', (program) => {
  expect(isReadingProgram(program)).toBe(true);
});
