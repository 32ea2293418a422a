import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { splitFrontMatter } from '../../../../src/node/instructions/front-matter.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { type InstructionsRig, instructionsRig } from './rig.js';

let rig: InstructionsRig;

beforeEach(() => {
  rig = instructionsRig();
});

describe('front matter', () => {
  test.each([
    ['a text', 'applyTo: **/*.ts', ['**/*.ts']],
    ['in quotes', `applyTo: '**/*.ts,**/*.md'   # for both`, ['**/*.ts,**/*.md']],
    ['a list in brackets', 'applyTo: ["*.ts", *.{js,mjs}]', ['*.ts', '*.{js,mjs}']],
    ['a list of lines', 'applyTo:\n  - "*.ts"\n- src/**', ['*.ts', 'src/**']],
    ['nothing', 'applyTo:', []],
    ['a comment', '# no\napplyTo: x # yes', ['x']],
  ])('%s', (_kind, lines, values) => {
    const { fields, body } = splitFrontMatter(`---\n${lines}\n---\nWords.`);
    expect(fields.get('applyTo')).toEqual(values);
    expect(body).toBe('Words.');
  });

  test.each(['---\napplyTo: x\nWords.', 'Words.\n---\napplyTo: x\n---', '----\napplyTo: x\n---'])('%j is text', (text) => {
    expect(splitFrontMatter(text)).toEqual({ fields: new Map(), body: text });
  });

  test('lines that are no fields are passed over, in every length', () => {
    const { fields, body } = splitFrontMatter(`---\n: ]\n\t{{\n- x\n${'a: [[['.repeat(5_000)}\nglobs: *.ts\n---\nWords.`);
    expect(fields.get('globs')).toEqual(['*.ts']);
    expect(body).toBe('Words.');
  });
});

describe('rules for Copilot', () => {
  test('apply always, or come with a file that fits', async () => {
    rig.write('.github/instructions/all.instructions.md', "---\napplyTo: '**'\n---\nFor all.");
    rig.write('.github/instructions/none.instructions.md', 'Without.');
    rig.write('.github/instructions/sub/ts.instructions.md', "---\ndescription: 'TypeScript'\napplyTo: 'src/**/*.{ts,tsx},**/*.mts'\n---\nFor TypeScript.");
    rig.write('.github/instructions/readme.md', 'Not one.');
    expect(await rig.ofWorkspace()).toEqual(['.github/instructions/all.instructions.md: For all.', '.github/instructions/none.instructions.md: Without.']);
    const given = '.github/instructions/sub/ts.instructions.md: For TypeScript.';
    expect(await rig.ofFile('src/a/b.tsx')).toEqual([given]);
    expect(await rig.ofFile('x.mts')).toEqual([given]);
    expect(await rig.ofFile('lib/a.ts')).toEqual([]);
    // Once given, it is looked for again.
    expect(await rig.ofWorkspace(['.github/instructions/sub/ts.instructions.md'])).toContain(given);
  });

  test('come before those of the folder of the file, and not for the code of others', async () => {
    rig.write('.github/instructions/ts.instructions.md', '---\napplyTo: **/*.ts\n---\nFor TypeScript.');
    rig.write('a/AGENTS.md', 'A.');
    expect(await rig.ofFile('a/b.ts')).toEqual(['.github/instructions/ts.instructions.md: For TypeScript.', 'a/AGENTS.md: A.']);
    expect(await rig.ofFile('node_modules/x/b.ts')).toEqual([]);
  });

  test('a pattern that stands for too much is left out', async () => {
    rig.write('.github/instructions/bomb.instructions.md', `---\napplyTo: "${'{a,b}'.repeat(20)}"\n---\nNever.`);
    expect(await rig.ofFile('a.ts')).toEqual([]);
    expect(rig.warnings).toEqual([expect.stringContaining('stand for more than')]);
  });
});

describe('rules for Cursor and Cline', () => {
  test('apply always, come with a file that fits, or are only named', async () => {
    rig.write('.cursor/rules/always.mdc', '---\ndescription: Everywhere\nglobs: *.py\nalwaysApply: true\n---\nAlways.');
    rig.write('.cursor/rules/react.mdc', '---\ndescription:\nglobs: *.tsx, *.jsx\nalwaysApply: false\n---\nFor React.');
    rig.write('.cursor/rules/release.mdc', '---\ndescription: How to release\nglobs:\nalwaysApply: false\n---\nLong text.');
    rig.write('.cursor/rules/broken.mdc', '---\nalwaysApply: true\nNo end.');
    const listed = 'A rule that is not loaded. Read the file where the task needs it.';
    expect(await rig.ofWorkspace()).toEqual(['.cursor/rules/always.mdc: Always.', `.cursor/rules/broken.mdc: ${listed}`, `.cursor/rules/release.mdc: ${listed} It is about: How to release`]);
    expect(await rig.ofFile('src/deep/a.tsx')).toEqual(['.cursor/rules/react.mdc: For React.']);
    expect(await rig.ofFile('src/deep/a.ts')).toEqual([]);
  });

  test('a folder for Cline has any number of files, some for paths', async () => {
    rig.write('.clinerules/b.md', 'B.');
    rig.write('.clinerules/a.md', 'A.');
    rig.write('.clinerules/c.md', '---\npaths:\n  - "src/**"\n---\nFor src.');
    expect(await rig.ofWorkspace()).toEqual(['.clinerules/a.md: A.', '.clinerules/b.md: B.']);
    expect(await rig.ofFile('src/x.ts')).toEqual(['.clinerules/c.md: For src.']);
  });

  test('a folder that is a link to the outside brings nothing, and says why', async () => {
    const outside = temporaryFolder();
    rig.write('evil.mdc', '---\nalwaysApply: true\n---\nEvil.', outside);
    rig.write('.cursor/x', '');
    symlinkSync(outside, join(rig.root, '.cursor', 'rules'));
    expect(await rig.ofWorkspace()).toEqual([]);
    expect(await rig.leftOut()).toEqual([expect.stringMatching(/^\.cursor\/rules\/evil\.mdc: It is a link to .*, outside the workspace\.$/)]);
  });
});
