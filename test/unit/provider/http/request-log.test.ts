import { describe, expect, it } from 'vitest';
import { RequestLog, type SentRequest } from '../../../../src/provider/http/request-log.js';
import { sentHeader, sentUrl, shownText } from '../../../../src/provider/http/sent-text.js';

const SECRETS = { secrets: ['stored-key-12345', 'short'], headers: new Set(['x-mine']) };
const mark = ({ characters }: { readonly characters: number }): string => `‹${characters}›`;

function sized(size: number): Omit<SentRequest, 'id'> {
  return { sender: { provider: 'p', model: 'm' }, method: 'POST', url: ['http://x/'], headers: [], allHeaders: false, body: 'x'.repeat(size), size, sentAt: 0 };
}

describe('the log of requests', () => {
  it('keeps the newest, as many as it may', () => {
    const log = new RequestLog(() => [], { requests: 3, ofNoSession: 3, bytes: 1_000 });
    for (let n = 0; n < 5; n += 1) log.add(sized(1));
    expect(log.requests().map(({ id }) => id)).toEqual([5, 4, 3]);
    expect(log.request(1)).toBeUndefined();
    log.note(1, { end: { outcome: 'complete', afterMs: 1 } });
    expect(log.requests()).toHaveLength(3);
  });

  it('forgets the oldest when the bodies are too large together, and one that is too large alone', () => {
    const log = new RequestLog(() => [], { requests: 20, ofNoSession: 20, bytes: 100 });
    const heard: number[] = [];
    log.onDidChange((id) => heard.push(id));
    for (const size of [40, 40, 30]) log.add(sized(size));
    expect(log.requests().map(({ id }) => id)).toEqual([3, 2]);
    expect(heard).toContain(1);
    log.add(sized(101));
    expect(log.requests()).toEqual([]);
    log.add(sized(100));
    expect(log.requests().map(({ size }) => size)).toEqual([100]);
  });

  it('keeps few that are of no session, so that suggestions leave the requests of chats', () => {
    const log = new RequestLog(() => [], { requests: 5, ofNoSession: 2, bytes: 1_000 });
    const chat = { ...sized(1), sender: { provider: 'p', model: 'm', session: 's' } };
    for (const request of [chat, sized(1), chat, sized(1), sized(1), sized(1), chat, sized(1)]) log.add(request);
    expect(log.requests().map(({ id }) => id)).toEqual([8, 7, 6, 3, 1]);
  });

  const of = (session: string, size = 1): Omit<SentRequest, 'id'> => ({ ...sized(size), sender: { provider: 'p', model: 'm', session } });
  const keptOf = (log: RequestLog, session: string): readonly number[] => log.requests().flatMap(({ id, sender }) => (sender.session === session ? [id] : []));

  it('keeps as many of each session, whatever others send meanwhile', () => {
    const log = new RequestLog(() => []);
    const quiet = [log.add(of('quiet')), log.add(of('quiet'))];
    for (let n = 0; n < 400; n += 1) log.add(of(`busy ${n % 10}`));
    expect(keptOf(log, 'quiet')).toEqual([...quiet].reverse());
    for (let n = 0; n < 10; n += 1) expect(keptOf(log, `busy ${n}`)).toHaveLength(20);
    expect(log.requests()).toHaveLength(202);
  });

  it('keeps no more than its sessions may have together, those that sent something last', () => {
    const log = new RequestLog(() => []);
    for (let session = 0; session < 100; session += 1) for (let n = 0; n < 25; n += 1) log.add(of(`session ${session}`));
    for (let n = 0; n < 10; n += 1) log.add(sized(1));
    expect(log.requests()).toHaveLength(32 * 20 + 5);
    expect(keptOf(log, 'session 67')).toEqual([]);
    expect(keptOf(log, 'session 68')).toHaveLength(20);
  });

  it('takes room from the session whose bodies take most of it', () => {
    const log = new RequestLog(() => [], { bytes: 100 });
    const small = log.add(of('small', 20));
    for (const size of [30, 30, 30, 30]) log.add(of('large', size));
    expect(keptOf(log, 'small')).toEqual([small]);
    expect(keptOf(log, 'large')).toHaveLength(2);
  });

  it('counts a body that grows, and has room again for what follows', () => {
    const log = new RequestLog(() => [], { requests: 20, ofNoSession: 20, bytes: 100 });
    log.add(sized(50));
    const growing = log.add(sized(0));
    for (const size of [30, 60, 90]) log.note(growing, { size });
    expect(log.requests().map(({ id }) => id)).toEqual([growing]);
    log.add(sized(10));
    expect(log.requests()).toHaveLength(2);
  });

  it('knows what came before in the same session; outside of sessions, to the same provider', () => {
    const log = new RequestLog(() => []);
    const senders = [
      { provider: 'a', session: '1' },
      { provider: 'a' },
      { provider: 'b', session: '2' },
      { provider: 'b', session: '1' },
      { provider: 'b' },
      { provider: 'a' },
    ];
    for (const sender of senders) log.add({ ...sized(1), sender: { model: 'm', ...sender } });
    const found = log.requests().map((request) => [request.id, log.before(request)?.id]);
    expect(found).toEqual([
      [6, 2],
      [5, undefined],
      [4, 1],
      [3, undefined],
      [2, undefined],
      [1, undefined],
    ]);
  });

  it('keeps 20 requests and 50 MB unless told otherwise', () => {
    const log = new RequestLog(() => []);
    const sender = { provider: 'p', model: 'm', session: 's' };
    for (let n = 0; n < 30; n += 1) log.add({ ...sized(0), sender, size: 1024 });
    expect(log.requests()).toHaveLength(20);
    for (let n = 0; n < 6; n += 1) log.add({ ...sized(0), sender, size: 10 * 1024 * 1024 });
    expect(log.requests()).toHaveLength(5);
  });
});

describe('what is left out', () => {
  it.each([
    ['Authorization', 'Bearer abc def', 'Bearer ‹7›'],
    ['proxy-authorization', 'Basic YTpi', 'Basic ‹4›'],
    ['x-api-key', 'abc', '‹3›'],
    ['API-Key', 'abc', '‹3›'],
    ['x-goog-api-key', 'abc', '‹3›'],
    ['Cookie', 'a=1; b=2', '‹8›'],
    ...['X-Auth', 'x-auth-user', 'Auth', 'x_auth', 'X-Session', 'x-session-id', 'X-Signature', 'x-jwt', 'X-Access-Key', 'Key'].map(
      (name): [string, string, string] => [name, 'abc', '‹3›'],
    ),
    ...['author', 'x-authored-by', 'keyboard', 'x-signal', 'content-length'].map((name): [string, string, string] => [name, 'abc', 'abc']),
    ['x-mine', 'anything', '‹8›'],
    ['X-Mine', 'anything', '‹8›'],
    ['x-other', 'before stored-key-12345 after', '‹29›'],
    ['x-other', 'short', '‹5›'],
    ['x-other', 'shorter', 'shorter'],
    ['content-type', 'application/json', 'application/json'],
    ['anthropic-version', '2023-06-01', '2023-06-01'],
  ])('of the header %s: %s is %s', (name, value, shown) => {
    expect(shownText(sentHeader(name, value, SECRETS).value, mark)).toBe(shown);
  });

  it.each([
    ['https://x/v1?key=abc&b=1', 'https://x/v1?key=‹3›&b=1'],
    ['https://x/v1?b=1&api_key=abc#c', 'https://x/v1?b=1&api_key=‹3›#c'],
    ['https://x/?key=a&access_token=bc', 'https://x/?key=‹1›&access_token=‹2›'],
    ...['auth', 'code', 'authorization', 'id_token', 'sessionid', 'sid', 'jwt', 'client_assertion', 'code_verifier', 'credential'].flatMap(
      (name): [string, string][] => [
        [`https://x/v1?${name}=abc`, `https://x/v1?${name}=‹3›`],
        [`https://x/v1?a=1&${name}=abc#top`, `https://x/v1?a=1&${name}=‹3›#top`],
        [`https://x/cb#${name}=abc&state=1`, `https://x/cb#${name}=‹3›&state=1`],
      ],
    ),
    ['https://x/cb#access_token=abc&expires_in=3', 'https://x/cb#access_token=‹3›&expires_in=3'],
    ['https://name:word@x/v1', 'https://‹9›@x/v1'],
    ['https://x/stored-key-12345/v1', 'https://x/‹16›/v1'],
    ['https://x/short/v1?b=1', 'https://x/short/v1?b=1'],
    ['https://x/v1?keyboard=1', 'https://x/v1?keyboard=1'],
  ])('of the address %s is %s', (url, shown) => {
    expect(shownText(sentUrl(url, SECRETS), mark)).toBe(shown);
  });
});
