import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { expandCommand } from '../../../../src/config/commands/expand-command.js';
import { readCommandFiles } from '../../../../src/node/config/command-files.js';
import { loadCommands } from '../../../../src/customization/load-commands.js';
import { NAMED_SECRETS } from '../../../support/named-secrets.js';

describe('the files with commands', () => {
  let home: string;
  let folder: string;

  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'gnomon-commands-'));
    folder = join(home, 'project');
    await mkdir(folder);
  });
  afterEach(() => rm(home, { recursive: true, force: true }));

  async function write(path: string, text = path): Promise<void> {
    await mkdir(dirname(join(home, path)), { recursive: true });
    await writeFile(join(home, path), text);
  }

  const read = () => readCommandFiles({ folders: [folder], home, guards: NAMED_SECRETS }, new AbortController().signal);
  const shown = async (): Promise<readonly string[]> =>
    (await read()).map((file) => `${file.origin.layer} ${file.origin.display} ${file.dialect} ${file.path}: ${'text' in file ? file.text : file.problem}`);
  const load = (cache = new Map()) => loadCommands({ folders: [folder], home, guards: NAMED_SECRETS }, cache, new AbortController().signal);

  it('S-43: are those of the workspace and of the user, with folders as name spaces', async () => {
    for (const path of [
      'project/.gnomon/commands/a.md',
      'project/.claude/commands/x/y/b.md',
      'project/.claude/commands/README.md',
      'project/.claude/commands/c.txt',
      'project/.github/prompts/d.prompt.md',
      'project/.github/prompts/e.md',
      'project/.github/prompts/sub/f.prompt.md',
      '.gnomon/commands/g.md',
      '.claude/commands/h.md',
    ])
      await write(path, 'text');
    expect(await shown()).toEqual([
      'project .gnomon/commands/a.md claude a.md: text',
      'project .claude/commands/x/y/b.md claude x/y/b.md: text',
      'project .github/prompts/d.prompt.md vscode d.prompt.md: text',
      'user ~/.gnomon/commands/g.md claude g.md: text',
      'user ~/.claude/commands/h.md claude h.md: text',
    ]);
    expect((await load()).commands.map(({ name }) => name)).toEqual(['a', 'x:y:b', 'd', 'g', 'h']);
  });

  // docs.cline.bot/customization/workflows; cursor.com/docs, "Commands"; docs.roocode.com/features/slash-commands: the text is sent as it is.
  it('S-43: are also those of Cline, Cursor, and Roo Code, which have no places for arguments', async () => {
    for (const path of [
      'project/.clinerules/workflows/release.md',
      'project/.cursor/commands/fix.md',
      'project/.roo/commands/sub/plan.md',
      '.cursor/commands/mine.md',
      '.roo/commands/own.md',
      '.clinerules/workflows/no.md',
      'project/.cline/workflows/ship.md',
      '.cline/workflows/all.md',
    ])
      await write(path, 'Say $1 and !`rm x`.');
    const { commands } = await load();
    expect(commands.map(({ name, origin }) => `${name} ${origin.display}`)).toEqual([
      'fix .cursor/commands/fix.md',
      'sub:plan .roo/commands/sub/plan.md',
      'ship .cline/workflows/ship.md',
      'release .clinerules/workflows/release.md',
      'mine ~/.cursor/commands/mine.md',
      'own ~/.roo/commands/own.md',
      'all ~/.cline/workflows/all.md',
    ]);
    for (const command of commands)
      expect(expandCommand(command, { argument: 'now', inputs: {}, variables: {}, shell: 'bash' }).script).toEqual([
        { type: 'text', text: 'Say $1 and !`rm x`.' },
        { type: 'text', text: '\n\nnow' },
      ]);
  });

  it('S-43: with the home folder open, those in it are of the workspace', async () => {
    await write('.claude/commands/a.md');
    const files = await readCommandFiles({ folders: [home], home, guards: NAMED_SECRETS }, new AbortController().signal);
    expect(files.map(({ origin }) => origin.layer)).toEqual(['project']);
  });

  it('S-45: links that lead out of the workspace are not read', async () => {
    await write('outside/secret.md', 'a secret');
    await write('project/.claude/commands/ok.md', 'fine');
    await symlink(join(home, 'outside/secret.md'), join(folder, '.claude/commands/link.md'));
    await symlink(join(home, 'outside'), join(folder, '.claude/commands/folder'));
    await mkdir(join(folder, '.gnomon'));
    await symlink(join(home, 'outside'), join(folder, '.gnomon/commands'));
    const all = await shown();
    expect(all.join('\n')).not.toContain('a secret');
    expect(all.join('\n')).toMatch(/commands\/link\.md[^\n]*outside the workspace/);
    expect(all.join('\n')).toMatch(/\.gnomon\/commands [^\n]*outside the workspace/);
    const { commands, skipped } = await load();
    expect([commands.map(({ name }) => name), skipped.map(({ name }) => name)]).toEqual([['ok'], ['link']]);
  });

  it('S-45: what cannot be read is told, and others are there: a folder, bytes, a large file', async () => {
    await mkdir(join(folder, '.claude/commands/folder.md'), { recursive: true });
    await writeFile(join(folder, '.claude/commands/bytes.md'), new Uint8Array([0, 1, 2, 255, 0]));
    await write('project/.claude/commands/large.md', 'x'.repeat(300_000));
    await write('project/.claude/commands/ok.md', 'fine');
    const { commands, skipped, problems } = await load();
    expect(commands.map(({ name }) => name)).toEqual(['ok']);
    expect(skipped.map(({ name }) => name)).toEqual(['bytes', 'large']);
    expect(problems).toHaveLength(2);
  });

  it('S-45: more files, and deeper folders, than are read are told', async () => {
    await write('project/.claude/commands/1/2/3/4/5/ok.md');
    await write('project/.claude/commands/1/2/3/4/5/6/deep.md');
    const files = await shown();
    expect(files.map((each) => each.split(' ')[3])).toEqual(['1/2/3/4/5/ok.md:', ':']);
    expect(files[1]).toContain('Folders below more than 5 others in it are not looked into.');
  });

  it('S-45: 500 files are read without a long wait, and those that stay the same only once', async () => {
    const text = (index: number): string =>
      `---\ndescription: Command ${index}\nargument-hint: [a] [b]\nallowed-tools: Bash(git status:*)\n---\nDo $1 with !\`git log\` and @a.ts\n`;
    await mkdir(join(folder, '.claude/commands'), { recursive: true });
    await Promise.all(Array.from({ length: 500 }, (_, index) => writeFile(join(folder, `.claude/commands/c${index}.md`), text(index))));
    const cache = new Map();
    const start = process.cpuUsage();
    const first = await load(cache);
    expect(first.commands).toHaveLength(500);
    // The machine may be busy with all other tests, so only the work counts; the wait on a quiet one is measured in test/bench/configuration.ts.
    const { user, system } = process.cpuUsage(start);
    expect((user + system) / 1_000).toBeLessThan(4_000);
    const second = await load(cache);
    expect(second.commands[7]).toBe(first.commands[7]);
  });
});
