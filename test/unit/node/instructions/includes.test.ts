import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { referencesIn } from '../../../../src/node/instructions/references.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { type InstructionsRig, instructionsRig } from './rig.js';
import { processorMs } from '../../../support/processor-time.js';

let rig: InstructionsRig;

beforeEach(() => {
  rig = instructionsRig();
});

describe('references', () => {
  test.each([
    ['See @README.md for an overview, and @docs/a.md.', ['README.md', 'docs/a.md']],
    ['- @./x.md\n- @~/y.md\n@/abs/z.md', ['./x.md', '~/y.md', '/abs/z.md']],
    ['@with\\ space.md, (@not.md) mail@example.com @@ @', ['with space.md', '@']],
    ['@a.md and again @a.md!', ['a.md']],
    ['`@span.md` ``a ` @span.md`` @yes.md `not closed @too.md', ['yes.md', 'too.md']],
    ['a ` b\n\n@yes.md ` c', ['yes.md']],
    ['```\n@no.md\n```\n@yes.md', ['yes.md']],
    ['~~~~ md\n@no.md\n~~~\n```\n@no.md\n~~~~\n@yes.md', ['yes.md']],
    ['```\n@no.md, as it is never closed', []],
  ])('%j', (text, expected) => {
    expect(referencesIn(text)).toEqual(expected);
  });

  test.each(['`'.repeat(40_000), '` `` '.repeat(8_000), '@a`'.repeat(13_000), '```\n'.repeat(10_000), '@\\ '.repeat(13_000)])(
    'take no time with a hostile text',
    async (text) => {
      expect(await processorMs(() => referencesIn(text))).toBeLessThan(500);
    },
  );
});

describe('files that are included', () => {
  test('come before the file that includes them, relative to it, each once', async () => {
    rig.write('AGENTS.md', 'Rules. @docs/style.md @docs/style.md @docs/missing.md @alice @types/node @https://example.com/a.md @$HOME/x.md');
    rig.write('docs/style.md', 'Style. @more/names.md @../AGENTS.md');
    rig.write('docs/more/names.md', 'Names. @../style.md');
    rig.write('CLAUDE.md', 'For Claude. @docs/style.md');
    expect((await rig.ofWorkspace()).map((line) => line.replace(/ @.*/, ''))).toEqual([
      'docs/more/names.md: Names.',
      'docs/style.md: Style.',
      'AGENTS.md: Rules.',
      'CLAUDE.md: For Claude.',
    ]);
    expect(await rig.leftOut()).toEqual(['docs/missing.md: It does not exist.']);
    expect(rig.asked).toEqual([]);
    expect([...rig.used].map((path) => path.slice(rig.root.length + 1))).toEqual(['docs/more/names.md', 'docs/style.md', 'AGENTS.md', 'CLAUDE.md']);
  });

  test('a file that says nothing else gives way to what it includes', async () => {
    rig.write('AGENTS.md', '@docs/agents.md\n\n@docs/style.md\n');
    rig.write('docs/agents.md', 'Agents.');
    rig.write('docs/style.md', 'Style.');
    expect(await rig.ofWorkspace()).toEqual(['docs/agents.md: Agents.', 'docs/style.md: Style.']);
  });

  test('over four files, not five', async () => {
    rig.write('AGENTS.md', '0 @1.md');
    for (const hop of [1, 2, 3, 4, 5, 6]) rig.write(`${hop}.md`, `${hop} @${hop + 1}.md`);
    expect((await rig.ofWorkspace()).map((line) => line.split(':')[0])).toEqual(['4.md', '3.md', '2.md', '1.md', 'AGENTS.md']);
    expect(await rig.leftOut()).toEqual(['5.md: It is more than 4 includes away.']);
  });

  test('fifty at most', async () => {
    const names = Array.from({ length: 60 }, (_, index) => `n${index}.md`);
    rig.write('AGENTS.md', `All: ${names.map((name) => `@${name}`).join(' ')}`);
    for (const name of names) rig.write(name, `Of ${name}.`);
    expect(await rig.ofWorkspace()).toHaveLength(51);
    expect(await rig.leftOut()).toHaveLength(10);
  });

  test('references without end are followed for a while', async () => {
    const names = Array.from({ length: 50 }, (_, index) => `n${index}.md`);
    const nowhere = (file: string): string => Array.from({ length: 50 }, (_, index) => `@${file}-${index}.txt`).join(' ');
    rig.write('AGENTS.md', `All: ${names.map((name) => `@${name}`).join(' ')}`);
    for (const name of names) rig.write(name, `Nothing: ${nowhere(name)}`);
    expect((await rig.ofWorkspace()).at(-1)).toMatch(/^AGENTS\.md: All/);
    expect((await rig.leftOut()).length).toBeLessThan(300);
  });

  test('hostile ones: not text, a pipe, a folder, 10 MB, keys, hidden characters', async () => {
    rig.write('AGENTS.md', 'Rules. @binary.md @pipe.md @folder @large.md @.env @hidden.md');
    rig.write('binary.md', Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 1, 2]));
    execFileSync('mkfifo', [join(rig.root, 'pipe.md')]);
    mkdirSync(join(rig.root, 'folder'));
    rig.write('large.md', 'A line of it.\n'.repeat(750_000));
    rig.write('.env', 'KEY=secret');
    rig.write('hidden.md', 'Be\u200b good.');
    const found = await rig.finder.ofWorkspace(new AbortController().signal);
    expect(found.files.map(({ display, text, truncated }) => [display, text.length > 1_000, truncated])).toEqual([
      ['large.md', true, true],
      ['hidden.md', false, false],
      ['AGENTS.md', false, false],
    ]);
    expect(found.files[0]?.text.length).toBeLessThanOrEqual(40_000);
    expect(found.files[1]).toMatchObject({ text: 'Be good.', hidden: expect.stringContaining('zero-width space') as string });
    expect(await rig.leftOut()).toEqual(['binary.md: It is not a text file.', '.env: It may contain passwords or keys, or a permission rule excludes it.']);
  });
});

describe('files from outside', () => {
  test('are not read before the user allows it, asked once for each; a link does not hide that', async () => {
    const outside = rig.write('style.md', 'Team style.', temporaryFolder());
    symlinkSync(outside, join(rig.root, 'linked.md'));
    rig.write('AGENTS.md', `Rules. @${outside} @linked.md`);
    expect(await rig.ofWorkspace()).toHaveLength(1);
    expect(await rig.leftOut()).toEqual([`${outside}: AGENTS.md includes it, which you have not allowed yet.`]);
    expect(new Set(rig.asked)).toEqual(new Set([`AGENTS.md wants ${outside}`]));
    rig.decided.set(outside, false);
    rig.asked.length = 0;
    expect(await rig.leftOut()).toEqual([`${outside}: You did not allow AGENTS.md to include it.`]);
    expect(rig.asked).toEqual([]);
    rig.decided.set(outside, true);
    expect(await rig.ofWorkspace()).toContain(`${outside}: Team style.`);
    expect(await rig.leftOut()).toEqual([]);
  });

  test('what an allowed file includes is asked about for itself', async () => {
    const outside = temporaryFolder();
    const first = rig.write('a.md', 'A. @b.md', outside);
    rig.write('b.md', 'B.', outside);
    rig.write('AGENTS.md', `Rules. @${first}`);
    rig.decided.set(first, true);
    await rig.ofWorkspace();
    expect(rig.asked).toEqual([`${first} wants ${join(outside, 'b.md')}`]);
  });

  test('the user’s own includes what lies beside it, and asks for the rest; the workspace asks for the user’s own', async () => {
    rig.write('.claude/CLAUDE.md', 'Mine. @style.md @~/notes.md', rig.home);
    rig.write('.claude/style.md', 'My style.', rig.home);
    rig.write('.claude/private.md', 'Private.', rig.home);
    rig.write('notes.md', 'Notes.', rig.home);
    rig.write('AGENTS.md', 'Rules. @~/.claude/private.md');
    expect((await rig.ofWorkspace()).map((line) => line.split(':')[0])).toEqual(['~/.claude/style.md', '~/.claude/CLAUDE.md', 'AGENTS.md']);
    expect(rig.asked).toEqual([`~/.claude/CLAUDE.md wants ${rig.home}/notes.md`, `AGENTS.md wants ${rig.home}/.claude/private.md`]);
  });

  test('keys are never asked about', async () => {
    const outside = rig.write('.env', 'KEY=secret', temporaryFolder());
    rig.write('AGENTS.md', `Rules. @${outside}`);
    rig.decided.set(outside, true);
    expect(await rig.ofWorkspace()).toHaveLength(1);
    expect(rig.asked).toEqual([]);
  });
});
