import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { textContent } from '../../../src/domain/model/message.js';
import { givesAway, part, says, scripts } from '../../support/gives-away.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { gitIn } from '../worktree/rig.js';
import { type NodeChat, nodeChat } from './node-chat.js';

/** A chat in plan mode in a repository, with an agent whose file says that it works in a worktree. */
async function planning(): Promise<NodeChat> {
  const folder = join(temporaryFolder(), 'project');
  mkdirSync(join(folder, '.claude/agents'), { recursive: true });
  writeFileSync(join(folder, '.claude/agents/apart.md'), '---\nname: apart\ndescription: d\nisolation: worktree\n---\nWork.');
  gitIn(folder, 'init', '-q');
  gitIn(folder, 'add', '.');
  gitIn(folder, 'commit', '-qm', 'one');
  const chat = await nodeChat({ folder, git: true });
  await chat.begin('plan');
  return chat;
}

const told = ({ conversation }: NodeChat): string =>
  conversation.session.messages.map((message) => (message.role === 'tool_result' ? textContent(message) : '')).join('');
const hasWorktrees = ({ folder }: NodeChat): boolean => existsSync(join(folder, '..', '.gnomon-worktrees'));

describe('in plan mode', () => {
  it('no worktree is made for a call that wants one, and the model knows why', async () => {
    const chat = await planning();
    chat.server.setScript(scripts(givesAway({ ...part('a'), isolation: 'worktree' }), says('found')));
    await chat.say('Go');
    expect(told(chat)).toContain('Nothing is changed in plan mode');
    expect([chat.prompts, hasWorktrees(chat)]).toEqual([[], false]);
  });

  it('an agent whose file wants one reads the files as they are', async () => {
    const chat = await planning();
    chat.server.setScript(scripts(givesAway(part('a', 'apart')), says('found')));
    await chat.say('Go');
    expect([told(chat), hasWorktrees(chat)]).toEqual(['found', false]);
  });
});
