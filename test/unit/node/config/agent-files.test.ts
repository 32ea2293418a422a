import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readAgentFiles } from '../../../../src/node/config/agent-files.js';
import { NAMED_SECRETS } from '../../../support/named-secrets.js';

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
    const files = await readAgentFiles({ folders, home, guards: NAMED_SECRETS }, new AbortController().signal);
    return files.map((file) => `${file.origin.layer} ${file.form} ${file.origin.display}${'problem' in file ? `: ${file.problem}` : ''}`);
  }

  it('S-20: are found in the folders of all programs, also below these, and nothing else is', async () => {
    await write(
      '.copilot/agents/o.agent.md',
      '.github/agents/no.agent.md',
      '.claude/agents/mine.md',
      '.cursor/agents/c.md',
      'project/.claude/agents/b.md',
      'project/.claude/agents/team/a.md',
      'project/.claude/agents/notes.txt',
      'project/.gnomon/agents/g.MD',
      'project/.github/agents/p.agent.md',
      'project/.roomodes',
      'project/agents/no.md',
    );
    expect(await found()).toEqual([
      'user claude ~/.claude/agents/mine.md',
      'user vscode ~/.copilot/agents/o.agent.md',
      'user cursor ~/.cursor/agents/c.md',
      'project claude .gnomon/agents/g.MD',
      'project claude .claude/agents/b.md',
      'project claude .claude/agents/team/a.md',
      'project vscode .github/agents/p.agent.md',
      'project roo .roomodes',
    ]);
  });

  it('of a workspace are not read through links that lead out of it, be they of files or of folders', async () => {
    await write('secret.md', 'elsewhere/x.md', 'project/.claude/agents/ok.md');
    await symlink(join(home, 'secret.md'), join(folder, '.claude', 'agents', 'leak.md'));
    await symlink(join(home, 'elsewhere'), join(folder, '.claude', 'agents', 'far'));
    expect((await found()).map((each) => each.replace(home, ''))).toEqual([
      'project claude .claude/agents/leak.md: It is a link to /secret.md, outside the workspace.',
      'project claude .claude/agents/ok.md',
      'project claude .claude/agents/far: It is a link to /elsewhere, outside the workspace.',
    ]);
  });

  it('of the home folder are those of the workspace where it is open', async () => {
    await write('.claude/agents/mine.md');
    expect(await found([home])).toEqual(['project claude .claude/agents/mine.md']);
  });

  it('are read up to a number, and it says so', async () => {
    await write(...Array.from({ length: 1_001 }, (_, index) => `project/.claude/agents/a${index}.md`));
    const all = await found();
    expect(all.length).toBe(1_001);
    expect(all.at(-1)).toBe('project claude .claude/agents: More than 1,000 files are in it. The others are not read.');
  });
});
