import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ViewCallStatus, ViewToolCall } from '../../../src/protocol/view-state.js';
import { callName, toolFigures, toolPieces } from '../../../webview/state/transcript/tool-labels.js';

type Call = Parameters<typeof callName>[0];
const call = (over: Partial<ViewToolCall>): Call => ({ name: 'read', subject: '', status: 'done', ...over });

describe('a call in words', () => {
  test.each<[Partial<ViewToolCall>, string]>([
    [{ name: 'read', subject: 'package.json' }, 'Read package.json'],
    [{ name: 'grep', subject: 'minutes in src', topic: { what: 'minutes', where: 'src' } }, 'Searched for “minutes” in src'],
    [{ name: 'grep', subject: 'minutes', topic: { what: 'minutes' } }, 'Searched for “minutes”'],
    [{ name: 'list', subject: 'src', topic: { where: 'src' } }, 'Listed src'],
    [{ name: 'list', subject: 'workspace', topic: {} }, 'Listed the workspace'],
    [{ name: 'glob', subject: '* in src', topic: { what: '*', where: 'src' } }, 'Listed src'],
    [{ name: 'glob', subject: '**/*', topic: { what: '**/*', where: '.' } }, 'Listed the workspace'],
    [{ name: 'glob', subject: '*.ts in src', topic: { what: '*.ts', where: 'src' } }, 'Searched for files matching *.ts in src'],
    [{ name: 'bash', subject: 'npm test' }, 'Ran npm test'],
    [{ name: 'bash', subject: 'npm start (in the background)', topic: { action: 'background', what: 'npm start' } }, 'Started npm start in the background'],
    [{ name: 'edit', subject: 'src/slot.js' }, 'Edited src/slot.js'],
    [{ name: 'apply_patch', subject: 'src/slot.js' }, 'Edited src/slot.js'],
    [{ name: 'apply_patch', subject: 'src/slot.js', topic: { action: 'delete', what: 'src/slot.js' } }, 'Deleted src/slot.js'],
    [{ name: 'apply_patch', subject: 'a.js → b.js', topic: { action: 'move', what: 'a.js', where: 'b.js' } }, 'Moved a.js to b.js'],
    [
      { name: 'apply_patch', subject: 'a.js → b.js', status: 'awaiting_approval', topic: { action: 'move', what: 'a.js', where: 'b.js' } },
      'Move a.js to b.js?',
    ],
    [{ name: 'edit_selection', subject: '' }, 'Edited the selection'],
    [{ name: 'write', subject: 'notes.md' }, 'Wrote notes.md'],
    [{ name: 'write', subject: 'notes.md', created: true }, 'Created notes.md'],
    [{ name: 'write', subject: 'notes.md', status: 'running', preview: { kind: 'diff', path: '', diff: '', created: true } }, 'Creating notes.md'],
    [{ name: 'fetch', subject: 'example.com/docs' }, 'Fetched example.com/docs'],
    [{ name: 'web_search', subject: 'vitest fake tim…', topic: { what: 'vitest fake timers' } }, 'Searched the web for vitest fake timers'],
    [{ name: 'todo', subject: '3 steps' }, 'Updated the plan'],
    [{ name: 'skill', subject: 'release-notes' }, 'Loaded the skill release-notes'],
    [{ name: 'ask', subject: 'Which one?' }, 'Asked: Which one?'],
    [{ name: 'symbols', subject: 'references median', topic: { action: 'references', what: 'median' } }, 'Looked up references to median'],
    [{ name: 'symbols', subject: 'x', topic: { action: 'constructor', what: 'x' } }, 'Looked up x'],
    [{ name: 'diagnostics', subject: 'workspace' }, 'Checked for problems'],
    [{ name: 'jobs', subject: 'kill job-1', topic: { action: 'kill', what: 'job-1' } }, 'Stopped job-1'],
    [{ name: 'jobs', subject: 'list', topic: { action: 'list' } }, 'Checked background commands'],
    [{ name: 'ext__acme__count_words', subject: '{"text":"one"}' }, 'Used count_words (acme): {"text":"one"}'],
    [{ name: 'mcp__db__query', subject: '{"sql":"…"}' }, 'Used query (db): {"sql":"…"}'],
    [{ name: 'find_tools', subject: 'create gist', topic: { what: 'create gist' } }, 'Searched for tools: create gist'],
    [{ name: 'call_tool', subject: '', status: 'streaming' }, 'Using a tool'],
    [{ name: 'toString', subject: '' }, 'Used toString'],
  ])('%j is told as “%s”', (over, text) => {
    expect(callName(call(over))).toBe(text);
  });

  test.each<[ViewCallStatus, string]>([
    ['streaming', 'Running npm test'],
    ['pending', 'Running npm test'],
    ['awaiting_approval', 'Run npm test?'],
    ['running', 'Running npm test'],
    ['done', 'Ran npm test'],
    ['failed', 'Could not run npm test'],
    ['denied', 'Did not run npm test'],
    ['cancelled', 'Stopped npm test'],
  ])('that is %s is told as “%s”', (status, text) => {
    expect(callName(call({ name: 'bash', subject: 'npm test', status }))).toBe(text);
  });

  test.each<[Partial<ViewToolCall>, string, string]>([
    [{ name: 'edit', subject: 'a.js' }, 'Did not edit a.js', 'Stopped editing a.js'],
    [{ name: 'write', subject: 'a.js', created: true }, 'Did not create a.js', 'Stopped creating a.js'],
    [{ name: 'fetch', subject: 'example.com' }, 'Did not fetch example.com', 'Stopped fetching example.com'],
    [{ name: 'glob', subject: '*.ts' }, 'Did not search for files matching *.ts', 'Stopped searching for files matching *.ts'],
    [{ name: 'jobs', subject: 'kill job-1', topic: { action: 'kill', what: 'job-1' } }, 'Did not stop job-1', 'Canceled stopping job-1'],
    [{ name: 'ext__acme__count_words', subject: 'one' }, 'Did not use count_words (acme): one', 'Stopped using count_words (acme): one'],
  ])('%j that was denied, or canceled', (over, denied, canceled) => {
    expect(callName(call({ ...over, status: 'denied' }))).toBe(denied);
    expect(callName(call({ ...over, status: 'cancelled' }))).toBe(canceled);
  });

  test('a command that failed was run all the same', () => {
    expect(callName(call({ name: 'bash', subject: 'npm test', status: 'failed', exitCode: 1 }))).toBe('Ran npm test');
  });

  test('what it is about is a piece of its own, whatever characters it has, and only its first line', () => {
    expect(toolPieces(call({ name: 'grep', topic: { what: '{1} $& \uE001', where: 'src' } }))).toEqual([
      { text: 'Searched for “', subject: false },
      { text: '{1} $& \uE001', subject: true },
      { text: '” in ', subject: false },
      { text: 'src', subject: true },
    ]);
    expect(callName(call({ name: 'bash', subject: 'cd x\nrm y' }))).toBe('Ran cd x …');
    expect(callName(call({ subject: 'a\u202Eb' }))).toBe(String.raw`Read a\u202Eb`);
  });

  test('any call has words, whatever a model calls it', () => {
    const statuses: readonly ViewCallStatus[] = ['streaming', 'pending', 'awaiting_approval', 'running', 'done', 'failed', 'denied', 'cancelled'];
    const any = fc.record({
      name: fc.oneof(fc.string(), fc.constantFrom('symbols', 'jobs', 'glob', '__proto__')),
      subject: fc.string(),
      status: fc.constantFrom(...statuses),
      topic: fc.record({ action: fc.string(), what: fc.string() }),
    });
    fc.assert(fc.property(any, (some) => callName(some) !== ''));
  });
});

describe('what a call gave', () => {
  test.each<[Partial<ViewToolCall>, string]>([
    [{ name: 'bash', durationMs: 1_240, exitCode: 0 }, '1.2 s · exit 0'],
    [{ name: 'grep', results: 1 }, '1 match'],
    [{ name: 'grep', results: 0 }, '0 matches'],
    [{ name: 'grep', results: 1_200, moreResults: true }, '1,200+ matches'],
    [{ name: 'glob', results: 12 }, '12 files'],
    [{ name: 'bash', status: 'cancelled', durationMs: 3_000 }, '3 s'],
    [{ name: 'read' }, ''],
  ])('%j is told as “%s”', (over, text) => {
    expect(toolFigures(call(over)).join(' · ')).toBe(text);
  });
});
