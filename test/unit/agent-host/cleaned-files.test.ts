import { mkdirSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { reply } from '../../support/model-server/index.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { gitIn } from '../worktree/rig.js';
import { type NodeChat, nodeChat } from './node-chat.js';

describe('E-79: the prompt for a git clean says what it would remove', () => {
  let chat: NodeChat;

  beforeEach(async () => {
    const folder = join(temporaryFolder(), 'project');
    mkdirSync(join(folder, 'dist', 'deep'), { recursive: true });
    const files = {
      '.gitignore': '*.log\ndist/\n',
      'kept.txt': 'kept',
      'a.log': '1',
      'b.log': '2',
      'new.txt': '3',
      'dist/deep/x.js': '4',
      'ümlaut\n.log': '5',
    };
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    gitIn(folder, 'init', '-q');
    gitIn(folder, 'add', '.gitignore', 'kept.txt');
    gitIn(folder, 'commit', '-qm', 'one');
    chat = await nodeChat({ folder, git: true, decisionGitMs: 20_000 });
  });

  /** What the prompt says of a command. */
  async function saidOf(command: string): Promise<readonly string[]> {
    chat.answers(reply().toolCall('bash', { command }));
    chat.send('Go');
    const { approval } = await chat.prompt();
    await chat.deny();
    await chat.ended();
    return (approval.risks ?? []).map(({ text }) => text);
  }

  it.each([
    // The command of codex#37998.
    ['git clean -fX -- a.log', ['would remove a.log']],
    ['git clean -f', ['would remove new.txt']],
    ['git clean -fdx', ['would remove a.log, b.log, dist/, new.txt, "\\303\\274mlaut\\n.log"']],
    ['git clean --force -d dist', ['would remove nothing at the moment']],
    ['git clean -f -d -x -- dist/deep', ['would remove dist/deep/']],
    ['cd dist && git clean -fdx', ['would remove ./deep']],
    // What is not known before it runs is not guessed.
    ['git clean -f *.log', ['discards uncommitted changes']],
    ['git clean -fX "$NAME"', ['discards uncommitted changes']],
    ['git clean -fe a.log', ['discards uncommitted changes']],
    ['git reset --hard', ['discards uncommitted changes']],
  ])('%s', async (command, said) => {
    expect(await saidOf(command)).toEqual(said);
  });

  it('says the first of very many, and how many there are', async () => {
    for (let index = 100; index < 160; index += 1) writeFileSync(chat.at(`${index}.log`), '');
    expect(await saidOf('git clean -fX')).toEqual(['would remove 100.log, 101.log, 102.log, 103.log, 104.log, and 58 more']);
    // Asking has removed nothing.
    expect(execFileSync('git', ['clean', '-nX'], { cwd: chat.folder, encoding: 'utf8' }).trim().split('\n')).toHaveLength(63);
  });
});
