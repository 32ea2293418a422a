import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { containsSecret, withoutSecrets } from '../../../../src/provider/http/known-secrets.js';
import { RequestLog } from '../../../../src/provider/http/request-log.js';
import { shownText } from '../../../../src/provider/http/sent-text.js';
import { recorded } from '../../../../src/provider/http/recorded.js';
import { marked, requestText, shownBody } from '../../../../src/chat/requests/request-text.js';
import { runs } from '../../../support/runs.js';
import { processorMs } from '../../../support/processor-time.js';

const mark = ({ characters }: { readonly characters: number }): string => `‹${characters}›`;
const shown = (text: string, secrets: readonly string[]): string => shownText(withoutSecrets(text, secrets), mark);

/** Keys of services, and passwords with any characters. */
const SECRET = fc.oneof(
  fc.stringMatching(/^sk-[A-Za-z0-9_-]{12,40}$/),
  fc.stringMatching(/^[A-Za-z0-9+/]{16,43}=$/),
  fc
    .string({ unit: fc.constantFrom(...'abcXYZ019 +/=_-~.!?"\\\'%&#:@(){}[]|^$*,;<>'.split(''), 'ä', '€', '😀', '\t'), minLength: 10, maxLength: 30 })
    .filter((text) => new Set(text).size > 5),
);

const hex = (text: string, lower: boolean): string => encodeURIComponent(text).replace(/%../g, (code) => (lower ? code.toLowerCase() : code));
const escaped = (text: string): string => JSON.stringify(text).slice(1, -1);
const base64 = (text: string, kind: 'base64' | 'base64url'): string => Buffer.from(text).toString(kind);

/** How a secret may be written in a body, an address, or a header. */
const WRITTEN: Readonly<Record<string, (secret: string, beside: string) => string>> = {
  'as it is': (secret) => secret,
  'in JSON': escaped,
  'in JSON within JSON': (secret) => escaped(escaped(secret)),
  'in JSON with slashes escaped': (secret) => escaped(secret).replaceAll('/', '\\/'),
  'in JSON of ASCII alone': (secret) => escaped(secret).replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  'in JSON, all of it as codes': (secret) => secret.replace(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0').toUpperCase()}`),
  'percent-encoded': (secret) => hex(secret, false),
  'percent-encoded in lower case': (secret) => hex(secret, true),
  'percent-encoded twice': (secret) => encodeURIComponent(encodeURIComponent(secret)),
  'in a form': (secret) => new URLSearchParams({ a: secret }).toString().slice(2),
  'every byte percent-encoded': (secret) => [...Buffer.from(secret)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''),
  'in base64': (secret) => base64(secret, 'base64'),
  'in base64url': (secret) => base64(secret, 'base64url'),
  'in base64 that is percent-encoded': (secret) => encodeURIComponent(base64(secret, 'base64')),
  'behind a user in base64': (secret, beside) => base64(`${beside}:${secret}`, 'base64'),
  'before something else in base64': (secret, beside) => base64(`${secret}${beside}`, 'base64'),
  'within something longer in base64url': (secret, beside) => base64(`${beside}${secret}${beside}`, 'base64url'),
};

describe('a known secret', () => {
  it.each(Object.entries(WRITTEN))('is marked %s', (title, write) => {
    fc.assert(
      fc.property(SECRET, fc.stringMatching(/^[a-z]{0,7}$/), (secret, beside) => {
        const written = write(secret, beside);
        const text = shown(`{"content":"before ${written} after"}`, [secret]);
        expect(containsSecret(written, [secret])).toBe(true);
        expect(text).toMatch(/^\{"content":"before .*‹\d+›.* after"\}$/s);
        // Of base64 what lies beside the secret may stay.
        const left = /before (.*) after/s.exec(text)?.[1] ?? '';
        if (/behind|before something|within/.test(title))
          expect(left.replace(/‹\d+›/, '').length).toBeLessThanOrEqual(Math.ceil((beside.length * 2 * 4) / 3) + 2);
        else expect(left).toMatch(/^‹\d+›$/);
      }),
      { numRuns: runs(40) },
    );
  });

  it('is marked in every place, the longest first, and nothing else is', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.constantFrom('stored-key-12345', 'stored-key-12345-more', 'other-key-98765'), fc.stringMatching(/^[a-z ]{1,8}$/)), {
          maxLength: 8,
        }),
        (words) => {
          const secrets = ['stored-key-12345', 'other-key-98765', 'stored-key-12345-more', 'short'];
          const expected = words.map((word) => (secrets.includes(word) && word !== 'short' ? `‹${word.length}›` : word)).join('|');
          expect(shown(words.join('|'), secrets)).toBe(expected);
        },
      ),
    );
    expect(shown('short text, shorter', ['short', ''])).toBe('short text, shorter');
  });

  it('is found in a large body in a time in proportion to it', async () => {
    const body = `${'A'.repeat(1_000_000)}${'\\'.repeat(200_000)}${'%25'.repeat(100_000)}stored-key-12345`;
    const look = (): void => expect(shown(body, ['stored-key-12345', '\\\\\\\\/////x', 'AAAAAAAAAAAAAAAb', '%%%%%%%%%%%%']).endsWith('‹16›')).toBe(true);
    expect(await processorMs(look)).toBeLessThan(3_000);
  });
});

describe('a request that is shown', () => {
  const KEY = 'sk-test-4711/0815+abcdef';
  const OTHER = 'sk-other-"named"-key-42';

  /** What is noted of a request with these bodies and headers. */
  async function noted(body: string, address: string, headers: Readonly<Record<string, string>> = {}): Promise<RequestLog> {
    const log = new RequestLog(() => [KEY, OTHER]);
    const answer: typeof fetch = () => Promise.resolve(new Response(''));
    const { options } = recorded({ requests: log, headers, fetch: answer }, { provider: 'p', model: 'm' });
    await options.fetch(address, { method: 'POST', body, headers });
    return log;
  }

  it('has no known secret anywhere: address, headers, and body, whichever key it is', async () => {
    for (const write of Object.values(WRITTEN)) {
      const words = [KEY, OTHER].map((key) => write(key, 'user')).join(' ');
      const body = JSON.stringify({ messages: [{ content: words }] });
      const log = await noted(body, `https://gw.example/v1?note=${encodeURIComponent(words)}`, { 'x-note': encodeURIComponent(words) });
      const [request] = log.requests();
      if (request === undefined) return expect.unreachable('Nothing was noted.');
      for (const view of ['sent', 'formatted', 'body'] as const) {
        const text = requestText(request, view, log.secrets());
        expect(containsSecret(text, [KEY, OTHER])).toBe(false);
        expect(text).toContain('‹redacted: ');
      }
      expect(containsSecret(marked(shownBody(request, log.secrets())), [KEY, OTHER])).toBe(false);
    }
  });

  it('has none of those in the address and the headers of its own in its body, nor one that came to be known later', async () => {
    const log = await noted(
      '{"a":"key-in-the-address","b":"key-of-the-header","c":"known-later-key"}',
      'https://gw.example/v1?api-version=2024-10-21&subscription-key=key-in-the-address',
      { 'x-api-key': 'key-of-the-header', 'x-plain': 'application/json' },
    );
    const [request] = log.requests();
    if (request === undefined) return expect.unreachable('Nothing was noted.');
    const text = requestText(request, 'sent', [...log.secrets(), 'known-later-key']);
    for (const secret of ['key-in-the-address', 'key-of-the-header', 'known-later-key']) expect(text).not.toContain(secret);
    expect(text).toContain('api-version=2024-10-21');
    expect(text).toContain('they were sent');
  });

  it('has every other byte of the body', async () => {
    const body = '{"a": "x \u202E\\u0041 é", "n": 12345678901234567890, "k": "KEY"}';
    const [request] = (await noted(body.replace('KEY', KEY), 'https://gw.example/v1')).requests();
    if (request === undefined) return expect.unreachable('Nothing was noted.');
    expect(marked(shownBody(request, [KEY]))).toBe(body.replace('KEY', `‹redacted: ${KEY.length} characters›`));
  });
});
