import { describe, expect, it } from 'vitest';
import { corpusFiles, lines, readCorpus } from './rig.js';

const files = await corpusFiles();

describe('commands in the shape that public repositories have', () => {
  it('S-40: there are enough of them, of every dialect', () => {
    expect(files.length).toBeGreaterThanOrEqual(14);
    expect(new Set(files.map((name) => name.split('/')[0]))).toEqual(new Set(['claude', 'gnomon', 'vscode']));
  });

  it.each(files)('S-40: %s is read as its report says', async (name) => {
    const report = `${lines(await readCorpus(name)).join('\n')}\n`;
    await expect(report).toMatchFileSnapshot(`../../../fixtures/config-corpus/commands/${name.replace(/(?:\.prompt)?\.md$/, '.report.txt')}`);
  });

  it('S-40: every field of every command has a report', async () => {
    for (const name of files) {
      const { command, problems } = await readCorpus(name);
      expect(
        (command?.fields ?? []).every(({ field, line }) => field !== '' && line !== undefined && line > 0),
        name,
      ).toBe(true);
      expect(
        problems.every(({ file, line, message }) => file !== '' && line !== undefined && message.length < 500),
        name,
      ).toBe(true);
    }
  });
});
