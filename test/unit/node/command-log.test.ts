import { readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createCommandLog } from '../../../src/node/command-log.js';
import { tempFolder } from './temp-folder.js';

describe('createCommandLog', () => {
  it('stops at its limit and says so in the file', async () => {
    const log = await createCommandLog(join(tempFolder(), 'new'), 10);
    await log.append('12345');
    expect(log.full).toBe(false);
    await log.append('678901');
    await log.append('more');
    await log.close();
    expect(log.full).toBe(true);
    expect(readFileSync(log.path, 'utf8')).toBe('12345\n[The log ends here: it has reached its limit of 10 bytes.]\n');
  });

  it('removes logs of more than a week, and nothing else', async () => {
    const folder = tempFolder();
    for (const name of ['command-old.log', 'command-young.log', 'notes.txt']) {
      writeFileSync(join(folder, name), '');
      if (name !== 'command-young.log') utimesSync(join(folder, name), 1, 1);
    }
    const log = await createCommandLog(folder, 10);
    await log.close();
    expect(readdirSync(folder).filter((name) => join(folder, name) !== log.path).sort()).toEqual(['command-young.log', 'notes.txt']);
  });
});
