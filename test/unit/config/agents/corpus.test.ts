import { describe, expect, it } from 'vitest';
import { corpusFiles, lines, readCorpus } from './rig.js';

const files = await corpusFiles();

describe('agents in the shape that public repositories have', () => {
  it('S-20: there are enough of them, of every dialect', () => {
    expect(files.length).toBeGreaterThanOrEqual(20);
    expect(new Set(files.map((name) => name.split('/')[0]))).toEqual(new Set(['claude', 'gnomon', 'vscode', 'cursor', 'roo']));
  });

  it.each(files)('S-20: %s is read as its report says', async (name) => {
    const report = `${lines(await readCorpus(name)).join('\n')}\n`;
    await expect(report).toMatchFileSnapshot(`../../../fixtures/config-corpus/agents/${name.replace(/(?:\.agent)?\.md$|\.roomodes$/, '.report.txt')}`);
  });

  it('S-20: every field of every agent has a report', async () => {
    for (const name of files) {
      const { agents, problems } = await readCorpus(name);
      for (const { fields } of agents)
        expect(
          fields.every(({ field, line }) => field !== '' && line !== undefined && line > 0),
          name,
        ).toBe(true);
      expect(
        problems.every(({ file, line, message }) => file !== '' && line !== undefined && message.length < 500),
        name,
      ).toBe(true);
    }
  });
});
