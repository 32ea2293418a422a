import { describe, expect, it } from 'vitest';
import { allowedOf, servedOf, wireTool } from '../../../../src/headless/mcp-serve/served-tools.js';
import type { PermissionRule, RuleEffect } from '../../../../src/domain/tool/permission.js';
import { isReadOnly } from '../../../../src/domain/tool/tool.js';
import { allTools } from '../../../support/all-tools.js';

const ALL = allTools();
const names = (tools: typeof ALL): readonly string[] => tools.map(({ spec }) => spec.name);
const rule = (text: string, effect: RuleEffect = 'deny'): PermissionRule => ({ effect, text, scope: 'session' });

describe('the tools that are served', () => {
  it('are all but those for the chat of a model, those of an editor, the search that depends on the model, and the other form of edits', () => {
    const served = names(servedOf(ALL));
    expect(names(ALL).filter((name) => !served.includes(name))).toEqual(['apply_patch', 'todo', 'ask', 'diagnostics', 'symbols', 'web_search']);
    const withoutEdit = ALL.filter(({ spec }) => spec.name !== 'edit');
    expect(names(servedOf(withoutEdit))).toContain('apply_patch');
  });

  it('say that they only read exactly where what they plan does', async () => {
    const context = { signal: new AbortController().signal, sessionId: '', callId: '', output: () => undefined };
    const args: Readonly<Record<string, object>> = {
      read: { file_path: 'a.txt' },
      write: { file_path: 'a.txt', content: '' },
      edit: { file_path: 'a.txt', old_string: 'a', new_string: 'b' },
      apply_patch: { patch: '*** Begin Patch\n*** Add File: a.txt\n+a\n*** End Patch' },
      grep: { pattern: 'a' },
      glob: { pattern: '*' },
      list: {},
      bash: { command: 'ls' },
      jobs: { action: 'kill', id: 'job-1' },
      fetch: { url: 'https://example.com' },
    };
    for (const tool of [...servedOf(ALL), ...ALL.filter(({ spec }) => spec.name === 'apply_patch')]) {
      const plan = await tool.plan(args[tool.spec.name], context);
      const { annotations } = wireTool(tool);
      const network = plan.accesses.some(({ kind }) => kind === 'network' || kind === 'execute');
      const reads = isReadOnly(plan) || plan.accesses.every(({ kind }) => kind === 'network');
      expect([tool.spec.name, annotations?.readOnlyHint, annotations?.destructiveHint, annotations?.openWorldHint]).toEqual([
        tool.spec.name,
        reads,
        !reads,
        network,
      ]);
    }
  });

  it.each([
    ['Bash', ['bash']],
    ['Bash(*)', ['bash']],
    ['Bash(npm test:*)', []],
    ['PowerShell', []],
    ['Read', ['read', 'edit', 'grep', 'glob', 'list']],
    ['Read(.env)', []],
    ['Grep', ['grep']],
    ['Write', ['write', 'edit']],
    ['Edit(src/**)', []],
    ['WebFetch', ['fetch']],
    ['WebFetch(domain:example.com)', []],
    ['jobs', ['jobs']],
    ['mcp__*', []],
    ['no rule at all', []],
  ])('are without those that %s takes away as a whole', (text, gone) => {
    const served = servedOf(ALL);
    const left = names(allowedOf(served, [rule(text), rule('Glob', 'ask'), rule('List', 'allow')]));
    expect(names(served).filter((name) => !left.includes(name))).toEqual(gone);
  });
});
