import { join } from 'node:path';
import { expect, it } from 'vitest';
import { CHAT_AUTHOR } from '../../../src/domain/workspace/change-author.js';
import type { ReviewEvent } from '../../../src/domain/workspace/changes.js';
import { Ledger } from '../../../src/edits/ledger.js';
import { LedgerStore } from '../../../src/edits/ledger-store.js';
import { textCodec } from '../../../src/edits/text-work.js';
import { blobFiles, Rig } from './rig.js';

const AGENT = { id: 'agent', name: 'general: Change two lines' };
const LINES = Array.from({ length: 9 }, (_, index) => `${index}\n`);

/** A ledger whose events are listened to. */
class Reviewed extends Rig {
  private readonly events: ReviewEvent[] = [];
  readonly ledger: Ledger;

  constructor() {
    super();
    const blobs = blobFiles();
    this.ledger = new Ledger({ store: new LedgerStore(join(this.storage, 'ledger'), blobs, blobs.log), files: this.files, codec: textCodec });
    this.ledger.onDidReview((event) => this.events.push(event));
  }

  async change(name: string, text: string | undefined, by = CHAT_AUTHOR): Promise<void> {
    const path = this.path(name);
    const before = await this.files.look(path);
    this.write(name, text);
    await this.ledger.changed('s', [{ path, before, after: await this.files.look(path) }], by);
  }

  /** What was told since the last time. */
  told(): readonly unknown[] {
    return this.events.splice(0).map((event) => {
      if (event.type === 'changed') return ['changed', event.pending];
      return event.type === 'decided' ? [event.kept, event.edited, event.undone, event.pending] : event;
    });
  }
}

/** Nine lines, some of them other ones. */
function withChanged(...lines: readonly number[]): string {
  return LINES.map((line, index) => (lines.includes(index) ? `new ${line}` : line)).join('');
}

it('tells how many hunks the user has kept, kept after they had changed them, and undone', async () => {
  const rig = new Reviewed();
  rig.write('a', withChanged());
  await rig.change('a', withChanged(0, 2, 4, 6));
  expect(rig.told()).toEqual([['changed', 4]]);
  await rig.ledger.keep(rig.path('a'), ({ index }) => index === 0);
  await rig.ledger.undo(rig.path('a'), ({ line }) => line === 2);
  expect(rig.told()).toEqual([
    [1, 0, 0, 3],
    [0, 0, 1, 2],
  ]);
  // The user changes one of those that are left: it can be kept, and not be undone.
  rig.write('a', withChanged(0, 4, 6).replace('new 4', 'mine 4'));
  await rig.ledger.refresh(rig.path('a'));
  await rig.ledger.undo(rig.path('a'));
  expect(rig.told()).toEqual([[0, 0, 1, 1]]);
  await rig.ledger.undo(rig.path('a'));
  expect(rig.told()).toEqual([]);
  await Promise.all([rig.ledger.keep(rig.path('a')), rig.ledger.keep(rig.path('a'))]);
  expect(rig.told()).toEqual([[0, 1, 0, 0]]);
});

it('tells nothing where nothing was decided: what the user takes back by hand, what is refused, and what is restored', async () => {
  const rig = new Reviewed();
  rig.write('a', withChanged());
  await rig.change('a', withChanged(1));
  rig.write('a', withChanged());
  await rig.ledger.refresh(rig.path('a'));
  await rig.change('gone', 'x\n');
  rig.write('gone', undefined);
  await rig.ledger.undo(rig.path('gone'));
  await rig.change('b', 'x\n');
  await rig.ledger.restored([rig.path('b')], { sessionId: 's', messageIndex: 2 });
  await rig.ledger.restored([]);
  expect(rig.told()).toEqual([['changed', 1], ['changed', 1], ['changed', 1], { type: 'restored', sessionId: 's', messageIndex: 2 }]);
});

it('counts a file as one hunk that can only be kept or undone as a whole, and nothing of agents that work for the chat', async () => {
  const rig = new Reviewed();
  rig.write('whole', 'x\n');
  await rig.change('whole', undefined);
  await rig.ledger.undo(rig.path('whole'));
  expect(rig.told()).toEqual([
    ['changed', 1],
    [0, 0, 1, 0],
  ]);
  rig.write('a', withChanged());
  await rig.change('a', withChanged(1));
  await rig.change('a', withChanged(1, 7), AGENT);
  await rig.ledger.keep(rig.path('a'), { author: AGENT.id });
  expect(rig.told()).toEqual([
    ['changed', 1],
    ['changed', 1],
  ]);
  await rig.ledger.undoAll();
  expect(rig.told()).toEqual([[0, 0, 1, 0]]);
});
