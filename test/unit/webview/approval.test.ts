import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MAX_RULE_LENGTH, MAX_RULES } from '../../../src/protocol/limits.js';
import { validatePanelMessage } from '../../../src/protocol/validate-panel-message.js';
import type { DiffPreview } from '../../../src/domain/tool/tool.js';
import type { ViewApproval, ViewBlock, ViewPreview } from '../../../src/protocol/view-state.js';
import { askedText, questionOf, wholeText, worstOf } from '../../../webview/state/approval/approval-text.js';
import { type PromptBox, allSeen, someOutOfSight, withReport } from '../../../webview/state/window/ends-seen.js';
import { tellsWhy } from '../../../webview/state/labels.js';
import { editsTogether, toBeRead } from '../../../webview/state/approval/edits-together.js';
import { rulesPhrase, shownRule } from '../../../webview/state/approval/rule-phrase.js';
import { editableProposal, rulesOf, rulesProblem, SCOPES } from '../../../webview/state/approval/rule-lines.js';

const command = (text: string, cwd = '/w'): ViewPreview => ({ kind: 'command', command: text, cwd, timeoutMs: 1 });

describe('what a prompt asks about', () => {
  test.each<[ViewPreview | undefined, string]>([
    [command('ls'), 'Run this command?'],
    [{ kind: 'diff', path: '/w/src/a', diff: '', created: true }, 'Create src/a\\u202E?'],
    [{ kind: 'diff', path: '/w/src/a', diff: '', created: false }, 'Edit src/a\\u202E?'],
    [{ kind: 'diff', path: '/w/src/a', diff: '-a', created: false, deleted: true }, 'Delete src/a\\u202E?'],
    [{ kind: 'diff', path: '/w/b\u202E', from: '/w/a\u202E', diff: '', created: false }, 'Move /w/a\\u202E to /w/b\\u202E?'],
    [{ kind: 'url', url: 'https://a.test' }, 'Fetch this URL?'],
    [{ kind: 'input', input: '{}' }, 'Allow task?'],
    [undefined, 'Allow task?'],
  ])('%j: %s', (preview, question) => {
    expect(questionOf({ name: 'task', subject: 'src/a\u202E', ...(preview === undefined ? {} : { preview }) }, 0)).toBe(question);
  });

  test('what is announced names the agent that asks', () => {
    expect(askedText('Run ls?', undefined)).toBe('Permission required: Run ls?');
    expect(askedText('Run ls?', 'explore: Look\u202E')).toBe('Permission required by the agent “explore: Look\\u202E”: Run ls?');
  });

  test('a move names both ends as they are seen from the workspace, and says whether the text changes too', () => {
    const move = (diff: string): string =>
      questionOf(
        {
          name: 'apply_patch',
          subject: 'a.ts → lib/b.ts',
          topic: { action: 'move', what: 'a.ts', where: 'lib/b.ts' },
          preview: { kind: 'diff', path: '/w/lib/b.ts', from: '/w/a.ts', diff, created: false },
        },
        0,
      );
    expect([move(''), move('@@ -1 +1 @@\n-a\n+b\n')]).toEqual(['Move a.ts to lib/b.ts?', 'Move a.ts to lib/b.ts and edit it?']);
    const unread = { name: 'apply_patch', subject: '.env → b', topic: { action: 'move', what: '.env', where: 'b' } };
    expect(questionOf(unread, 0)).toBe('Read .env to change it?');
  });

  test('an edit whose file may not be read yet asks for that', () => {
    expect(['edit', 'apply_patch'].map((name) => questionOf({ name, subject: '.env' }, 0))).toEqual(['Read .env to change it?', 'Read .env to change it?']);
  });

  test.each([
    ['read', 'Read /etc/hostname?'],
    ['list', 'List /etc/hostname?'],
  ])('%s asks about what it reads', (name, question) => {
    expect(questionOf({ name, subject: '/etc/hostname' }, 0)).toBe(question);
  });

  test('a line of several commands says how many', () => {
    expect(
      ['mcp__issues__list_issues', 'ext__acme__count', 'task'].map((name) =>
        questionOf({ name, subject: '{}', preview: { kind: 'input', input: '{}', title: 'Harmless' } }, 0),
      ),
    ).toEqual(['Use list_issues (issues)?', 'Use count (acme)?', 'Allow task?']);
    expect(questionOf({ name: 'bash', subject: 'ls', preview: command('ls; ls') }, 2)).toBe('Run 2 commands?');
  });

  test('the worst of a line is the first that is dangerous, else the first that wants caution', () => {
    const caution = { part: 0, level: 'caution', text: 'installs from the network' } as const;
    const danger = { part: 1, level: 'danger', text: 'deletes outside the workspace' } as const;
    expect(worstOf([caution, danger])).toBe(danger);
    expect(worstOf([caution])).toBe(caution);
    expect(worstOf([])).toBeUndefined();
  });

  test('cmd-36 its text holds all that is shown, so that nothing hidden in it is missed', () => {
    const hidden = '\u202E';
    for (const preview of [
      command(hidden),
      command('', hidden),
      { kind: 'diff', path: '', from: hidden, diff: '', created: false },
      { kind: 'diff', path: hidden, diff: '', created: false },
      { kind: 'diff', path: '', diff: hidden, created: false },
      { kind: 'url', url: hidden },
      { kind: 'input', input: hidden },
    ] as const) {
      expect(wholeText({ subject: '', preview })).toContain(hidden);
    }
    expect(wholeText({ subject: hidden })).toContain(hidden);
  });

  test('line ends of a file alone are nothing hidden', () => {
    expect(wholeText({ subject: 'a', preview: { kind: 'diff', path: 'a', diff: '+x\r\n+y\r\n', created: false } })).not.toContain('\r');
  });

  test('another command is another question', () => {
    expect(wholeText({ subject: 's', preview: command('a') })).not.toBe(wholeText({ subject: 's', preview: command('b') }));
  });
});

describe('what one press remembers', () => {
  test.each<[readonly string[], string | undefined]>([
    [['Bash(npm test)'], 'npm test'],
    [['Bash(npm test:*)', 'Bash(ls:*)'], 'npm test …, ls …'],
    [['Edit(src/**)'], 'editing and deleting in src/'],
    [['Edit(src/a.ts)'], 'editing and deleting src/a.ts'],
    [['Read(~/notes/**)'], 'reading in ~/notes/'],
    [['Read(//etc/hostname)'], 'reading /etc/hostname'],
    [['Read(//etc/**)'], 'reading in /etc/'],
    [['Edit(//srv/a.ts)'], 'editing and deleting /srv/a.ts'],
    [['Read(//C:/data/a)'], 'reading C:/data/a'],
    [['WebFetch(domain:example.com)'], 'fetching from example.com'],
    [['WebSearch'], 'web searches'],
    [['mcp__db__query'], 'mcp__db__query'],
    [['Bash(x'.padEnd(80, 'x') + ')'], undefined],
    [[], undefined],
  ])('%j: %s', (rules, phrase) => {
    expect(rulesPhrase(rules)).toBe(phrase);
  });

  test('no rule is listed with two slashes', () => {
    expect(['Read(//etc/hostname)', 'Read(//etc/**)', 'Read(/a)', 'Bash(npm test:*)'].map(shownRule)).toEqual([
      'reading /etc/hostname',
      'reading in /etc/',
      'Read(/a)',
      'Bash(npm test:*)',
    ]);
  });
});

describe('edits that ask at once', () => {
  const edit = (id: string, approval: Partial<ViewApproval> = {}, status: 'awaiting_approval' | 'pending' = 'awaiting_approval'): ViewBlock => ({
    type: 'tool',
    call: {
      id,
      name: 'edit',
      subject: id,
      status,
      output: '',
      preview: { kind: 'diff', path: id, diff: '', created: false },
      approval: { reasons: [], ...approval },
    },
  });
  const text: ViewBlock = { type: 'text', text: 'and' };
  const bash: ViewBlock = {
    type: 'tool',
    call: { id: 'c', name: 'bash', subject: 'ls', status: 'awaiting_approval', output: '', preview: command('ls'), approval: { reasons: [] } },
  };

  test('are listed below the last of them', () => {
    const together = editsTogether([edit('a'), text, edit('b'), edit('c', {}, 'pending')]);
    expect([together?.at, together?.edits.map(({ path }) => path)]).toEqual([2, ['a', 'b']]);
  });

  test('one alone is not, nor what is no edit', () => {
    expect(editsTogether([edit('a'), bash])).toBeUndefined();
  });

  test('E-21: those of several agents are not, nor one of an agent beside one of the chat', () => {
    const of = (path: string, maker?: string): ViewBlock => {
      const block = edit(path);
      if (block.type !== 'tool') throw new Error('An edit is a call.');
      return maker === undefined ? block : { ...block, call: { ...block.call, by: 'general: A', maker } };
    };
    expect(editsTogether([of('a', '1'), of('b', '2')])).toBeUndefined();
    expect(editsTogether([of('a'), of('b', '2')])).toBeUndefined();
    expect(editsTogether([of('a', '1'), of('b', '1')])?.edits).toHaveLength(2);
  });

  test('what deletes or moves a file is not: its name and its lines do not say so', () => {
    const removal = (preview: Partial<DiffPreview>): ViewBlock => {
      const block = edit('b');
      if (block.type !== 'tool') throw new Error('An edit is a call.');
      return { ...block, call: { ...block.call, preview: { kind: 'diff', path: 'b', diff: '', created: false, ...preview } } };
    };
    expect(editsTogether([edit('a'), removal({ deleted: true })])).toBeUndefined();
    expect(editsTogether([edit('a'), removal({ from: 'c' })])).toBeUndefined();
    expect(editsTogether([edit('a'), removal({ from: 'c' }), edit('d')])?.edits.map(({ path }) => path)).toEqual(['a', 'd']);
  });

  test.each<[string, Partial<ViewApproval>]>([
    ['the user changed it', { changed: true }],
    ['its last answer could not be followed', { problem: 'No.' }],
    ['there is more to be said about it', { reasons: ['It is outside of the workspace.'] }],
  ])('one is read alone when %s', (_why, approval) => {
    expect(editsTogether([edit('a'), edit('b', approval)])).toBeUndefined();
  });

  test('cmd-36 one is read alone when something in it is hidden', () => {
    expect(editsTogether([edit('a'), edit('b\u202E')])).toBeUndefined();
  });

  test('what does not fit by itself has to be read, and all when it is much together', () => {
    expect(toBeRead([3, 20, 21], 20)).toEqual([false, false, true]);
    expect(toBeRead([25, 25], 30)).toEqual([false, false]);
    expect(toBeRead([25, 26], 30)).toEqual([true, true]);
  });
});

describe('cmd-35 whether everything was on screen to its end', () => {
  const both: readonly PromptBox[] = ['subject', 'parts'];

  test('what has said nothing yet was not, and is not said to be out of sight', () => {
    expect(allSeen({}, both)).toBe(false);
    expect(someOutOfSight({}, both)).toBe(false);
  });

  test('one that was stays so when it is scrolled back', () => {
    const ends = withReport(withReport(withReport({}, 'subject', false), 'subject', true), 'subject', false);
    expect(allSeen(ends, ['subject'])).toBe(true);
    expect(someOutOfSight(ends, ['subject'])).toBe(false);
  });

  test('every box counts, whatever the order', () => {
    const report = fc.record({ box: fc.constantFrom(...both), seen: fc.boolean() });
    fc.assert(
      fc.property(fc.array(report, { maxLength: 12 }), (reports) => {
        const ends = reports.reduce((before, { box, seen }) => withReport(before, box, seen), {});
        const wasSeen = (box: PromptBox): boolean => reports.some((each) => each.box === box && each.seen);
        expect(allSeen(ends, both)).toBe(both.every(wasSeen));
        expect(someOutOfSight(ends, both)).toBe(both.some((box) => !wasSeen(box) && reports.some((each) => each.box === box)));
      }),
    );
  });
});

describe('rules as lines', () => {
  test('empty lines and repetitions are dropped, the order stays', () => {
    expect(rulesOf('Bash(ls:*)\r\n\n  Edit(src/**)  \nBash(ls:*)\r')).toEqual(['Bash(ls:*)', 'Edit(src/**)']);
    expect(rulesOf(' \n\t\n')).toEqual([]);
  });

  test('a rule with a line break is left out: as lines it would be other rules', () => {
    const proposal = ['Bash(ls:*)', 'Bash(a)\nBash(rm:*)\nBash(b)', 'Bash(c)\rBash(rm:*)'];
    expect(editableProposal(proposal)).toEqual({ text: 'Bash(ls:*)', leftOut: 2 });
  });

  test('what is read back from a proposal was proposed', () => {
    const part = fc.constantFrom('Bash(', 'rm:*', ')', '\n', '\r', ' ', 'a', '\u2028');
    const rule = fc.array(part, { maxLength: 6 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(fc.array(rule, { maxLength: 6 }), (proposal) => {
        const trimmed = proposal.map((each) => each.trim());
        for (const each of rulesOf(editableProposal(proposal).text)) expect(trimmed).toContain(each);
      }),
    );
  });

  test.each<[readonly string[], RegExp]>([
    [[], /at least one/],
    [Array.from({ length: MAX_RULES + 1 }, (_, index) => `Bash(${index})`), /^You entered 51 rules\. You can add up to 50/],
    [['x'.repeat(MAX_RULE_LENGTH + 1)], /longer than 2,000 characters/],
    [['Bash(ls:*)'], /^$/],
  ])('%#: what the host would not take is said before it is sent', (rules, problem) => {
    expect(rulesProblem(rules)).toMatch(problem);
  });

  test('everything without a problem is a message that the host takes', () => {
    const line = fc.string({ unit: fc.constantFrom('a', ' ', '\n', '(', '\u202E'), maxLength: 30 });
    fc.assert(
      fc.property(fc.array(line, { maxLength: 60 }), fc.constantFrom(...SCOPES), (lines, { id: scope }) => {
        const rules = rulesOf(lines.join('\n'));
        const message = { type: 'answer_approval', callId: 'c', answer: 'always', rules, scope };
        if (rulesProblem(rules) === '') expect(validatePanelMessage(message)).toEqual(message);
      }),
    );
  });
});

test('what allowed a call is told once it has ended', () => {
  expect(tellsWhy({ name: 'bash', status: 'done', why: 'the rule' })).toBe(true);
  expect(tellsWhy({ name: 'bash', status: 'failed', why: 'the rule' })).toBe(true);
  expect(tellsWhy({ name: 'bash', status: 'running', why: 'the rule' })).toBe(false);
  expect(tellsWhy({ name: 'bash', status: 'done' })).toBe(false);
});
