import { describe, expect, it } from 'vitest';
import { ToolInputError } from '../../../src/domain/errors.js';
import { type ToldOutcome, forModel } from '../../../src/domain/tool/for-model.js';
import { notedText, textsForUser, withNoteBehind, withNotesBefore } from '../../../src/domain/tool/model-notes.js';
import { firstSentence } from '../../../src/domain/tool/outcome.js';
import { OUTCOME_KINDS } from '../../support/outcomes.js';

const file = 'src/a.ts';
/** Kinds that the result of the tool tells of, word for word. */
const TOLD_BY_RESULT = ['done', 'created', 'found', 'found_tools', 'answered', 'not_answered', 'ran'];

/** What models are told. These texts are part of what models have learned to work with: a change of one is a change of how they work. */
const SENTENCES: readonly (readonly [ToldOutcome, string, string])[] = [
  [{ kind: 'not_found', file }, '', 'src/a.ts does not exist. Use list or glob to see what is there.'],
  [{ kind: 'not_found', file }, 'Did you mean src/b.ts?', 'src/a.ts does not exist. Did you mean src/b.ts?'],
  [{ kind: 'not_found', file, why: 'in_file' }, '', 'src/a.ts does not exist: a part of its path is a file, not a folder.'],
  [{ kind: 'is_folder', file: 'src' }, '', 'src is a folder. Use list to see what is in it.'],
  [{ kind: 'is_folder', file: 'src', wanted: 'file' }, '', 'src is a folder, not a file.'],
  [{ kind: 'changed_meanwhile', file, noticed: 'planning' }, '', 'src/a.ts has changed since it was read. Read it again, then change it.'],
  [{ kind: 'changed_meanwhile', file, noticed: 'writing' }, '', 'src/a.ts has changed since it was read; nothing was written. Read it again.'],
  [{ kind: 'changed_meanwhile', file, noticed: 'editing' }, '', 'src/a.ts has changed since it was read; nothing was changed. Read it again.'],
  [{ kind: 'changed_meanwhile', file, noticed: 'replacing' }, '', 'src/a.ts has changed meanwhile; nothing was written. Read it again.'],
  [{ kind: 'not_read', file, why: 'exists' }, '', 'src/a.ts exists and has not been read. Read it first, or choose another name.'],
  [{ kind: 'not_read', file, why: 'outside' }, '', 'src/a.ts is outside the workspace and has not been read. Read it first.'],
  [{ kind: 'not_read', file, why: 'partly' }, '', 'Only a part of src/a.ts has been read. Change it with edit, or read the rest before you replace all of it.'],
  [{ kind: 'binary', file: 'a.bin', extension: '.bin' }, '3 KB', 'a.bin is a binary file (.bin) of 3 KB, not text.'],
  [{ kind: 'binary', file: 'a' }, '3 KB', 'a is a binary file of 3 KB, not text.'],
  [
    { kind: 'binary', file: 'a.tiff', type: 'TIFF image', extension: '.tiff' },
    '3 KB',
    'a.tiff is a binary file (TIFF image) of 3 KB, not text. Make a png of it with a command.',
  ],
  [{ kind: 'binary', file: 'a.zip', type: 'ZIP archive' }, '3 KB', 'a.zip is a binary file (ZIP archive) of 3 KB, not text. Look into it with a command.'],
  [{ kind: 'not_text', file, wanted: 'edit' }, '', 'src/a.ts is not a text file and cannot be edited.'],
  [{ kind: 'not_text', file, wanted: 'replace' }, '', 'src/a.ts is not a text file and cannot be replaced by text.'],
  [{ kind: 'not_text', file, wanted: 'write' }, '', 'src/a.ts is not a text file; nothing was written.'],
  [
    { kind: 'too_large', file, wanted: 'edit' },
    '9 MB; files of at most 5 MB can be edited',
    'src/a.ts is too large: 9 MB; files of at most 5 MB can be edited. Change it with a command, such as sed -i.',
  ],
  [
    { kind: 'too_large', file, wanted: 'read' },
    '90 MB, the limit is 50 MB',
    'src/a.ts is too large to change: 90 MB, the limit is 50 MB. Read parts of it with read or grep, and change it with a command.',
  ],
  [{ kind: 'read_only', file }, '', 'src/a.ts is read-only; nothing was written.'],
  [{ kind: 'inaccessible', file, wanted: 'access' }, '', 'src/a.ts may not be accessed: the system denies permission.'],
  [{ kind: 'inaccessible', file, wanted: 'change' }, '', 'src/a.ts may not be changed: the system does not permit it.'],
  [
    { kind: 'text_left_out', file },
    '// ...',
    '“// ...” stands for text left out, and would be written to src/a.ts as it is; nothing was changed. Write what is to be there. What an edit does not replace stays.',
  ],
  [
    { kind: 'text_left_out', file, line: 3 },
    '// ...',
    'Line 3 of the content stands for text left out: // .... src/a.ts would lose it, so nothing was written. Use edit to change a part, or send the whole text.',
  ],
  [{ kind: 'text_not_found', file }, ' Read the file first.', 'old_string was not found in src/a.ts; nothing was changed. Read the file first.'],
  [
    { kind: 'text_not_found', file, edit: { number: 2, of: 3 } },
    '\nNothing in it comes near.',
    'Edit 2 of 3: old_string was not found in src/a.ts; nothing was changed.\nNothing in it comes near.',
  ],
  [
    { kind: 'ambiguous', file, found: 3 },
    'Found at lines 1, 2, 3.',
    'old_string occurs 3 times in src/a.ts; nothing was changed. Add surrounding lines until it is unique, or set replace_all.\nFound at lines 1, 2, 3.',
  ],
  [
    { kind: 'ambiguous', file, edit: { number: 1, of: 2 }, found: 1, expected: 2 },
    'Found at lines 1.',
    'Edit 1 of 2: old_string occurs once in src/a.ts, not 2 as expected_replacements says; nothing was changed. Give the right number, or add lines until only the places that are meant fit.\nFound at lines 1.',
  ],
  [{ kind: 'unchanged', file, by: 'edit' }, '', 'The edit would change nothing in src/a.ts: old and new are the same.'],
  [{ kind: 'unchanged', file, by: 'write' }, '', 'src/a.ts has exactly this content already; nothing to write.'],
  [{ kind: 'unreadable_pdf', why: 'password' }, '', 'The PDF document is protected with a password. Ask the user for a copy without one.'],
  [{ kind: 'unreadable_pdf', why: 'memory' }, '', 'The PDF document takes too much memory to read. Read fewer pages with limit.'],
  [{ kind: 'unreadable_pdf', why: 'time', seconds: 30 }, '', 'The PDF document takes longer than 30 seconds to read. Read fewer pages with limit.'],
  [{ kind: 'unreadable_pdf', why: 'broken' }, 'no xref', 'The PDF document is broken: no xref'],
  [{ kind: 'unreadable_pdf', why: 'ended' }, '', 'The PDF document cannot be read: its reader ended.'],
  [
    { kind: 'search_setup', wrong: 'no_json' },
    '',
    'SearXNG does not answer with JSON. The user has to add "json" to search.formats in the server\'s settings.yml and restart it, or correct the setting gnomon.webSearch.searxngUrl.',
  ],
  [
    { kind: 'search_setup', wrong: 'no_server' },
    '',
    'No SearXNG server is set. The user has to set gnomon.webSearch.searxngUrl to its address without a name and password, such as http://localhost:8888.',
  ],
  [
    { kind: 'search_setup', wrong: 'bad_server' },
    '',
    'The address of the SearXNG server is invalid. The user has to set gnomon.webSearch.searxngUrl to its address without a name and password, such as http://localhost:8888.',
  ],
  [{ kind: 'search_setup', wrong: 'no_key' }, '', 'No API key is set for Brave Search. The user has to run “Gnomon: Set Brave Search API Key”.'],
  [{ kind: 'search_setup', wrong: 'bad_key' }, '', 'Brave Search rejected the API key. The user has to run “Gnomon: Set Brave Search API Key”.'],
  [
    { kind: 'search_unsupported', service: 'OpenAI', model: 'gpt' },
    'Not found.',
    'OpenAI did not search the web with the model gpt: Not found. The user can choose another model, enable web search for the account, or choose another search in the setting gnomon.webSearch.provider.',
  ],
  [{ kind: 'rate_limited', service: 'Brave Search', of: 'service' }, '', 'Brave Search is asked too often. Try again in a minute.'],
  [{ kind: 'rate_limited', service: 'Brave Search', of: 'service', seconds: 0 }, '', 'Brave Search is asked too often. Try again in 1 s.'],
  [{ kind: 'rate_limited', service: 'Anthropic', of: 'model' }, '', 'Anthropic is asked to search too often. Try again in a minute.'],
  [{ kind: 'no_pages' }, '', 'No pages were found. Search for other or fewer words.'],
  [
    { kind: 'invalid_arguments', tool: 'read', wrong: 'json' },
    'they end early',
    'The arguments of read cannot be read: they end early. Nothing was run. Send the call again.',
  ],
  [{ kind: 'invalid_arguments', tool: 'read', wrong: 'list' }, '', 'The arguments of read must be a JSON object, not a list; nothing was done.'],
  [
    { kind: 'invalid_arguments', tool: 'read', wrong: 'schema' },
    '- a: missing',
    'The arguments of read do not fit its schema; nothing was done.\n- a: missing',
  ],
  [{ kind: 'unknown_tool', tool: 'rename' }, 'read, write', 'There is no tool named “rename”. The tools are: read, write.'],
  [{ kind: 'agent_lacks_tool', agent: 'reviewer' }, 'read', 'The agent “reviewer” does not have this tool. The tools are: read.'],
  [{ kind: 'rejected', problem: 'The pattern is empty.' }, ' Give one.', 'The pattern is empty. Give one.'],
  [{ kind: 'failed' }, 'half of it', 'half of it'],
  [{ kind: 'exited', exitCode: 1, durationMs: 0 }, 'x\n[exit code 1 after 0.0 s]', 'x\n[exit code 1 after 0.0 s]'],
  [{ kind: 'killed', durationMs: 0 }, 'x\n[killed by SIGSEGV after 0.0 s]', 'x\n[killed by SIGSEGV after 0.0 s]'],
  [{ kind: 'timed_out', limitMs: 1_000 }, 'x', 'x'],
  [{ kind: 'crashed', tool: 'read', problem: 'EIO.' }, 'EIO. More.', 'The tool read failed: EIO. More.'],
  [
    { kind: 'unusable', problem: 'message.content: must hold at least one block' },
    '',
    'The tool returned something that cannot be used: message.content: must hold at least one block.',
  ],
  [{ kind: 'interrupted' }, '', 'Interrupted before it finished; not run again.'],
  [{ kind: 'not_run', why: 'length' }, '', 'Not executed: the answer reached its length limit before it was finished. Send the call again, in smaller parts.'],
  [{ kind: 'not_run', why: 'error' }, '', 'Not executed: the answer broke off.'],
  [{ kind: 'not_run', why: 'no_stop' }, '', 'Not executed: the answer did not stop for tool use. Send the call again if it is still needed.'],
  [{ kind: 'cancelled' }, '', 'Cancelled by the user.'],
  [{ kind: 'cancelled' }, 'It did not stop in time and may still be running.', 'Cancelled by the user. It did not stop in time and may still be running.'],
  [{ kind: 'cancelled', unstarted: true }, '', 'Not executed: the user stopped the answer.'],
  [{ kind: 'denied', denial: { kind: 'plan_mode' } }, '', 'Permission denied. Plan mode only reads; nothing may be changed or run. Nothing was done.'],
  [{ kind: 'denied', denial: { kind: 'user' } }, '', 'The user denied this call; nothing was done.'],
  [{ kind: 'denied', denial: { kind: 'user', said: 'Not now.' } }, '', 'The user denied this call; nothing was done. They said: Not now.'],
  [{ kind: 'denied', denial: { kind: 'told', reason: 'As of old.' } }, '', 'As of old.'],
];

describe('what models are told of an outcome', () => {
  it.each(SENTENCES)('is as it always was: %j', (outcome, detail, sentence) => {
    expect(forModel(outcome, detail)).toBe(sentence);
  });

  it('is known of every kind', () => {
    expect(new Set([...TOLD_BY_RESULT, ...SENTENCES.map(([{ kind }]) => kind)])).toEqual(new Set(OUTCOME_KINDS));
  });
});

describe('a refused call', () => {
  it('that is told as a text says to the user what is in its first sentence', () => {
    const problem = (told: string): unknown => new ToolInputError(told).outcome;
    expect(problem('The pattern is empty. Give one.')).toEqual({ kind: 'rejected', problem: 'The pattern is empty.' });
    expect(problem('ripgrep cannot search: regex parse error.\n  ( ')).toEqual({ kind: 'rejected', problem: 'ripgrep cannot search: regex parse error.' });
    expect(firstSentence('a.ts is a.b')).toBe('a.ts is a.b');
    expect(firstSentence(`${'x'.repeat(199)}😀`)).toBe(`${'x'.repeat(199)}…`);
  });

  it('names a file as the model knows it, in the text and in the outcome, wherever the name stands', () => {
    const named = new ToolInputError({ kind: 'ambiguous', file: '/ws/a$&.ts', found: 2 }, { detail: 'See /ws/a$&.ts.' }).renamed('/ws/a$&.ts', 'a$&.ts');
    expect(named.outcome).toEqual({ kind: 'ambiguous', file: 'a$&.ts', found: 2 });
    expect(named.message).toMatch(/ in a\$&\.ts;[^]*See a\$&\.ts\.$/);
    const text = new ToolInputError('/ws/x is on a read-only file system. Ask.', { cause: named }).renamed('/ws/x', 'x');
    expect(text).toMatchObject({ message: 'x is on a read-only file system. Ask.', outcome: { problem: 'x is on a read-only file system.' }, cause: named });
  });
});

describe('what only the model is to read of a result', () => {
  const shown = (lines: Parameters<typeof notedText>[0]): readonly string[] => {
    const { block, marks } = notedText(lines);
    return textsForUser([block], marks);
  };

  it('is left out with its line, wherever that is', () => {
    const note = { note: '[note]' };
    expect(shown([note, 'a', note, note, 'b', note, note])).toEqual(['a\nb']);
    expect(shown(['a', note, '', 'b'])).toEqual(['a\n\nb']);
    expect(shown([note, note])).toEqual([]);
    expect(shown([])).toEqual(['']);
    expect(notedText([note, 'a']).block.text).toBe('[note]\na');
  });

  it('stays left out behind what is put before it, and with what is put behind it', () => {
    const { block, marks } = notedText(['a', { note: '[note]' }]);
    const result = { content: [block], isError: false, outcome: { kind: 'done', ...marks } as const };
    const told = withNoteBehind(withNotesBefore(result, [{ type: 'text', text: 'The user changed it.' }]), '[Stop that.]');
    expect(told.content).toHaveLength(3);
    expect(textsForUser(told.content, told.outcome ?? {})).toEqual(['a']);
  });

  it('cannot be more than there is', () => {
    expect(
      textsForUser([{ type: 'text', text: 'abc' }], {
        notes: [
          { block: 0, from: 1, to: 99 },
          { block: 0, from: 0, to: 1 },
          { block: 7, from: 0, to: 9 },
        ],
      }),
    ).toEqual([]);
  });
});
