import { execFileSync } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type * as vscode from 'vscode';
import { beforeEach, describe, expect, it } from 'vitest';
import { createWorkspace } from '../../../../src/node/files/workspace.js';
import { createReadGuard } from '../../../../src/permission/files/read-guard.js';
import { Exclusions } from '../../../../src/vscode/completion/exclusions.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { ruleBook } from '../../permission/rig.js';

let folder = '';

beforeEach(async () => {
  const root = realpathSync(temporaryFolder());
  folder = join(root, 'work');
  await mkdir(join(folder, 'dist'), { recursive: true });
  execFileSync('git', ['init', '-q', folder]);
  const files = { '.gitignore': 'dist/\n*.local.ts\n', 'a.ts': '', 'b.local.ts': '', 'dist/c.ts': '', '.env': '', 'secret.ts': '', '../outside.ts': '' };
  await Promise.all(Object.entries(files).map(([name, text]) => writeFile(join(folder, name), text)));
  await symlink(join(folder, '.env'), join(folder, 'harmless.ts'));
});

/** What is shown of some files, by name. */
async function shown(names: readonly string[], { trusted = true, folders = [folder] } = {}): Promise<readonly string[]> {
  const workspace = createWorkspace(() => folders.map((path) => ({ name: 'work', path })), '/home/user');
  const rules = ruleBook(['deny Read(secret.ts)']);
  const readGuard = (): ReturnType<typeof createReadGuard> => createReadGuard({ workspace, home: '/home/user', caseInsensitive: false, rules });
  const documents = names.map(documentOf);
  const left = await new Exclusions({ workspace, readGuard, trusted: () => trusted }).shown(documents);
  return left.map((document) => names[documents.indexOf(document)] ?? '');
}

function documentOf(name: string): vscode.TextDocument {
  const [scheme = '', path = ''] = name.includes(':') ? name.split(':') : ['file', join(folder, name)];
  return { uri: { scheme, fsPath: path } } as unknown as vscode.TextDocument;
}

describe('documents that a model may be shown while a person types', () => {
  it('are not those that git ignores', async () => {
    expect(await shown(['a.ts', 'b.local.ts', 'dist/c.ts'])).toEqual(['a.ts']);
  });

  it('are not those that can hold passwords, also behind a link, or that a rule is about', async () => {
    expect(await shown(['.env', 'harmless.ts', 'secret.ts', 'a.ts'])).toEqual(['a.ts']);
  });

  it('are not those outside of the folders that are open; without a folder there is no outside', async () => {
    expect(await shown(['../outside.ts', 'a.ts'])).toEqual(['a.ts']);
    expect(await shown(['../outside.ts', '.env'], { folders: [] })).toEqual(['../outside.ts']);
  });

  it('are files and what has not been saved, nothing else', async () => {
    expect(await shown(['untitled:Untitled-1', 'git:a.ts', 'output:log', 'vscode-vfs:a.ts'])).toEqual(['untitled:Untitled-1']);
  });

  it('are none in a workspace that is not trusted', async () => {
    expect(await shown(['a.ts', 'untitled:Untitled-1'], { trusted: false })).toEqual([]);
  });
});
