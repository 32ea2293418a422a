import { describe, expect, it } from 'vitest';
import { UriAnswers } from '../../../../src/mcp/auth/uri-answers.js';

const URI = 'vscode://gnomon.gnomon/mcp/callback';
const never = new AbortController().signal;

describe('answers to sign-ins through the address of the extension', () => {
  it('go to the sign-in whose state they have, once', async () => {
    const answers = new UriAnswers();
    const [first, second] = [answers.open(URI).wait('one', never), answers.open(URI).wait('two', never)];
    expect(answers.take(new URLSearchParams('state=two&code=b'))).toBe(true);
    expect(answers.take(new URLSearchParams('state=two&code=again'))).toBe(false);
    expect(answers.take(new URLSearchParams('state=one&code=a'))).toBe(true);
    expect([(await first).get('code'), (await second).get('code')]).toEqual(['a', 'b']);
  });

  it.each(['', 'state=', 'state=other', 'state=one&state=one', 'code=x'])('are ignored as %j', async (query) => {
    const answers = new UriAnswers();
    const answer = answers.open(URI).wait('one', never);
    expect(answers.take(new URLSearchParams(query))).toBe(false);
    expect(answers.take(new URLSearchParams('state=one&code=a'))).toBe(true);
    await answer;
  });

  it('are not waited for after a stop, a close, or the end of the time', async () => {
    const answers = new UriAnswers();
    const control = new AbortController();
    const stopped = answers.open(URI).wait('stopped', control.signal);
    control.abort();
    await expect(stopped).rejects.toMatchObject({ name: 'AbortError' });
    const receiver = answers.open(URI);
    const closed = receiver.wait('closed', never);
    receiver.close();
    await expect(closed).rejects.toMatchObject({ name: 'AbortError' });
    await expect(receiver.wait('closed', never)).rejects.toMatchObject({ name: 'AbortError' });
    await expect(answers.open(URI, 10).wait('late', never)).rejects.toMatchObject({ kind: 'timeout' });
    for (const state of ['stopped', 'closed', 'late']) expect(answers.take(new URLSearchParams({ state }))).toBe(false);
  });
});
