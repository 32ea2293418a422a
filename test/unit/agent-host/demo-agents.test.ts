import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { textContent } from '../../../src/domain/model/message.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { SAMPLE_WORKSPACE } from '../../vscode/sample-workspace.mjs';
import { gitIn } from '../worktree/rig.js';
import { type NodeChat, nodeChat } from './node-chat.js';

/** A chat with the demo model in a copy of the sample workspace, which is a repository. */
async function demoChat(): Promise<NodeChat> {
  const folder = join(temporaryFolder(), 'sample');
  cpSync(SAMPLE_WORKSPACE, folder, { recursive: true });
  gitIn(folder, 'init', '-q');
  gitIn(folder, 'add', '.');
  gitIn(folder, 'commit', '-qm', 'sample');
  return nodeChat({ folder, git: true, settings: { 'gnomon.model': 'demo/demo' } });
}

const lastWords = ({ conversation }: NodeChat): string => {
  const last = conversation.session.messages.findLast(({ role }) => role === 'assistant');
  return last === undefined ? '' : textContent(last);
};

test(
  'the demo has three agents look at the sample workspace and one change it in a worktree, and takes that over when it may',
  { timeout: 120_000 },
  async () => {
    const chat = await demoChat();
    const source = (): string => readFileSync(chat.at('src/slot.js'), 'utf8');
    const before = source();
    chat.send('Have agents look at this project');
    expect((await chat.prompt()).subject).toBe('src/slot.js');
    await chat.allow();
    expect((await chat.prompt()).subject).toMatch(/^apply agent-4/);
    expect(source()).toBe(before);
    await chat.allow();
    await chat.ended();
    expect(source()).toBe(before.replace('a.start <= b.end', 'a.start < b.end'));
    expect(lastWords(chat)).toContain('- `src/clock.js`: times of day as minutes since midnight');
    expect(lastWords(chat)).toContain('- a room is free where nothing is booked');
    expect(lastWords(chat)).toContain('slots that only touch overlap.');
    expect(lastWords(chat)).toContain('The change is in `src/slot.js` now');
    expect(chat.host.ledger.files().map(({ path }) => path)).toEqual([chat.at('src/slot.js')]);
  },
);
