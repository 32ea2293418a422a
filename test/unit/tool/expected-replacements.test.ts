import { describe, expect, test } from 'vitest';
import { rig, textOf } from './rig.js';

const PATH = '/ws/a.txt';
const END = { old_string: 'end', new_string: 'END' };

/** How models say how many replacements they expect: `edit` in its forms, several edits in one call, and Gemini's `replace`. */
const FORMS: Readonly<Record<string, (expected: unknown) => object>> = {
  'one edit': (expected) => ({ file_path: PATH, old_string: 'x', new_string: 'yy', expected_replacements: expected }),
  'one edit that names all places': (expected) => ({ file_path: PATH, old_string: 'x', new_string: 'yy', replace_all: true, expected_replacements: expected }),
  'one edit that names one place': (expected) => ({ file_path: PATH, old_string: 'x', new_string: 'yy', replace_all: false, expected_replacements: expected }),
  'a list': (expected) => ({ file_path: PATH, edits: [{ old_string: 'x', new_string: 'yy', expected_replacements: expected }] }),
  'the first of several edits': (expected) => ({ file_path: PATH, edits: [{ old_string: 'x', new_string: 'yy', expected_replacements: expected }, END] }),
  'the last of several edits': (expected) => ({ file_path: PATH, edits: [END, { old_string: 'x', new_string: 'yy', expected_replacements: expected }] }),
  'the call of Gemini CLI': (expected) => ({ file_path: PATH, instruction: 'Change it.', old_string: 'x', new_string: 'yy', expected_replacements: expected }),
  'another spelling': (expected) => ({ filePath: PATH, oldString: 'x', newString: 'yy', expectedReplacements: expected }),
  'a number in quotes': (expected) => ({ file_path: PATH, old_string: 'x', new_string: 'yy', expected_replacements: String(expected) }),
};
const COUNTS = [0, 1, 2, 3, 5, 12];

/** What an edit makes of a file in which the text is a number of times; or why it makes nothing of it. */
async function edited(there: number, args: object): Promise<{ readonly text: string; readonly told: string }> {
  const { call, documents } = rig({ files: { [PATH]: `${'x, '.repeat(there)}end\n` } });
  await call('read', { file_path: PATH });
  const told = await call('edit', args).then(textOf, String);
  return { text: documents.text(PATH), told };
}

describe.each(Object.entries(FORMS))('expected_replacements is a check: %s', (_form, argsFor) => {
  test.each(COUNTS)('of %i places, all are replaced when so many are expected, and else none', async (there) => {
    for (const expected of COUNTS) {
      const { text, told } = await edited(there, argsFor(expected));
      if (there === expected && there > 0) expect(text).toMatch(new RegExp(`^(yy, ){${there}}(end|END)\n$`));
      else expect(text).toBe(`${'x, '.repeat(there)}end\n`);
      const found = `old_string occurs ${there === 1 ? 'once' : `${there} times`} in a\\.txt.*; nothing was changed\\.`;
      if (there > 0 && there !== expected) expect(told).toMatch(new RegExp(found));
      if (there > 0 && there !== expected && expected !== 1) expect(told).toContain(`, not ${expected} as expected_replacements says`);
    }
  });
});

test.each([-1, 1.5, 'many', null])('expected_replacements: %j changes nothing', async (expected) => {
  const { text, told } = await edited(2, { file_path: PATH, old_string: 'x', new_string: 'yy', expected_replacements: expected });
  expect([text, told]).toEqual(['x, x, end\n', expect.stringMatching(/expected_replacements|occurs 2 times/)]);
});
