import { mkdirSync, symlinkSync } from 'node:fs';
import { join, relative } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { readRule } from '../../../../src/node/instructions/read-rule.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { type InstructionsRig, instructionsRig } from './rig.js';

let rig: InstructionsRig;

beforeEach(() => {
  rig = instructionsRig();
});

describe('front matter', () => {
  test.each([
    ['a text', 'applyTo: **/*.ts', ['**/*.ts']],
    ['in quotes', `applyTo: '**/*.ts,**/*.md'   # for both`, ['**/*.ts', '**/*.md']],
    ['a list in brackets', 'applyTo: ["*.ts", *.{js,mjs}]', ['*.ts', '*.{js,mjs}']],
    ['a list of lines', 'applyTo:\n  - "*.ts"\n- src/**', ['*.ts', 'src/**']],
    ['nothing', 'applyTo:', []],
    ['a comment', '# no\napplyTo: x # yes', ['x']],
  ])('%s', (_kind, lines, values) => {
    const { delivery, body, problems } = readRule(`---\n${lines}\n---\nWords.`, 'copilot');
    expect(delivery).toEqual(values.length === 0 ? { when: 'always' } : { when: 'files', patterns: values });
    expect([body, problems]).toEqual(['Words.', []]);
  });

  test.each(['---\napplyTo: x\nWords.', 'Words.\n---\napplyTo: x\n---', '----\napplyTo: x\n---'])('%j is text', (text) => {
    expect(readRule(text, 'copilot')).toMatchObject({ delivery: { when: 'always' }, body: text });
  });

  test('lines that are no fields are passed over, in every length', () => {
    const { delivery, body, problems } = readRule(`---\n: ]\n\t{{\n- x\n${'a: [[['.repeat(5_000)}\nglobs: *.ts\n---\nWords.`, 'cursor');
    expect(delivery).toEqual({ when: 'files', patterns: ['*.ts'] });
    expect(body).toBe('Words.');
    expect(problems).toHaveLength(1);
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
    expect(await rig.ofWorkspace()).toEqual([
      '.cursor/rules/always.mdc: Always.',
      `.cursor/rules/broken.mdc: ${listed}`,
      `.cursor/rules/release.mdc: ${listed} It is about: How to release`,
    ]);
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
    expect(await rig.leftOut()).toEqual([expect.stringMatching(/^\.cursor\/rules: It is a link to .*, outside the workspace\.$/)]);
  });
});

describe('rules of other programs', () => {
  // cline/cline, cline-rules.ts: what is in the folders of workflows, hooks, and skills is no rule.
  test('workflows, hooks, and skills of Cline are none', async () => {
    rig.write('.cline/rules/new.md', 'New place.');
    for (const name of ['a.md', 'sub/b.md', 'sub/workflows/c.md', 'workflows/release.md', 'hooks/README.md', 'skills/x/SKILL.md'])
      rig.write(`.clinerules/${name}`, name);
    expect(await rig.ofWorkspace()).toEqual([
      '.cline/rules/new.md: New place.',
      ...['a.md', 'sub/b.md', 'sub/workflows/c.md'].map((name) => `.clinerules/${name}: ${name}`),
    ]);
  });

  // code.claude.com/docs/en/memory: rules without paths apply always, also from folders in it and through links.
  test('those of Claude Code apply always, or with a file that fits', async () => {
    rig.write('.claude/CLAUDE.md', 'Of the project.');
    rig.write('.claude/rules/style.md', 'Style.');
    rig.write('.claude/rules/api/rest.md', '---\npaths:\n  - "src/**/*.ts"\n  - lib/**\n---\nREST.');
    rig.write('docs/shared/linked.md', 'Linked.');
    symlinkSync(join(rig.root, 'docs', 'shared'), join(rig.root, '.claude', 'rules', 'shared'));
    rig.write('.claude/rules/mine.md', '---\npaths: src/**\n---\nMine.', rig.home);
    rig.write('.claude/rules/all.md', 'For all of mine.', rig.home);
    expect(await rig.ofWorkspace()).toEqual([
      '~/.claude/rules/all.md: For all of mine.',
      '.claude/rules/shared/linked.md: Linked.',
      '.claude/rules/style.md: Style.',
      '.claude/CLAUDE.md: Of the project.',
    ]);
    expect(await rig.ofFile('src/a/b.ts')).toEqual(['~/.claude/rules/mine.md: Mine.', '.claude/rules/api/rest.md: REST.']);
    expect(await rig.ofFile('README.md')).toEqual([]);
  });

  // docs.roocode.com/features/custom-instructions: text files, too; those of a mode only in that mode; the single file only without a folder.
  test('those of Roo Code apply always, and those of its modes are only named', async () => {
    rig.write('.roorules', 'Old.');
    expect(await rig.ofWorkspace()).toEqual(['.roorules: Old.']);
    rig.write('.roo/rules/01-general.md', 'General.');
    rig.write('.roo/rules/02-style.txt', 'Style.');
    rig.write('.roo/rules-translate/terms.md', 'Terms.');
    expect(await rig.ofWorkspace()).toEqual([
      '.roo/rules/01-general.md: General.',
      '.roo/rules/02-style.txt: Style.',
      '.roo/rules-translate/terms.md: A rule that is not loaded. Read the file where the task needs it. It is about: what Roo Code keeps to in its mode “translate”',
    ]);
  });

  // docs.github.com, "GitHub Copilot CLI configuration directory"; cursor.com/docs, "Rules"; docs.roocode.com, "Global Rules".
  test('those of the user are in their home folder', async () => {
    rig.write('.copilot/copilot-instructions.md', 'Copilot.', rig.home);
    rig.write('.copilot/instructions/go.instructions.md', "---\napplyTo: '**/*.go'\n---\nGo.", rig.home);
    rig.write('.cursor/rules/mine.mdc', '---\nalwaysApply: true\n---\nCursor.', rig.home);
    rig.write('.roo/rules/mine.md', 'Roo.', rig.home);
    expect(await rig.ofWorkspace()).toEqual([
      '~/.copilot/copilot-instructions.md: Copilot.',
      '~/.cursor/rules/mine.mdc: Cursor.',
      '~/.roo/rules/mine.md: Roo.',
    ]);
    expect(await rig.ofFile('cmd/a.go')).toEqual(['~/.copilot/instructions/go.instructions.md: Go.']);
  });

  test('those of a folder below come with the first file in it', async () => {
    rig.write('web/.cursor/rules/always.mdc', '---\nalwaysApply: true\n---\nAlways.');
    rig.write('web/.claude/rules/tests.md', "---\npaths: '**/*.test.ts'\n---\nTests.");
    rig.write('web/.claude/CLAUDE.md', 'Web.');
    expect(await rig.ofWorkspace()).toEqual([]);
    expect(await rig.ofFile('web/src/a.ts')).toEqual(['web/.cursor/rules/always.mdc: Always.', 'web/.claude/CLAUDE.md: Web.']);
    expect(await rig.ofFile('web/src/a.test.ts')).toEqual([
      'web/.cursor/rules/always.mdc: Always.',
      'web/.claude/rules/tests.md: Tests.',
      'web/.claude/CLAUDE.md: Web.',
    ]);
    expect(await rig.ofFile('api/a.test.ts')).toEqual([]);
    // Once given, they are looked for again.
    expect(await rig.ofWorkspace(['web/.claude/rules/tests.md'])).toEqual(['web/.claude/rules/tests.md: Tests.']);
  });

  test('those of the repository above count, and links may lead to all of it', async () => {
    const repository = temporaryFolder();
    mkdirSync(join(repository, '.git'));
    rig = instructionsRig([], { root: join(repository, 'packages', 'a') });
    rig.write('.claude/rules/all.md', 'All.', repository);
    rig.write('.claude/rules/a.md', "---\npaths: 'packages/a/**'\n---\nFor a.", repository);
    rig.write('shared/b.md', 'Shared.', repository);
    rig.write('.claude/x', '');
    symlinkSync(join(repository, 'shared'), join(rig.root, '.claude', 'rules'));
    expect(await rig.ofWorkspace()).toEqual([`${repository}/.claude/rules/all.md: All.`, '.claude/rules/b.md: Shared.']);
    expect(await rig.ofFile('src/x.ts')).toEqual([`${repository}/.claude/rules/a.md: For a.`]);
  });

  test('more than are read are told', async () => {
    for (let index = 0; index < 105; index += 1) rig.write(`.claude/rules/r${index}.md`, `Rule ${index}.`);
    expect(await rig.ofWorkspace()).toHaveLength(100);
    expect(await rig.leftOut()).toEqual(['.claude/rules: More than 100 files are in it. The others are not read.']);
  });
});

describe('a file that Git wrote in the place of a link', () => {
  test.each(['AGENTS.md', './AGENTS.md', 'docs/../AGENTS.md', 'AGENTS.md\n'])('%j is what it names', async (text) => {
    rig.write('AGENTS.md', 'Rules.');
    rig.write('docs/x.md', 'X.');
    rig.write('CLAUDE.md', text);
    expect(await rig.ofWorkspace()).toEqual(['AGENTS.md: Rules.']);
  });

  test.each([
    ['leads to nothing', 'missing.md', 'CLAUDE.md: missing.md'],
    ['is a text', 'Read AGENTS.md', 'CLAUDE.md: Read AGENTS.md'],
  ])('one that %s is a text', async (_kind, text, expected) => {
    rig.write('CLAUDE.md', text);
    expect(await rig.ofWorkspace()).toEqual([expected]);
  });

  test('leads neither out of the workspace nor to a secret file', async () => {
    const outside = temporaryFolder();
    rig.write('x.md', 'Outside.', outside);
    rig.write('CLAUDE.md', relative(rig.root, join(outside, 'x.md')));
    rig.write('.env.md', 'KEY=canary');
    rig.write('AGENTS.md', '.env.md');
    expect(await rig.ofWorkspace()).toEqual([]);
    expect([...(await rig.leftOut())].sort()).toEqual([
      expect.stringMatching(/^AGENTS\.md: .* passwords or keys/),
      expect.stringMatching(/^CLAUDE\.md: .*outside the workspace/),
    ]);
  });

  test('in a circle ends', async () => {
    rig.write('AGENTS.md', 'CLAUDE.md');
    rig.write('CLAUDE.md', 'AGENTS.md');
    expect((await rig.ofWorkspace()).length).toBeLessThanOrEqual(2);
  });
});
