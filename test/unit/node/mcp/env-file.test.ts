import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readEnvFile } from '../../../../src/node/mcp/env-file.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const never = new AbortController().signal;

/** Reads a file with some content in a workspace folder. */
async function read(content: string | Uint8Array): Promise<Readonly<Record<string, string>>> {
  const folder = temporaryFolder();
  writeFileSync(join(folder, '.env'), content);
  return (await readEnvFile(join(folder, '.env'), [folder], never)).variables;
}

describe('a file with variables', () => {
  it('has a variable on each line', async () => {
    const text = ['# comment', '', 'A=1', 'B = two words ', "C='single # quoted'", 'D="double\\nquoted"', 'export E=5', 'F=', 'G=a=b # comment', 'A=last'].join(
      '\n',
    );
    expect(await read(text)).toEqual({ A: 'last', B: 'two words', C: 'single # quoted', D: 'double\nquoted', E: '5', F: '', G: 'a=b' });
    expect(await read('\uFEFFA=1\r\nB=2\r\n')).toEqual({ A: '1', B: '2' });
    expect(await read('')).toEqual({});
  });

  it('M-51: is taken literally: variables in it are not replaced', async () => {
    expect(await read('A=${HOME}\nB=$HOME\nC=$(id)')).toEqual({ A: '${HOME}', B: '$HOME', C: '$(id)' });
  });

  it('is refused with what is no name of a variable', async () => {
    for (const text of ['A B=1', '1A=2', 'A\u202eB=1']) await expect(read(text)).rejects.toThrow('is not the name of a variable.');
    // The parser drops this one.
    expect(Object.entries(await read('__proto__=1\nA=2'))).toEqual([['A', '2']]);
  });

  it('is refused when it is too much, or no text', async () => {
    await expect(read(Array.from({ length: 1_001 }, (_, index) => `A${index}=1`).join('\n'))).rejects.toThrow('has more than 1000 variables.');
    await expect(read(`A=${'x'.repeat(1024 * 1024)}`)).rejects.toThrow('The file is larger than 1 MB.');
    await expect(read(new Uint8Array([0x41, 0x3d, 0, 1]))).rejects.toThrow('It is not a text file.');
  });

  it('has to be there, and to be a file', async () => {
    const folder = temporaryFolder();
    await expect(readEnvFile(join(folder, '.env'), [folder], never)).rejects.toThrow(`The file ${join(folder, '.env')} does not exist.`);
    await expect(readEnvFile(folder, [folder], never)).rejects.toThrow('It is not a regular file.');
  });

  it('is named by its place in the workspace, and hashed', async () => {
    const [folder, outside] = [temporaryFolder(), temporaryFolder()];
    for (const each of [folder, outside]) writeFileSync(join(each, 'my.env'), 'A=1');
    const { file } = await readEnvFile(join(folder, 'my.env'), [folder], never);
    expect(file.path).toBe('my.env');
    expect(file.sha256).toMatch(/^[0-9a-f]{64}$/);
    expect((await readEnvFile(join(outside, 'my.env'), [folder], never)).file).toEqual({ path: join(outside, 'my.env'), sha256: file.sha256 });
  });

  it('must not be a link out of the workspace: it is not what is shown', async () => {
    const [folder, outside] = [temporaryFolder(), temporaryFolder()];
    writeFileSync(join(outside, 'credentials'), 'KEY=canary');
    symlinkSync(join(outside, 'credentials'), join(folder, '.env'));
    await expect(readEnvFile(join(folder, '.env'), [folder], never)).rejects.toThrow(`It is a link to ${join(outside, 'credentials')}, outside the workspace.`);
  });
});
