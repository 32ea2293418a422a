import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { ToolResult } from '../../src/domain/tool/tool.js';
import { OpenQuestions } from '../../src/chat/conversation/conversation.js';
import { windowToolbox } from './window-toolbox.js';
import { createVsCodeWorkspace } from '../../src/vscode/workspace/folders.js';
import { settledPlan } from '../support/settled-plan.js';

const context = { signal: new AbortController().signal, sessionId: 's', callId: 'c', output: () => undefined };
const textOf = (result: ToolResult): string => result.content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');

/** Needs a window with a workspace file that has two folders. */
describe('tools in several folders', () => {
  const workspace = createVsCodeWorkspace();
  const [first, second] = vscode.workspace.workspaceFolders ?? [];

  async function call(name: string, args: object): Promise<ToolResult> {
    const toolbox = windowToolbox(join(first?.uri.fsPath ?? '', 'logs'));
    const tool = toolbox.toolsForSession(new OpenQuestions()).find(({ spec }) => spec.name === name);
    assert.ok(tool);
    return tool.execute(await settledPlan(tool, args, context), context);
  }

  it('path-17: the same relative name leads to the folder that is named, and nowhere without a name', async () => {
    assert.ok(first);
    assert.ok(second);
    for (const root of [first, second]) writeFileSync(join(root.uri.fsPath, 'same.txt'), `in ${root.name}\n`);
    assert.equal(textOf(await call('read', { file_path: `${second.name}/same.txt` })), `1\tin ${second.name}`);
    await call('edit', { file_path: `${second.name}/same.txt`, old_string: 'in', new_string: 'edited in' });
    assert.equal(readFileSync(join(second.uri.fsPath, 'same.txt'), 'utf8'), `edited in ${second.name}\n`);
    assert.equal(readFileSync(join(first.uri.fsPath, 'same.txt'), 'utf8'), `in ${first.name}\n`);
    await assert.rejects(call('read', { file_path: 'same.txt' }), /Several folders have same\.txt/);
    const found = textOf(await call('grep', { pattern: 'in ', glob: 'same.txt' }));
    assert.equal(found, `${first.name}/same.txt\n1:in ${first.name}\n${second.name}/same.txt\n1:edited in ${second.name}`);
  });

  it('both folders are inside, what lies beside them is not', async () => {
    for (const root of [first, second]) {
      assert.ok(root);
      assert.equal((await workspace.locate(join(root.uri.fsPath, 'x'))).inside, true);
      assert.equal((await workspace.locate(`${root.uri.fsPath}-evil/x`)).inside, false);
    }
  });
});
