import { describe, expect, it } from 'vitest';
import { inSlices } from '../../../../src/concurrency/steps.js';
import { changedLines } from '../../../../src/tool/editing/changed-lines.js';
import { rig, textOf } from '../rig.js';

const text = Array.from({ length: 60 }, (_, at) => `line ${at + 1}\n`).join('');
const at = (first: number, last = first): { start: number; end: number } => ({
  start: text.indexOf(`line ${first}\n`),
  end: text.indexOf(`line ${last}\n`) + `line ${last}`.length,
});
const shown = (...regions: { start: number; end: number }[]): Promise<readonly string[]> => inSlices(changedLines(text, regions), new AbortController().signal);
const of = (whole: string, region: { start: number; end: number }): Promise<readonly string[]> =>
  inSlices(changedLines(whole, [region]), new AbortController().signal);

describe('the lines of a change', () => {
  it('come with two before and after, those of places that touch once', async () => {
    expect(await shown(at(10))).toEqual(['8\tline 8', '9\tline 9', '10\tline 10', '11\tline 11', '12\tline 12']);
    expect((await shown(at(1), at(4), at(60))).map((line) => line.split('\t')[0])).toEqual(['1', '2', '3', '4', '5', '6', '--', '58', '59', '60']);
  });

  it('are left out within a long one, which the model wrote', async () => {
    expect((await shown(at(10, 40))).map((line) => line.split('\t')[0])).toEqual(['8', '9', '10', '11', '12', '13', '--', '37', '38', '39', '40', '41', '42']);
  });

  it('are at most some thirty, with a word about the rest', async () => {
    const lines = await shown(...[5, 11, 17, 23, 29, 35, 41, 47].map((line) => at(line)));
    expect(lines.at(-1)).toBe('[2 more changed places not shown]');
    expect(lines.filter((line) => line.includes('\t'))).toHaveLength(30);
  });

  it('are none of an empty text, and cut where they are long', async () => {
    expect(await of('', { start: 0, end: 0 })).toEqual([]);
    expect(await of('x'.repeat(400), { start: 0, end: 1 })).toEqual([`1\t${'x'.repeat(300)}… [100 more characters in this line]`]);
  });
});

describe('the result of an edit', () => {
  const files = { '/ws/a.ts': 'one\ntwo\nthree\nfour\nfive\nsix\n' };
  const edit = { file_path: 'a.ts', old_string: 'three\n', new_string: '3\n3b\n' };

  it('shows the lines that there are now, also after several edits and one that did not match exactly', async () => {
    const { call } = rig({ files });
    await call('read', { file_path: 'a.ts' });
    expect(textOf(await call('edit', edit))).toBe('Edited a.ts: 1 replacement at line 3.\nIt now reads:\n1\tone\n2\ttwo\n3\t3\n4\t3b\n5\tfour\n6\tfive');
    const both = await call('edit', {
      file_path: 'a.ts',
      edits: [
        { old_string: 'six', new_string: 'end' },
        { old_string: '  one\n', new_string: '  zero\n  1\n' },
      ],
    });
    expect(textOf(both)).toBe(
      'Edited a.ts: 2 replacements at lines 1, 8.\nEdit 2 of 2: Not an exact match: indentation differs; new_string was shifted alike.\nIt now reads:\n1\tzero\n2\t1\n3\ttwo\n4\t3\n--\n6\tfour\n7\tfive\n8\tend',
    );
  });

  it('shows nothing of a file that was not read, and nothing that a formatter has changed again', async () => {
    const { call, documents } = rig({ files });
    expect(textOf(await call('edit', edit))).toBe('Edited a.ts: 1 replacement at line 3.');
    await call('read', { file_path: 'a.ts' });
    documents.onSave((saved) => `${saved}\n`);
    expect(textOf(await call('edit', { ...edit, old_string: '3\n3b\n', new_string: 'three\n' }))).not.toContain('It now reads');
  });
});
