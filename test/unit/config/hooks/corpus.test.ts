import { readdir } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { type Form, corpusText, lines, read } from './rig.js';

const FOLDER = 'test/fixtures/config-corpus/hooks';
const FORMS: readonly Form[] = ['claude', 'cursor', 'copilot'];
const files = (
  await Promise.all(
    FORMS.map(async (form) => (await readdir(`${FOLDER}/${form}`)).filter((name) => name.endsWith('.json')).map((name) => [form, `${form}/${name}`] as const)),
  )
).flat();

describe('hook files in the shape that public repositories have', () => {
  it('there are enough of them', () => {
    expect(files.length).toBeGreaterThanOrEqual(15);
  });

  it.each(files)('H-51: %s %s is read as its report says', async (form, name) => {
    const report = `${lines(read(form, await corpusText(name))).join('\n')}\n`;
    await expect(report).toMatchFileSnapshot(`../../../fixtures/config-corpus/hooks/${name.replace(/\.json$/, '.report.txt')}`);
  });
});
