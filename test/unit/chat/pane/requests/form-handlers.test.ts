import { describe, expect, it } from 'vitest';
import { AbortError } from '../../../../../src/domain/errors.js';
import type { HostMessage } from '../../../../../src/protocol/messages.js';
import type { ChatPane } from '../../../../../src/chat/pane/chat-pane.js';
import type { Panel } from '../../../../../src/chat/pane/panel.js';
import { formHandlers } from '../../../../../src/chat/pane/requests/form-handlers.js';

const FORM = { id: 'f', server: 'github', makes: 'prompt', title: 'Review', suggests: false, fields: [] } as const;
const SEND = { type: 'send', sendId: 's1', text: '/github:review', attachments: [], now: false } as const;

/** The handlers over a composer that does what a test says. */
function rig(composer: Readonly<Record<string, unknown>>) {
  const posts: HostMessage[] = [];
  const pane = { current: { id: 'session' }, composer };
  const handlers = formHandlers(pane as unknown as ChatPane);
  return { posts, handlers, panel: { post: (message: HostMessage) => void posts.push(message) } as unknown as Panel };
}

describe('sending', () => {
  it('the page forgets the command before it gets what comes of the prompt', async () => {
    const text = rig({
      send: (_message: unknown, progress: (words: string) => void) =>
        Promise.resolve((progress('Reading…'), { type: 'prompt', filled: { type: 'text', text: 'Review it.' } })),
    });
    await text.handlers.send(SEND, text.panel);
    expect(text.posts).toEqual([
      { type: 'send_progress', sendId: 's1', text: 'Reading…' },
      { type: 'accepted', sendId: 's1' },
      { type: 'compose', session: 'session', text: 'Review it.' },
    ]);
    const form = rig({ send: () => Promise.resolve({ type: 'prompt', filled: { type: 'form', form: FORM } }) });
    await form.handlers.send(SEND, form.panel);
    expect(form.posts).toEqual([
      { type: 'accepted', sendId: 's1' },
      { type: 'fill_form', form: FORM },
    ]);
  });

  it('what fails keeps the text, with the reason; what was canceled has none', async () => {
    const failing = rig({ send: () => Promise.reject(new Error('No.')) });
    await failing.handlers.send(SEND, failing.panel);
    const canceled = rig({ send: () => Promise.reject(new AbortError()) });
    await canceled.handlers.send(SEND, canceled.panel);
    expect([...failing.posts, ...canceled.posts]).toEqual([
      { type: 'rejected', sendId: 's1', reason: 'No.' },
      { type: 'rejected', sendId: 's1', reason: '' },
    ]);
  });

  it('is asked about where it costs much', async () => {
    const { handlers, panel, posts } = rig({ send: () => Promise.resolve({ type: 'cooled', cold: { reason: 'expired', tokens: 84_000 } }) });
    await handlers.send(SEND, panel);
    expect(posts).toMatchObject([{ type: 'cooled', sendId: 's1' }]);
  });
});

describe('forms', () => {
  const submit = { type: 'submit_form', form: 'f', values: ['x'] } as const;

  it('what comes of one is shown when it is gone: a text, or a mention for the text', async () => {
    const prompt = rig({ submit: () => Promise.resolve({ type: 'text', text: 'Review x.' }) });
    await prompt.handlers.submit_form(submit, prompt.panel);
    expect(prompt.posts).toEqual([
      { type: 'form_done', form: 'f' },
      { type: 'compose', session: 'session', text: 'Review x.' },
    ]);
    const mention = rig({ submit: () => Promise.resolve({ type: 'mention', text: '@github:repo://x' }) });
    await mention.handlers.submit_form(submit, mention.panel);
    expect(mention.posts).toEqual([{ type: 'form_done', form: 'f', insert: '@github:repo://x' }]);
  });

  it('one that fails stays; one that was closed says nothing', async () => {
    const failing = rig({ submit: () => Promise.reject(new Error('No.')) });
    await failing.handlers.submit_form(submit, failing.panel);
    const closed = rig({ submit: () => Promise.reject(new AbortError()) });
    await closed.handlers.submit_form(submit, closed.panel);
    expect([...failing.posts, ...closed.posts]).toEqual([{ type: 'form_problem', form: 'f', reason: 'No.' }]);
  });

  it('an address that is not offered any more is told; suggestions that nobody waits for are not', async () => {
    const forms = {
      template: () => {
        throw new Error('Gone.');
      },
      suggestions: (_form: string, field: number) => Promise.resolve(field === 0 ? ['a'] : undefined),
    };
    const { handlers, panel, posts } = rig({ commands: { forms } });
    await handlers.open_template({ type: 'open_template', server: 's', uriTemplate: 'x:{y}' }, panel);
    await handlers.suggest_value({ type: 'suggest_value', form: 'f', request: 3, field: 0, values: ['x'] }, panel);
    await handlers.suggest_value({ type: 'suggest_value', form: 'f', request: 4, field: 1, values: ['x'] }, panel);
    expect(posts).toEqual([
      { type: 'attachment_problem', reason: 'Gone.' },
      { type: 'form_suggestions', form: 'f', request: 3, values: ['a'] },
    ]);
  });
});
