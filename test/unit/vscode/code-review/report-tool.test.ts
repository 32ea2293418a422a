import { beforeEach, describe, expect, it } from 'vitest';
import { ToolInputError } from '../../../../src/domain/errors.js';
import type { Tool } from '../../../../src/domain/tool/tool.js';
import type { Finding } from '../../../../src/code-review/finding.js';
import { createReportTool } from '../../../../src/vscode/code-review/report-tool.js';
import { createMemoryWorkspace, toolContext } from '../../../support/memory-workspace/index.js';
import { textOf } from '../../tool/rig.js';

const FILES: Readonly<Record<string, number>> = { '/ws/a.ts': 10, '/ws/.env': 3, '/other/b.ts': 5 };
const WHOLE = { path: 'a.ts', line: 3, end_line: 4, severity: 'error', title: 'Wrong', explanation: 'It is.' };

let found: Finding[];
let tool: Tool;

async function report(changes: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const context = toolContext();
  return textOf(await tool.execute(await tool.plan({ ...WHOLE, ...changes }, context), context));
}

beforeEach(() => {
  found = [];
  const { workspace } = createMemoryWorkspace({ links: { '/ws/away': '/other' } });
  tool = createReportTool({
    workspace,
    readGuard: () => Promise.resolve((path) => !path.endsWith('.env')),
    lineCount: (path) => {
      const lines = FILES[path];
      return lines === undefined ? Promise.reject(new ToolInputError(`${path} is no text file that is there.`)) : Promise.resolve(lines);
    },
    known: () => found,
    report: (finding) => void found.push(finding),
  });
});

describe('the tool that reports findings', () => {
  it('shows a finding at its lines', async () => {
    expect(await report({ suggestion: 'Do other.' })).toBe('The user sees it.');
    expect(found).toEqual([{ path: '/ws/a.ts', start: 2, end: 4, severity: 'error', title: 'Wrong', explanation: 'It is.', suggestion: 'Do other.' }]);
  });

  it('takes one line where no end is named, and an end behind the file as its end', async () => {
    await report({ line: 10, end_line: undefined });
    await report({ line: 9, end_line: 4_000 });
    expect(found.map(({ start, end }) => [start, end])).toEqual([
      [9, 10],
      [8, 10],
    ]);
  });

  it('touches nothing: its plan talks with the person only', async () => {
    const plan = await tool.plan(WHOLE, toolContext());
    expect(plan.accesses).toEqual([{ kind: 'interact', target: 'findings' }]);
    expect(plan.changes).toEqual([]);
  });

  it.each([
    ['outside of the workspace', { path: '/other/b.ts' }, /outside the workspace/],
    ['by a way out of it', { path: '../other/b.ts' }, /outside the workspace/],
    ['behind a link that leads out', { path: 'away/b.ts' }, /outside the workspace/],
    ['in a file that may not be shown', { path: '.env' }, /may not be shown/],
    ['in a file that is not there', { path: 'gone.ts' }, /no text file/],
    ['in what is no file', { path: 'untitled:Untitled-1' }, /not a file/],
    ['behind the end of the file', { line: 11, end_line: undefined }, /has 10 lines; there is no line 11/],
    ['that ends before it begins', { line: 5, end_line: 4 }, /comes before/],
    ['at no line', { line: 0 }, /line/],
    ['at half a line', { line: 1.5 }, /line/],
    ['with another severity', { severity: 'fatal' }, /severity/],
    ['with a title that does not show', { title: '\u200B\u202E' }, /title/],
    ['with more than there is to say', { command: 'rm' }, /command/],
  ])('refuses a finding %s', async (_, changes, words) => {
    await expect(report(changes)).rejects.toThrow(words);
    expect(found).toEqual([]);
  });

  it('refuses what was reported already', async () => {
    await report();
    await expect(report({ title: 'WRONG ' })).rejects.toThrow(/already/);
    expect(found).toHaveLength(1);
  });
});
