import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readAgentFiles } from '../../../../src/node/config/agent-files.js';

describe('files with agents', () => {
  let home: string;
  let folder: string;

  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'gnomon-agents-'));
    folder = join(home, 'project');
  });
  afterEach(() => rm(home, { recursive: true, force: true }));

  async function write(...paths: readonly string[]): Promise<void> {
    for (const path of paths) {
      await mkdir(dirname(join(home, path)), { recursive: true });
      await writeFile(join(home, path), path);
    }
  }

  async function found(folders: readonly string[] = [folder]): Promise<readonly string[]> {
    const files = await readAgentFiles({ folders, home, platform: 'linux' }, new AbortController().signal);
    return files.map((file) => `${file.origin.layer} ${file.form} ${file.origin.display}${'problem' in file ? `: ${file.problem}` : ''}`);
  }

  it('S-20: are found in the folders of all programs, also below these, and nothing else is', async () => {
    await write('.claude/agents/mine.md', '.cursor/agents/c.md', 'project/.claude/agents/b.md', 'project/.claude/agents/team/a.md', 'project/.claude/agents/notes.txt', 'project/.gnomon/agents/g.MD', 'project/.github/agents/p.agent.md', 'project/.roomodes', 'project/agents/no.md');
    expect(await found()).toEqual([
      'user claude ~/.claude/agents/mine.md',
      'user cursor ~/.cursor/agents/c.md',
      'project claude .gnomon/agents/g.MD',
      'project claude .claude/agents/b.md',
      'project claude .claude/agents/team/a.md',
      'project vscode .github/agents/p.agent.md',
      'project roo .roomodes',
    ]);
  });

  it('of a workspace are not read through links that lead out of it, and links to folders are not followed', async () => {
    await write('secret.md', 'elsewhere/x.md', 'project/.claude/agents/ok.md');
    await symlink(join(home, 'secret.md'), join(folder, '.claude', 'agents', 'leak.md'));
    await symlink(join(home, 'elsewhere'), join(folder, '.claude', 'agents', 'far'));
    expect(await found()).toEqual([expect.stringMatching(/^project claude \.claude\/agents\/leak\.md: .*outside the workspace/), 'project claude .claude/agents/ok.md']);
  });

  it('of the home folder are those of the workspace where it is open', async () => {
    await write('.claude/agents/mine.md');
    expect(await found([home])).toEqual(['project claude .claude/agents/mine.md']);
  });

  it('are read up to a number, which the benchmark takes the time of', async () => {
    await write(...Array.from({ length: 501 }, (_, index) => `project/.claude/agents/a${index}.md`));
    expect((await found()).length).toBe(500);
  });
});
