import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { moveCheckpoints } from '../../../../src/agent-host/changes/bring-changes.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

describe('sess-13 checkpoints of a session that moves to another storage', () => {
  it('move with it, once, and none is no error', async () => {
    const root = temporaryFolder();
    const [from, to] = [join(root, 'old'), join(root, 'new', 'checkpoints')];
    await moveCheckpoints('a', from, to);
    await mkdir(join(from, 'a'), { recursive: true });
    await writeFile(join(from, 'a', 'index.json'), 'x');
    await moveCheckpoints('a', from, to);
    await moveCheckpoints('a', from, to);
    expect([await readdir(from), await readFile(join(to, 'a', 'index.json'), 'utf8')]).toEqual([[], 'x']);
  });
});
