import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { commandsFor } from '../../../webview/state/composer/commands.js';
import { inFront, storedDraft, textSince } from '../../../webview/state/composer/draft.js';
import { mentionChips, resourcesIn, withoutMention } from '../../../webview/state/composer/mention-chips.js';
import { SaidBefore } from '../../../webview/state/composer/said-before.js';

const end = (text: string) => ({ start: text.length, end: text.length });

describe('going back through what was said', () => {
  test('back and forward, to what was being written', () => {
    const said = new SaidBefore();
    said.begin(['one', 'two'], 'draft');
    expect([said.back(), said.back(), said.back()]).toEqual(['two', 'one', undefined]);
    expect([said.forward(), said.forward(), said.forward()]).toEqual(['two', 'draft', undefined]);
  });

  test('an arrow up is meant for it in an empty text, at its very start, and in a text that was just found', () => {
    const said = new SaidBefore();
    expect(said.goesBack('', end(''))).toBe(true);
    expect(said.goesBack('ab', { start: 0, end: 0 })).toBe(true);
    expect(said.goesBack('ab', end('ab'))).toBe(false);
    expect(said.goesBack('ab', { start: 0, end: 2 })).toBe(false);
    said.begin(['one\nmore'], '');
    said.back();
    expect(said.goesBack('one\nmore', end('one\nmore'))).toBe(false);
    expect(said.goesBack('one\nmore', { start: 2, end: 2 })).toBe(true);
    expect(said.goesForward('one\nmore', { start: 2, end: 2 })).toBe(false);
    expect(said.goesForward('one\nmore', end('one\nmore'))).toBe(true);
    expect(said.goesForward('one\nmore!', end('one\nmore!'))).toBe(false);
  });

  test('what was being written comes back when something said before is sent', () => {
    const said = new SaidBefore();
    said.begin(['one'], 'draft');
    said.back();
    expect(said.sent()).toBe('draft');
    expect(said.sent()).toBe('');
  });

  test('nothing that was being written is lost, however one goes', () => {
    const step = fc.constantFrom('back' as const, 'forward' as const, 'type' as const);
    fc.assert(
      fc.property(fc.uniqueArray(fc.string({ minLength: 1 })), fc.array(step, { maxLength: 15 }), (texts, steps) => {
        const said = new SaidBefore();
        const written = new Set<string>();
        let text = 'the draft';
        const back = (): string | undefined => {
          if (said.needsEntries(text)) {
            written.add(text);
            said.begin(texts, text);
          }
          return said.back();
        };
        for (const each of steps) {
          if (each === 'type') text = `typed ${written.size} ${text}`;
          else if (each === 'back') text = back() ?? text;
          else if (said.goesForward(text, end(text))) text = said.forward() ?? text;
        }
        const reached = new Set([text]);
        for (let more = back(); more !== undefined; more = back()) reached.add((text = more));
        for (let more = said.forward(); more !== undefined; more = said.forward()) reached.add(more);
        // What was gone on with is still there in what became of it.
        for (const draft of written) expect([...reached].some((each) => each.includes(draft))).toBe(true);
      }),
    );
  });
});

describe('the draft that the page keeps', () => {
  test.each([
    [undefined, { session: '', text: '', at: 0 }],
    [{ draft: 'a' }, { session: '', text: 'a', at: 0 }],
    [
      { draft: 'a', draftSession: 's', draftAt: 5 },
      { session: 's', text: 'a', at: 5 },
    ],
    [
      { draft: 1, draftSession: 's' },
      { session: '', text: '', at: 0 },
    ],
    [
      { draft: 'a', draftSession: {}, draftAt: -1 },
      { session: '', text: 'a', at: 0 },
    ],
  ])('%j', (stored, draft) => {
    expect(storedDraft(stored)).toEqual(draft);
  });

  test('what was written since is the rest, or all of another text', () => {
    expect([textSince('abc', 'a'), textSince('abc', ''), textSince('xyz', 'a')]).toEqual(['bc', 'abc', 'xyz']);
  });

  test('a message that comes back stands in front of what is written', () => {
    expect(inFront('back', '')).toBe('back');
    expect(inFront('back', 'new')).toBe('back\n\nnew');
    expect(inFront('back', 'back')).toBe('back');
  });
});

test('commands that a text may become', () => {
  const commands = ['/clear', '/compact'].map((name) => ({ name, hint: '', description: '' }));
  const names = (text: string): readonly string[] => commandsFor(text, commands).map(({ name }) => name);
  expect([names('/'), names('/co'), names('/compact'), names('x'), names('')]).toEqual([['/clear', '/compact'], ['/compact'], [], [], []]);
});

test('prompts of servers are found by their own names, too, behind what begins as it is typed', () => {
  const commands = [
    { name: '/review', hint: '', description: '' },
    { name: '/github:Review', hint: '', description: '', prompt: true },
    { name: '/docs:sum', hint: '', description: '', prompt: true },
  ];
  const names = (text: string): readonly string[] => commandsFor(text, commands).map(({ name }) => name);
  expect([names('/re'), names('/GIT'), names('/sum'), names('/github:Review'), names('/')]).toEqual([
    ['/review', '/github:Review'],
    ['/github:Review'],
    ['/docs:sum'],
    [],
    ['/review', '/github:Review', '/docs:sum'],
  ]);
});

describe('mentions above the text', () => {
  const text = 'Fix @github:issue://7, (@github:"note://a b") like @src/a.ts and @stranger:x.y:z';

  test('what can be a resource is for the host to say', () => {
    expect(resourcesIn(text)).toEqual(['@github:issue://7', '@github:"note://a b"', '@stranger:x.y:z']);
    expect(resourcesIn('@https://example.com @problems:src/a.ts ada@github:issue://7')).toEqual([]);
  });

  test('a resource has the name that the host gave; what is none is what it was', () => {
    const names = new Map([
      ['@github:issue://7', 'github: It crashes'],
      ['@github:"note://a b"', 'github: Note'],
      ['@stranger:x.y:z', ''],
    ]);
    expect(mentionChips(text, names).map(({ kind, name }) => [kind, name])).toEqual([
      ['resource', 'github: It crashes'],
      ['resource', 'github: Note'],
      ['file', 'a.ts'],
      ['file', 'stranger:x.y:z'],
    ]);
    const [first] = mentionChips(text, names);
    expect(first === undefined ? '' : withoutMention(text, first)).toBe('Fix , (@github:"note://a b") like @src/a.ts and @stranger:x.y:z');
  });

  test('a file in quotation marks is one, whatever it is called', () => {
    expect(mentionChips('@"github:issue://7"', new Map([['@"github:issue://7"', 'x']]))).toMatchObject([{ kind: 'file' }]);
  });
});
