import { describe, expect, it } from 'vitest';
import type { McpElicitation, McpField } from '../../../../src/domain/mcp/request.js';
import { FORM, page, Rig, text } from './rig.js';

describe('forms of servers', () => {
  it('M-12: are shown with the name of the server, and nothing is sent before the user has answered', async () => {
    const rig = new Rig();
    let ended = false;
    const answer = rig.elicit(FORM);
    void answer.finally(() => (ended = true));
    const question = await rig.question();
    expect(question).toMatchObject({ server: 'The srv', session: 'chat', asked: FORM });
    expect(ended).toBe(false);
    rig.asking.answer(question.id, { action: 'accept', content: { name: 'Ada' } });
    await expect(answer).resolves.toEqual({ action: 'accept', content: { name: 'Ada' } });
    expect(rig.asking.open('chat')).toEqual([]);
  });

  it('M-12: tell the server whether the user declined or closed them', async () => {
    const rig = new Rig();
    for (const action of ['decline', 'cancel'] as const) {
      const answer = rig.elicit(FORM);
      rig.asking.answer((await rig.question()).id, { action });
      await expect(answer).resolves.toEqual({ action });
    }
  });

  it('M-12: have no default that breaks what the field itself wants', async () => {
    const bad: readonly Partial<McpField>[] = [
      { type: 'text', format: 'email', default: 'nobody' },
      { type: 'text', format: 'uri', default: 'not a page' },
      { type: 'text', format: 'date', default: '2026-02-30' },
      { type: 'text', format: 'date-time', default: 'now' },
      { type: 'text', minLength: 3, default: 'ab' },
      { type: 'text', maxLength: 1, default: 'ab' },
      { type: 'text', pattern: '^a$', default: 'b' },
      { type: 'number', integer: true, default: 1.5 },
      { type: 'number', integer: false, minimum: 2, default: 1 },
      { type: 'choice', options: [{ value: 'a', title: 'A' }], default: 'b' },
      { type: 'choices', options: [{ value: 'a', title: 'A' }], default: ['a', 'b'] },
      { type: 'choices', options: [{ value: 'a', title: 'A' }], minItems: 1, default: [] },
    ];
    const good: readonly Partial<McpField>[] = [
      { type: 'text', format: 'email', default: 'a@b.example' },
      { type: 'text', default: '' },
      { type: 'number', integer: true, default: 0 },
      { type: 'boolean', default: false },
      { type: 'choice', options: [{ value: 'a', title: 'A' }], default: 'a' },
    ];
    const rig = new Rig();
    void rig.elicit({ mode: 'form', message: '', fields: [...bad, ...good].map((field, index) => text(`f${index}`, { required: false, ...field })) });
    const { asked } = await rig.question();
    const fields = asked.mode === 'form' ? asked.fields : [];
    expect(fields.slice(0, bad.length).map((field) => 'default' in field)).toEqual(bad.map(() => false));
    expect(fields.slice(bad.length)).toMatchObject(good);
  });

  it('M-12: take no answer that does not fit their fields', async () => {
    const rig = new Rig();
    const answer = rig.elicit({ mode: 'form', message: '', fields: [text('mail', { type: 'text', format: 'email' })] });
    const { id } = await rig.question();
    for (const content of [{}, { mail: 'nobody' }, { mail: 'a@example.com', more: 'x' }]) rig.asking.answer(id, { action: 'accept', content });
    rig.asking.answer(id, { action: 'accept' });
    rig.asking.answer(id, { action: 'accept', always: true });
    expect(rig.asking.open('chat')).toHaveLength(1);
    rig.asking.answer(id, { action: 'accept', content: { mail: 'a@example.com' } });
    await expect(answer).resolves.toEqual({ action: 'accept', content: { mail: 'a@example.com' } });
  });

  it('M-11: are asked anew when their text changes between rounds, and an answer is only to what was shown', async () => {
    const rig = new Rig();
    const first = rig.elicit(FORM);
    const before = await rig.question();
    rig.asking.answer(before.id, { action: 'accept', content: { name: 'Ada' } });
    await first;
    const second = rig.elicit({ ...FORM, message: 'Delete everything?' });
    const after = await rig.question();
    expect(after.asked.mode === 'form' && after.asked.message).toBe('Delete everything?');
    // The page was a moment behind.
    rig.asking.answer(before.id, { action: 'accept', content: { name: 'Ada' } });
    expect(rig.asking.open('chat')).toEqual([after]);
    rig.asking.answer(after.id, { action: 'decline' });
    await expect(second).resolves.toEqual({ action: 'decline' });
  });

  it('that are too large to be read are refused', async () => {
    const rig = new Rig();
    const fields = Array.from({ length: 51 }, (_, index) => text(`f${index}`));
    const large: readonly McpElicitation[] = [
      { ...FORM, message: 'x'.repeat(4_001) },
      { mode: 'form', message: '', fields },
      { mode: 'form', message: '', fields: [{ type: 'choice', name: 'c', required: true, options: [{ value: 'v', title: 'x'.repeat(1_001) }] }] },
    ];
    for (const asked of large) await expect(rig.elicit(asked)).rejects.toMatchObject({ name: 'McpRefusal' });
    expect(rig.asking.open('chat')).toEqual([]);
    expect(rig.told).toHaveLength(large.length);
  });
});

describe('addresses that servers want to have opened', () => {
  it('M-13: are opened only after the user said so, and once', async () => {
    const rig = new Rig();
    const answer = rig.elicit(page('https://example.com/a?b=c'));
    const { id, asked } = await rig.question();
    expect(asked).toMatchObject({ mode: 'url', url: 'https://example.com/a?b=c' });
    expect(rig.opened).toEqual([]);
    rig.asking.answer(id, { action: 'accept' });
    rig.asking.answer(id, { action: 'accept' });
    await expect(answer).resolves.toEqual({ action: 'accept' });
    expect(rig.opened).toEqual(['https://example.com/a?b=c']);
  });

  it('M-13: are not opened when the user declines or closes them, and the server learns when the browser did not open', async () => {
    const rig = new Rig();
    const declined = rig.elicit(page('https://example.com/'));
    rig.asking.answer((await rig.question()).id, { action: 'decline' });
    await expect(declined).resolves.toEqual({ action: 'decline' });
    expect(rig.opened).toEqual([]);
    rig.opens = false;
    const failed = rig.elicit(page('https://example.com/'));
    rig.asking.answer((await rig.question()).id, { action: 'accept' });
    await expect(failed).resolves.toEqual({ action: 'cancel' });
  });

  it.each([
    'javascript:alert(1)',
    'file:///etc/passwd',
    'vscode://gnomon.gnomon/x',
    'command:x',
    'data:text/html,x',
    'ftp://example.com/',
    'http://evil@example.com/',
    'https://good.example:443@evil.example/',
    'https://@evil.example/',
    'https:\\\\evil.example',
    'https://exa\tmple.com/',
    'https://example.com/\u0007',
    ' https://example.com/',
    'https://example.com/\u202egpj.exe',
    'https://',
    'example.com',
    '//example.com/',
    `https://example.com/${'x'.repeat(2_000)}`,
  ])('M-13: are refused before the user is asked: %j', async (url) => {
    const rig = new Rig();
    await expect(rig.elicit(page(url))).rejects.toMatchObject({ name: 'McpRefusal' });
    expect(rig.asking.open('chat')).toEqual([]);
    expect(rig.opened).toEqual([]);
    expect(rig.told).toHaveLength(1);
    expect(rig.told[0]?.text).not.toMatch(/\p{Cc}|\p{Cf}/u);
  });

  it('M-13: are shown as the browser reads them, so that letters that look like others are seen', async () => {
    const rig = new Rig();
    void rig.elicit(page('https://ex\u0430mple.com/'));
    expect((await rig.question()).asked).toMatchObject({ url: 'https://xn--exmple-4nf.com/' });
  });

  it.each([
    ['https://login.example.org/', 'mcp.example.com'],
    ['https://mcp.example.com/x', undefined],
    ['https://login.mcp.example.com/x', undefined],
    ['https://evil-mcp.example.com/', 'mcp.example.com'],
  ])('M-13: name the host of the server where they lead to another one: %s', async (url, ownHost) => {
    const rig = new Rig();
    rig.host = 'mcp.example.com';
    void rig.elicit(page(url));
    expect((await rig.question()).ownHost).toBe(ownHost);
  });

  it('M-13: are not asked about any more once the server says that it is done', async () => {
    const rig = new Rig();
    const [first, second] = [rig.elicit(page('https://example.com/1', 'one')), rig.elicit(page('https://example.com/2', 'two'))];
    await rig.question();
    rig.asking.questions('other').elicited?.('one');
    rig.asking.questions('srv').elicited?.('three');
    expect(rig.asking.open('chat')).toHaveLength(2);
    rig.asking.questions('srv').elicited?.('one');
    await expect(first).resolves.toEqual({ action: 'cancel' });
    expect(rig.asking.open('chat').map(({ asked }) => asked.mode === 'url' && asked.id)).toEqual(['two']);
    rig.asking.dispose();
    await expect(second).resolves.toEqual({ action: 'cancel' });
  });
});
