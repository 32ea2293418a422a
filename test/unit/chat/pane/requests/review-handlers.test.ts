import { describe, expect, it } from 'vitest';
import type { ChatPane } from '../../../../../src/chat/pane/chat-pane.js';
import type { Panel } from '../../../../../src/chat/pane/panel.js';
import type { ReviewActions } from '../../../../../src/chat/ports.js';
import { reviewHandlers } from '../../../../../src/chat/pane/requests/review-handlers.js';

/** A pane with one conversation, and restores that end as the test says. */
function rig(options: { readonly busy?: boolean; readonly done?: boolean; readonly meanwhile?: (pane: { current: unknown }) => void } = {}) {
  const said: string[] = [];
  const current = { id: 's', busy: options.busy === true, view: { state: { changes: [] } } };
  const pane = { current, rewind: (index: number) => Promise.resolve(void said.push(`rewind ${index}`)) };
  const actions = {
    restore: (id: string, index: number) => {
      said.push(`restore ${id} ${index}`);
      options.meanwhile?.(pane);
      return Promise.resolve(options.done !== false);
    },
  };
  const handlers = reviewHandlers(pane as unknown as ChatPane, actions as unknown as ReviewActions);
  const restore = (item: string, rewind: boolean): unknown => handlers.restore_files({ type: 'restore_files', item, rewind }, {} as unknown as Panel);
  return { said, pane, restore };
}

describe('restoring files from a message', () => {
  it('C-8: files alone, or files and conversation', async () => {
    const { said, restore } = rig();
    await restore('u4', false);
    await restore('u2', true);
    expect(said).toEqual(['restore s 4', 'restore s 2', 'rewind 2']);
  });

  it('C-8: nothing is rewound when the person called the restore off, nor for what is no message of theirs', async () => {
    const { said, restore } = rig({ done: false });
    await restore('u4', true);
    await restore('a4', true);
    expect(said).toEqual(['restore s 4']);
  });

  it('C-8: nothing is rewound when another conversation is shown by then', async () => {
    const { said, restore } = rig({
      meanwhile: (pane) => {
        pane.current = { id: 'other', busy: false };
      },
    });
    await restore('u4', true);
    expect(said).toEqual(['restore s 4']);
  });

  it('C-8: not while a turn goes on', async () => {
    const { said, restore } = rig({ busy: true });
    await expect(restore('u4', true)).rejects.toThrow(/still working/);
    expect(said).toEqual([]);
  });
});

describe('showing a proposal in an editor', () => {
  /** A pane with a call that waits for an answer, and what its page is told. */
  function showing(meanwhile: (pane: { current: unknown }) => void = () => undefined) {
    const posts: unknown[] = [];
    const pane = {
      current: {
        id: 's',
        showProposal: (callId: string) => {
          meanwhile(pane);
          return Promise.resolve(callId === 'waiting');
        },
      },
      panels: { post: (message: unknown) => void posts.push(message) },
    };
    const handlers = reviewHandlers(pane as unknown as ChatPane, {} as unknown as ReviewActions);
    return { posts, show: (callId: string) => handlers.show_proposal({ type: 'show_proposal', callId }, {} as unknown as Panel) };
  }

  it('tells the page once it is there, as all of it can be read then', async () => {
    const { posts, show } = showing();
    await show('waiting');
    expect(posts).toEqual([{ type: 'proposal_shown', session: 's', call: 'waiting' }]);
  });

  it('names the conversation that it was asked in, and tells nothing of a call that has nothing to show', async () => {
    const { posts, show } = showing((pane) => {
      pane.current = { id: 'other' };
    });
    await show('waiting');
    expect(posts).toEqual([{ type: 'proposal_shown', session: 's', call: 'waiting' }]);
    const over = showing();
    await over.show('over');
    expect(over.posts).toEqual([]);
  });
});
