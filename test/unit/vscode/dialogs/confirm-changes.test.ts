import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { FileTexts } from '../../../../src/domain/host/dialogs.js';
import { eventually } from '../../../support/eventually.js';

interface Address {
  readonly scheme: string;
  readonly authority: string;
  readonly path: string;
  readonly query: string;
}

/** What its name leads to, and its two sides. */
type Row = readonly [Address, Address | undefined, Address | undefined];

interface Tab {
  readonly label: string;
  readonly rows: readonly Row[];
  readonly input: unknown;
}

interface Events {
  readonly opened: readonly Tab[];
  readonly closed: readonly Tab[];
}

const KEY = 'gnomon.changesToApply';

/** A window with as much of it as comparisons need. */
const window = vi.hoisted(() => {
  /** What VS Code says of a file in a tab that compares several. */
  class Diff {
    constructor(
      readonly original: Address,
      readonly modified: Address,
    ) {}
  }
  const it = {
    Diff,
    tabs: [] as Tab[],
    active: undefined as Tab | undefined,
    /** What the user answers to dialogs and messages, in turn. */
    answers: [] as (string | undefined)[],
    said: [] as string[],
    ran: [] as string[],
    context: new Map<unknown, unknown>(),
    /** What opening a comparison waits for. */
    opening: Promise.resolve(),
    hears: [] as ((events: Events) => void)[],
    read: (_: Address): string => '',
    add(label: string, rows: readonly Row[], input: unknown): Tab {
      const tab = { label, rows, input };
      it.tabs.push(tab);
      it.active = tab;
      for (const hear of it.hears) hear({ opened: [tab], closed: [] });
      return tab;
    },
    /** Only files that are there on both sides are said. */
    compare(label: string, rows: readonly Row[]): Tab {
      return it.add(label, rows, { textDiffs: rows.flatMap(([, before, after]) => (before && after ? [new Diff(before, after)] : [])) });
    },
    async close(closed: readonly Tab[]): Promise<void> {
      it.tabs = it.tabs.filter((tab) => !closed.includes(tab));
      if (it.active !== undefined && closed.includes(it.active)) it.active = it.tabs.at(-1);
      if (closed.length > 0) for (const hear of it.hears) hear({ opened: [], closed });
      await Promise.resolve();
    },
    /** Makes a tab the active one. */
    look(tab: Tab | undefined): void {
      it.active = tab;
      for (const hear of it.hears) hear({ opened: [], closed: [] });
    },
  };
  return it;
});

vi.mock('vscode', () => ({
  Uri: { from: (parts: Address) => parts },
  TabInputTextDiff: window.Diff,
  workspace: {
    registerTextDocumentContentProvider: (_: string, provider: { provideTextDocumentContent: (address: Address) => string }) =>
      void (window.read = (address) => provider.provideTextDocumentContent(address)),
  },
  commands: {
    executeCommand: async (id: string, ...args: readonly unknown[]) => {
      if (id === 'setContext') return void window.context.set(args[0], args[1]);
      window.ran.push(id);
      if (id !== 'vscode.changes') return undefined;
      await window.opening;
      const [title, rows] = args as [string, readonly Row[]];
      return void window.compare(`${title} (${rows.length} files)`, rows);
    },
  },
  window: {
    showInformationMessage: (text: string) => {
      window.said.push(text);
      return Promise.resolve(window.answers.shift());
    },
    tabGroups: {
      get all() {
        return [{ tabs: window.tabs }];
      },
      get activeTabGroup() {
        return { activeTab: window.active };
      },
      onDidChangeTabs: (hear: (events: Events) => void) => void window.hears.push(hear),
      onDidChangeTabGroups: () => {},
      close: (tabs: readonly Tab[]) => window.close(tabs),
    },
  },
}));

const { answerShownChanges, confirmChanges } = await import('../../../../src/vscode/dialogs/confirm-changes.js');
const { showComparison } = await import('../../../../src/vscode/dialogs/comparison.js');

const TITLE = 'Apply Changes of general: X';
const EDITED: FileTexts = { path: 'a.txt', before: 'a', after: 'b' };
const MADE: FileTexts = { path: 'made.txt', after: 'made' };

beforeEach(() => Object.assign(window, { tabs: [], active: undefined, answers: [], said: [], ran: [], opening: Promise.resolve() }));

interface Asked {
  readonly tab: Tab;
  /** What was answered so far. */
  readonly answer: () => boolean | undefined;
}

/** Asks, as a user who wants to see the changes. */
function ask(files: readonly FileTexts[] = [EDITED], title = TITLE): () => boolean | undefined {
  let answer: boolean | undefined;
  window.answers.unshift('Show Changes');
  void confirmChanges({ text: 'Apply?', detail: 'a.txt', yes: 'Apply', title, files }).then((came) => (answer = came));
  return () => answer;
}

async function asked(...args: Parameters<typeof ask>): Promise<Asked> {
  const before = new Set(window.tabs);
  const answer = ask(...args);
  const tab = await eventually(() => {
    const found = window.tabs.find((each) => !before.has(each));
    expect([found === undefined, window.context.get(KEY)]).toEqual([false, true]);
    return found;
  });
  if (tab === undefined) throw new Error('There is no comparison.');
  return { tab, answer };
}

const textsOf = ({ rows }: Tab): readonly (readonly (string | undefined)[])[] => rows.map(([, ...sides]) => sides.map((side) => side && window.read(side)));

/** The names of files as they are shown, where they were and are. */
const namesOf = ({ rows }: Tab): readonly (readonly (string | undefined)[])[] => rows.map(([, ...sides]) => sides.map((side) => side?.path));

const apply = (): void => answerShownChanges('gnomon.applyShownChanges');
const dismiss = (): void => answerShownChanges('gnomon.dismissShownChanges');

describe.each([
  ['a file that is edited', [EDITED, MADE]],
  ['new files only', [MADE]],
])('a question about %s', (_, files) => {
  it('is about its own tab: one that was there before, of whatever title, has no buttons, and stays', async () => {
    const old = { scheme: 'gnomon-compared', authority: 'of another window', path: '/a.txt', query: 'after-0' };
    const others = [
      window.compare(`${TITLE} (1 file)`, [[old, old, old]]),
      window.compare(`${TITLE} (1 file)`, []),
      window.compare(`${TITLE} (old) (1 file)`, []),
    ];
    const document = window.add(`${TITLE} (draft).md`, [], {});
    const { tab, answer } = await asked(files);
    for (const other of [...others, document]) {
      window.look(other);
      expect(window.context.get(KEY)).toBe(false);
      apply();
    }
    await window.close([others[0] ?? tab]);
    expect(answer()).toBeUndefined();
    window.look(tab);
    expect(window.context.get(KEY)).toBe(true);
    apply();
    await eventually(() => expect(answer()).toBe(true));
    expect([window.tabs.includes(tab), window.tabs.includes(document), others.slice(1).every((each) => window.tabs.includes(each))]).toEqual([
      false,
      true,
      true,
    ]);
    expect([window.context.get(KEY), window.said]).toEqual([false, ['Apply?']]);
  });

  it('says that nothing was applied when it is closed without an answer, and asks again where the user wants that', async () => {
    const first = await asked(files);
    window.answers.push('Show Changes');
    await window.close([first.tab]);
    const second = await eventually(() => {
      expect(window.tabs).toHaveLength(1);
      return window.tabs[0];
    });
    expect([window.said, second && textsOf(second)]).toEqual([['Apply?', 'Nothing was applied.'], files.map(({ before, after }) => [before, after])]);
    await eventually(() => expect(window.context.get(KEY)).toBe(true));
    await window.close(window.tabs);
    await eventually(() => expect(first.answer()).toBe(false));
    expect(window.said).toEqual(['Apply?', 'Nothing was applied.', 'Nothing was applied.']);
  });

  it('ends when its tab is closed while it is still being shown', async () => {
    const closeAtOnce = ({ opened }: Events): void => {
      if (opened.length === 0) return;
      window.hears.pop();
      void window.close(opened);
    };
    window.hears.push(closeAtOnce);
    const answer = ask(files);
    await eventually(() => expect(answer()).toBe(false));
    expect(window.said).toEqual(['Apply?', 'Nothing was applied.']);
  });

  it('has no part in another one of the same title that comes while it is still being shown', async () => {
    let open = (): void => {};
    window.opening = new Promise((resolve) => (open = resolve));
    const answers = [ask(files), ask(files)];
    open();
    await eventually(() => expect([window.tabs.length, window.context.get(KEY)]).toEqual([2, true]));
    const [first] = window.tabs;
    dismiss();
    await eventually(() => expect([answers.map((answer) => answer()), window.tabs]).toEqual([[undefined, false], [first]]));
    apply();
    await eventually(() => expect([answers.map((answer) => answer()), window.tabs]).toEqual([[true, false], []]));
  });
});

describe('a comparison', () => {
  it('about which the user is asked stays open, and has its texts until they have answered, however many others are shown', async () => {
    const { tab, answer } = await asked();
    expect(window.ran).toEqual(['vscode.changes', 'workbench.action.keepEditor']);
    for (let count = 0; count < 5; count += 1) await showComparison(`Changes in the Worktree ${count}`, [EDITED]);
    expect(window.tabs.map(textsOf)).toEqual([[['a', 'b']], [['', '']], [['', '']], [['a', 'b']], [['a', 'b']], [['a', 'b']]]);
    window.look(tab);
    dismiss();
    await eventually(() => expect(answer()).toBe(false));
    expect(textsOf(tab)).toEqual([['', '']]);
  });

  it('shows both names of a file that is moved, and of one that is deleted no text that it would have', async () => {
    await showComparison('c', [
      { path: 'b.txt', from: 'a.txt', before: 'a', after: 'a' },
      { path: 'gone.txt', before: 'gone' },
    ]);
    const [tab] = window.tabs;
    expect(tab && [namesOf(tab), textsOf(tab)]).toEqual([
      [
        ['/a.txt', '/b.txt'],
        ['/gone.txt', undefined],
      ],
      [
        ['a', 'a'],
        ['gone', undefined],
      ],
    ]);
  });

  it('shows what is hidden in names, and keeps the texts of files apart whose names look the same', async () => {
    const names = ['a.ipynb', 'a.ipynb.txt', 'x\u202Etxt.sh', 'x\\u{202e}txt.sh', 'y\nz'];
    await showComparison(
      'c',
      names.map((path, index) => ({ path, after: `${index}` })),
    );
    const [tab] = window.tabs;
    expect(tab && namesOf(tab).map(([, after]) => after)).toEqual(['/a.ipynb.txt', '/a.ipynb.txt', '/x\\u{202e}txt.sh', '/x\\u{202e}txt.sh', '/y\\u{a}z']);
    expect(tab && textsOf(tab).map(([, after]) => after)).toEqual(['0', '1', '2', '3', '4']);
  });
});
