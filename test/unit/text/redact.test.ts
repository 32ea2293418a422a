import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { redact } from '../../../src/text/redact.js';
import { CREDENTIAL_BEGINNINGS, millionOf } from '../../support/worst-inputs.js';

const R = '[redacted]';
const BODY = 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8';
const JWT = `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.${BODY}`;
const PEM = (kind: string, body: string): string => `-----BEGIN ${kind}-----${body}-----END ${kind}-----`;

/** Credentials as such, each of a kind that tells itself. */
const KEYS: readonly string[] = [
  `sk-ant-api03-${BODY}-${BODY}`,
  `sk-proj-${BODY}`,
  `sk-${BODY}`,
  `sk_live_${BODY}`,
  `ghp_${BODY}`,
  `ghs_${BODY}`,
  `github_pat_11ABC_${BODY}`,
  `glpat-${BODY}`,
  'AKIAIOSFODNN7EXAMPLE',
  `pypi-AgEIcHlwaS5vcmc${BODY}`,
  `xoxb-1234567890-${BODY}`,
  `AIza${BODY.slice(0, 35)}`,
  `ya29.${BODY}`,
  `hf_${BODY}`,
  `gsk_${BODY}`,
  `npm_${BODY}`,
  `SG.${BODY}.${BODY}`,
  JWT,
];

describe('redact (sess-16)', () => {
  it.each(KEYS)('replaces %s', (key) => {
    expect(redact(`before ${key} after`)).toBe(`before ${R} after`);
    expect(redact(`{"x":"${key}"}`)).toBe(`{"x":"${R}"}`);
    expect(redact(`curl https://x.test/?q=${key}&r=1`)).toBe(`curl https://x.test/?q=${R}&r=1`);
    expect(redact(`echo ${key}; ls | cat > out.txt`)).toBe(`echo ${R}; ls | cat > out.txt`);
  });

  it.each([
    [`Authorization: Bearer ${BODY}`, `Authorization: Bearer ${R}`],
    ['authorization: Basic dXNlcjpwYXNz', `authorization: Basic ${R}`],
    ["{ authorization: 'Bearer abcdefgh' }", `{ authorization: '${R}' }`],
    ["'x-api-key': 'canary-of-a-key'", `'x-api-key': '${R}'`],
    ['"api_key":"canary-of-a-key","model":"m"', `"api_key":"${R}","model":"m"`],
    ['Bearer abc12345', `Bearer ${R}`],
    ['postgres://me:hunter2@db.test:5432/app', `postgres://me:${R}@db.test:5432/app`],
    ['https://x.test/p?access_token=abc&page=2#top', `https://x.test/p?access_token=${R}&page=2#top`],
    ['https://x.test/p?key=abc&page=2', `https://x.test/p?key=${R}&page=2`],
    [`origin\thttps://${BODY}@git.test/a.git (fetch)`, `origin\thttps://${R}@git.test/a.git (fetch)`],
    ['machine x.test login me password hunter2', `machine x.test login me password ${R}`],
    ['DB_PASSWORD=hunter2 npm test && ls', `DB_PASSWORD=${R} npm test && ls`],
    ['password: hunter2', `password: ${R}`],
    ['password = "two words"', `password = "${R}"`],
    ["export TOKEN='x y'; ls", `export TOKEN='${R}'; ls`],
    ['mysql --password hunter2 -h db', `mysql --password ${R} -h db`],
    ['aws_secret_access_key=wJalrXUtnFEMI/K7MDENG', `aws_secret_access_key=${R}`],
    [PEM('RSA PRIVATE KEY', '\nMIIE\nabc=\n'), PEM('RSA PRIVATE KEY', R)],
    [`a ${PEM('OPENSSH PRIVATE KEY', '\\nMIIE\\n')} b ${PEM('PRIVATE KEY', ' M ')} c`, `a ${PEM('OPENSSH PRIVATE KEY', R)} b ${PEM('PRIVATE KEY', R)} c`],
    ['-----BEGIN EC PRIVATE KEY-----\nMIIE\nAAAA\n- cut off', `-----BEGIN EC PRIVATE KEY-----${R}\n- cut off`],
  ])('replaces only the credential in %j', (text, expected) => {
    expect(redact(text)).toBe(expected);
    expect(redact(expected)).toBe(expected);
  });

  it.each([
    'The turn used 1,204 tokens: 3 rounds, maxTokens=8192, inputTokens: 1204',
    'Unexpected token: }',
    'token=/run/secrets/token; cat ~/.ssh/id_rsa',
    'PASSWORD=$(pass show db) && PASSWORD=$DB_PASSWORD && password=`x`',
    'password: required, secret: undefined, "token": null, apiKey: true',
    'cd /home/me/sk-learn-contrib-of-somebody/task-force && git log --oneline | head > /tmp/x',
    '-----BEGIN CERTIFICATE-----\nMIIE\n-----END CERTIFICATE-----',
    'ls -la; echo "a; b && c" || cat <<EOF | tee PWN &',
    'http://127.0.0.1:8080/a@b and git@github.com:gnomon/gnomon.git',
    '    at Object.<anonymous> (/work/src/models/keys/secrets.ts:12:5)',
    'Bearer authentication is required.',
  ])('leaves %j alone', (text) => {
    expect(redact(text)).toBe(text);
  });

  it('replaces what it is told is a secret, whatever it looks like, but no short word', () => {
    expect(redact('the canary sings; the is', ['canary sings', 'the'])).toBe(`the ${R}; the is`);
  });

  it('keeps every byte outside of the credential, operators and paths among them', () => {
    const around = fc.array(
      fc.constantFrom(
        'ls',
        '&&',
        '||',
        ';',
        '|',
        '>',
        '>>',
        '<',
        '&',
        '(',
        ')',
        '`',
        '$(',
        '\n',
        '~/.bashrc',
        '/etc/passwd',
        'src/a.ts',
        '"',
        "'",
        'é',
        '\u202E',
        '😀',
        'curl',
        '-d',
        '@f',
      ),
      { maxLength: 12 },
    );
    const text = (parts: readonly string[]): string => parts.join(' ');
    fc.assert(
      fc.property(around, fc.constantFrom(...KEYS), around, (before, key, after) => {
        expect(redact(`${text(before)} ${key} ${text(after)}`)).toBe(`${text(before)} ${R} ${text(after)}`);
      }),
    );
  });

  it('changes nothing where there is nothing like a credential, and is the same when done twice', () => {
    fc.assert(fc.property(fc.stringMatching(/^[a-z /;|&<>()$"'\n.-]*$/), (text) => redact(text) === text));
    const pieces = fc.constantFrom(
      ...KEYS,
      'password',
      'token',
      '=',
      ': ',
      '"',
      "'",
      ' ',
      'abc123',
      '://u:',
      '@',
      '-----BEGIN RSA PRIVATE KEY-----',
      '-----END RSA PRIVATE KEY-----',
      ';',
      '/',
      '\n',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 20 }), (parts) => {
        const once = redact(parts.join(''));
        expect(redact(once)).toBe(once);
      }),
    );
  });

  it.each(CREDENTIAL_BEGINNINGS)('finds the key behind a million characters of %j', (piece) => {
    const found = redact(`${millionOf(piece)} ; ${KEYS[0] ?? ''} ;`);
    // An expectation of a million characters takes long to be told.
    expect(found.endsWith(` ; ${R} ;`)).toBe(true);
  });
});
