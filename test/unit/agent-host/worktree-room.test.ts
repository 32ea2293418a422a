import { mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { givesAway, part, says, scripts } from '../../support/gives-away.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { gitIn } from '../worktree/rig.js';
import { nodeChat } from './node-chat.js';

it.each([
  ['a new file', 'large.bin', '', /1\.\d GB/],
  ['an ignored file that the set-up copies', 'large.cache', '{ "copy": ["*.cache"] }', /1\.\d GB/],
  ['an ignored file that it does not', 'large.cache', '{ "copy": ["*.other"] }', undefined],
])('a worktree that takes much room is asked about: %s', async (_, name, setUp, said) => {
  const folder = join(temporaryFolder(), 'project');
  mkdirSync(join(folder, '.gnomon'), { recursive: true });
  writeFileSync(join(folder, '.gitignore'), '*.cache\n');
  if (setUp !== '') writeFileSync(join(folder, '.gnomon/worktree.json'), setUp);
  gitIn(folder, 'init', '-q');
  gitIn(folder, 'add', '.');
  gitIn(folder, 'commit', '-qm', 'one');
  // It takes no room on the disk.
  writeFileSync(join(folder, name), '');
  truncateSync(join(folder, name), 1_250_000_000);
  const chat = await nodeChat({ folder, git: true });
  chat.server.setScript(scripts(givesAway({ ...part('a'), isolation: 'worktree' }), says('Done.')));
  chat.send('Go');
  if (said !== undefined) {
    expect(JSON.stringify((await chat.prompt()).approval.reasons)).toMatch(said);
    await chat.deny();
  }
  await chat.ended();
  expect(chat.prompts).toEqual([]);
});
