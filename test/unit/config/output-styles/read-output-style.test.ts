import { readFile, readdir } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { type OutputStyleReading, readOutputStyle } from '../../../../src/config/output-styles/read-output-style.js';

const FOLDER = 'test/fixtures/config-corpus/output-styles';
const files = (await readdir(FOLDER)).filter((name) => name.endsWith('.md'));
const read = (text: string, file = 'a.md'): OutputStyleReading =>
  readOutputStyle(text, { origin: { layer: 'project', file: `/ws/.claude/output-styles/${file}`, display: `.claude/output-styles/${file}`, folder: '/ws' } });

function lines({ style, skipped, problems }: OutputStyleReading): readonly string[] {
  return [
    ...(style === undefined
      ? []
      : [
          `style ${JSON.stringify([style.name, style.description, style.keepsCodingInstructions, style.body])}`,
          ...style.fields.map(({ field, state, note, line }) => `  ${state} ${field}:${line ?? '-'}${note === undefined ? '' : ` ${note}`}`),
        ]),
    ...(skipped === undefined ? [] : [`skipped ${skipped}`]),
    ...problems.map(({ key, line, message, harmless }) => `${harmless === true ? 'note' : 'problem'} ${key}:${line ?? '-'} ${message}`),
  ];
}

describe('output styles', () => {
  it('S-20: there are enough of them', () => {
    expect(files.length).toBeGreaterThanOrEqual(4);
  });

  it.each(files)('S-20: %s is read as its report says', async (name) => {
    const report = `${lines(read(await readFile(`${FOLDER}/${name}`, 'utf8'), name)).join('\n')}\n`;
    await expect(report).toMatchFileSnapshot(`../../../fixtures/config-corpus/output-styles/${name.replace(/\.md$/, '.report.txt')}`);
  });

  it.each([
    ['bad YAML', '---\nname: "a\n---\nx', 'quotation mark'],
    ['a name that is a path', '---\nname: ../x\n---\nx', 'cannot have the name'],
    ['a reserved name', '---\nname: Default\n---\nx', 'reserved'],
    ['a long name', `---\nname: ${'x'.repeat(65)}\n---\nx`, '64'],
    ['an anchor', '---\nname: &x a\n---\nx', 'not allowed'],
    ['no text', '---\nname: a\n---\n \n', 'no text'],
    ['too much text', 'x '.repeat(120_000), '200,000'],
  ])('S-22: %s is skipped and said to be', (_what, text, words) => {
    const { style, skipped, problems } = read(text);
    expect([style, problems[0]?.message]).toEqual([undefined, skipped]);
    expect(skipped).toContain(words);
  });

  it('that hide something are pointed out', () => {
    expect(read('Be brief.\u200B').problems).toMatchObject([{ line: 1, message: expect.stringContaining('U+200B') as string }]);
  });
});
