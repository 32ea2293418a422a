import { describe, expect, it } from 'vitest';
import type { ToolResultMessage } from '../../../../src/domain/model/message.js';
import { type CallOutcome, statusOf } from '../../../../src/domain/tool/outcome.js';
import { oldOutcome } from '../../../../src/session/codec/old-outcomes.js';
import { resultView } from '../../../../src/chat/projection/call-result.js';
import { SENTENCES_FOR_MODELS } from '../../../support/outcome-sentences.js';

function stored(tool: string, isError: boolean, ...texts: readonly string[]): ToolResultMessage {
  return { role: 'tool_result', toolCallId: 'c', toolName: tool, content: texts.map((text) => ({ type: 'text', text })), isError, timestamp: '' };
}

/** Sentences that sessions on disk have. The list can grow and never changes: those sessions do not change either. */
const FAILURES: readonly (readonly [tool: string, told: string, outcome: CallOutcome])[] = [
  ['edit', 'old_string was not found in src/a.ts; nothing was changed. Read the file first.', { kind: 'text_not_found', file: 'src/a.ts' }],
  ['edit', 'Edit 2 of 3: old_string occurs 3 times in src/a.ts; nothing was changed. Add …', { kind: 'ambiguous', file: 'src/a.ts', found: 0 }],
  ['edit', 'old_string occurs once in a, not 2 as expected_replacements says; nothing …', { kind: 'ambiguous', file: 'a', found: 0, expected: 2 }],
  ['edit', '“// ...” stands for text left out, and would be written to a as it is; nothing …', { kind: 'text_left_out', file: 'a' }],
  ['write', 'Line 3 of the content stands for text left out: // ... a. b would lose it, so nothing …', { kind: 'text_left_out', file: 'b' }],
  ['edit', 'The edit would change nothing in a: old and new are the same.', { kind: 'unchanged', file: 'a', by: 'edit' }],
  ['write', 'a has exactly this content already; nothing to write.', { kind: 'unchanged', file: 'a', by: 'write' }],
  ['read', 'a b.js does not exist. Did you mean node.js?', { kind: 'not_found', file: 'a b.js' }],
  ['read', 'a/b does not exist: a part of its path is a file, not a folder.', { kind: 'not_found', file: 'a/b' }],
  ['read', 'src is a folder. Use list to see what is in it.', { kind: 'is_folder', file: 'src' }],
  ['write', 'src is a folder, not a file.', { kind: 'is_folder', file: 'src' }],
  ['edit', 'a has changed since it was read. Read it again, then change it.', { kind: 'changed_meanwhile', file: 'a', noticed: 'planning' }],
  ['edit', 'a has changed meanwhile; nothing was written. Read it again.', { kind: 'changed_meanwhile', file: 'a', noticed: 'planning' }],
  ['write', 'a.md exists and has not been read. Read it first, or choose another name.', { kind: 'not_read', file: 'a.md', why: 'exists' }],
  ['edit', '/x/a is outside the workspace and has not been read. Read it first.', { kind: 'not_read', file: '/x/a', why: 'outside' }],
  ['write', 'Only a part of a has been read. Change it with edit, or …', { kind: 'not_read', file: 'a', why: 'partly' }],
  ['read', 'The PDF document is protected with a password. Ask …', { kind: 'unreadable_pdf', why: 'password' }],
  ['read', 'The PDF document is broken: no xref', { kind: 'unreadable_pdf', why: 'broken' }],
  ['read', 'The PDF document takes too much memory to read. Read fewer …', { kind: 'unreadable_pdf', why: 'memory' }],
  ['read', 'a.bin is a binary file (.bin) of 3 KB, not text.', { kind: 'binary', file: 'a.bin' }],
  ['edit', 'a is not a text file and cannot be edited.', { kind: 'not_text', file: 'a', wanted: 'edit' }],
  ['edit', 'a is too large: 9 MB; files …', { kind: 'too_large', file: 'a', wanted: 'read' }],
  ['write', 'a is read-only; nothing was written.', { kind: 'read_only', file: 'a' }],
  ['read', 'a may not be accessed: the system denies permission.', { kind: 'inaccessible', file: 'a', wanted: 'access' }],
  ['read', 'The arguments of read do not fit its schema; nothing was done.\n- a', { kind: 'invalid_arguments', tool: 'read', wrong: 'schema' }],
  ['read', 'The arguments of read cannot be read: they end early. Nothing …', { kind: 'invalid_arguments', tool: 'read', wrong: 'json' }],
  ['edit', 'The agent “a “b”” does not have this tool. The tools are: read.', { kind: 'agent_lacks_tool', agent: 'a “b”' }],
  ['list', 'There is no tool named “list”. The tools are: read.', { kind: 'unknown_tool', tool: 'list' }],
  ['web_search', 'SearXNG does not answer with JSON. The user …', { kind: 'search_setup', wrong: 'no_json' }],
  ['web_search', 'The address of the SearXNG server is invalid. The user …', { kind: 'search_setup', wrong: 'no_server' }],
  ['web_search', 'No API key is set for Brave Search. The user …', { kind: 'search_setup', wrong: 'no_key' }],
  ['web_search', 'Brave Search rejected the API key. The user …', { kind: 'search_setup', wrong: 'bad_key' }],
  ['web_search', 'OpenAI did not search the web with the model x: no. Do this.', { kind: 'search_unsupported', service: 'OpenAI', model: '' }],
  ['web_search', 'Anthropic is asked to search too often. Try …', { kind: 'rate_limited', service: 'Anthropic', of: 'service' }],
  ['web_search', 'No pages were found. Search …', { kind: 'no_pages' }],
  ['read', 'The tool read failed: EIO: i/o error, read. Try again.', { kind: 'crashed', tool: 'read', problem: 'EIO: i/o error, read.' }],
  ['grep', 'ripgrep cannot search: regex parse error.\n  ( ', { kind: 'rejected', problem: 'ripgrep cannot search: regex parse error.' }],
  ['bash', 'The command is empty.', { kind: 'rejected', problem: 'The command is empty.' }],
  ['bash', 'Started job-1 in the background.\n[job-1 ended: exit code 1]', { kind: 'failed' }],
  ['mcp__a__x', 'a does not exist. It said.', { kind: 'failed' }],
  ['mcp__a__x', 'Interrupted before it finished; not run again.', { kind: 'interrupted' }],
  ['read', 'Not executed: the answer broke off.', { kind: 'not_run', why: 'error' }],
  ['read', 'Not executed: the user stopped the answer.', { kind: 'cancelled', unstarted: true, notes: [{ block: 0, from: 0, to: 42 }] }],
  ['mcp__a__x', 'Cancelled by the user. It did not stop in time and may still be running.', { kind: 'cancelled', notes: [{ block: 0, from: 0, to: 72 }] }],
];

const DENIED: readonly (readonly [reason: string, denial: Extract<CallOutcome, { kind: 'denied' }>['denial']])[] = [
  ['The permission mode “a “b”” is not known.', { kind: 'unknown_mode', mode: 'a “b”' }],
  ['This workspace is not trusted, so Gnomon only reads in it.', { kind: 'untrusted' }],
  ['Plan mode only reads; nothing may be changed or run.', { kind: 'plan_mode' }],
  ['Nothing allows it.', { kind: 'nothing_allows' }],
  ['The deny rule Bash(curl:*) in the user settings forbids `curl `x``.', { kind: 'rule', rule: 'Bash(curl:*)', scope: 'user', what: 'curl `x`' }],
  ['The deny rule Edit in the local settings forbids `a`.', { kind: 'rule', rule: 'Edit', scope: 'local', what: 'a' }],
  ['The deny rule Edit in the workspace settings forbids `a`.', { kind: 'rule', rule: 'Edit', scope: 'workspace', what: 'a' }],
  ['The deny rule mcp__db for this chat forbids `mcp__db__query`.', { kind: 'rule', rule: 'mcp__db', scope: 'session', what: 'mcp__db__query' }],
  [
    'The deny rule Bash(rm:*) in the file ~/.gnomon/settings.json forbids `rm x`.',
    { kind: 'rule', rule: 'Bash(rm:*)', scope: 'workspace', file: '~/.gnomon/settings.json', what: 'rm x' },
  ],
  ['The agent “reviewer” does not have this tool.', { kind: 'agent', agent: 'reviewer', cannot: 'use' }],
  ['The agent “reviewer” may not have the user asked, and no rule allows this.', { kind: 'agent', agent: 'reviewer', cannot: 'ask' }],
  ['The hook PreToolUse (guard) blocked it: No: rm.', { kind: 'hook', by: 'PreToolUse (guard)', reason: 'No: rm.', answered: true }],
  ['The hook guard was to decide about it and gave no answer: It took too long.', { kind: 'hook', by: 'guard', reason: 'It took too long.', answered: false }],
  ['Whatever another version said.', { kind: 'told', reason: 'Whatever another version said.' }],
];

describe('the reader of sessions from before outcomes were data', () => {
  it.each(FAILURES)('reads of %s that failed with “%s”', (tool, told, outcome) => {
    expect(oldOutcome(stored(tool, true, told))).toEqual(outcome);
  });

  it.each(DENIED)('reads a denial because of “%s”', (reason, denial) => {
    expect(oldOutcome(stored('bash', true, `Permission denied. ${reason} Nothing was done.`), reason)).toEqual({ kind: 'denied', denial });
  });

  it('takes a denial for the user’s where the model was told so, whatever the reason looks like', () => {
    const denied = (told: string): unknown => oldOutcome(stored('bash', true, told), 'Nothing allows it.');
    expect(denied('The user denied this call; nothing was done.')).toEqual({ kind: 'denied', denial: { kind: 'user' } });
    expect(denied('The user denied this call; nothing was done. They said: Nothing allows it.')).toEqual({
      kind: 'denied',
      denial: { kind: 'user', said: 'Nothing allows it.' },
    });
  });

  it('places what is left out in the single texts of a result', () => {
    const changed = 'The user changed this call before allowing it. What ran: ls\n\n';
    const outcome = oldOutcome(stored('bash', false, changed, '(no output)\n[exit code 0 after 0.1 s]', '[Arguments: cmd was read as command.]'));
    expect(outcome).toMatchObject({ kind: 'ran', exitCode: 0, durationMs: 100 });
    const blocks = [changed.length, '(no output)\n[exit code 0 after 0.1 s]'.length, '[Arguments: cmd was read as command.]'.length];
    const hidden = blocks.map((_, block) => (outcome.notes ?? []).filter((note) => note.block === block).reduce((sum, { from, to }) => sum + to - from, 0));
    expect(hidden).toEqual(blocks);
  });

  it('shows the words that are shown of the outcome, for each sentence that models are told today', () => {
    for (const [outcome, detail, sentence] of SENTENCES_FOR_MODELS) {
      const isList = outcome.kind === 'invalid_arguments' && outcome.wrong === 'list';
      // Those that are told by a report or a reason, and what older versions showed as it is.
      if (['failed', 'exited', 'killed', 'timed_out', 'denied'].includes(outcome.kind) || isList) continue;
      const message = stored(outcome.kind === 'crashed' ? outcome.tool : 'web_search', true, sentence);
      const view = (of: CallOutcome): unknown => resultView({ content: message.content, outcome: of, short: (path) => path });
      const old = oldOutcome(message);
      const now = outcome.kind === 'cancelled' ? { ...outcome, notes: [{ block: 0, from: 0, to: sentence.length }] } : outcome;
      expect([sentence, detail, view(old), statusOf(old)]).toEqual([sentence, detail, view(now), statusOf(outcome)]);
    }
  });
});
