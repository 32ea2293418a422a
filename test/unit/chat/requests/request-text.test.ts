import { execFile, execFileSync } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SentRequest } from '../../../../src/provider/http/request-log.js';
import { bodyText, curlCommand, requestText } from '../../../../src/chat/requests/request-text.js';
import { json, type OpenAiServer, startOpenAiServer } from '../../../support/openai-server/index.js';
import { type RecordingProxy, startRecordingProxy } from '../../../support/recording-proxy/index.js';

const BODY = JSON.stringify({ model: 'm', system: 'You are.', messages: [{ role: 'user\n// fake\u202E', content: 'Hi \u200B' }] });

const WAITING: SentRequest = {
  id: 3,
  sender: { provider: 'anthropic', model: 'claude', session: 'session-1' },
  method: 'POST',
  url: ['https://api.example.com/v1/messages?key=', { characters: 5 }],
  headers: [
    { name: 'host', value: ['api.example.com'] },
    { name: 'x-api-key', value: [{ characters: 51 }] },
    { name: 'x-odd', value: ['a\u202Eb'] },
  ],
  allHeaders: true,
  body: [Buffer.from(BODY)],
  size: Buffer.byteLength(BODY),
  sentAt: 0,
};
const REQUEST: SentRequest = {
  ...WAITING,
  answer: { status: 200, afterMs: 812 },
  end: { outcome: 'complete', afterMs: 5_100, usage: { inputTokens: 10, cacheReadTokens: 20, cacheWriteTokens: 5, outputTokens: 7 } },
};

describe('a request as a document', () => {
  it('ends with the body exactly as it was sent, behind comments of one line each', () => {
    const text = requestText(REQUEST, 'sent');
    expect(text.endsWith(`\n${BODY}`)).toBe(true);
    const head = text.slice(0, -BODY.length).trimEnd().split('\n');
    expect(head.every((line) => line.startsWith('//'))).toBe(true);
    expect(head.slice(0, 4)).toEqual([
      '// POST https://api.example.com/v1/messages?key=‹redacted: 5 characters›',
      '// host: api.example.com',
      '// x-api-key: ‹redacted: 51 characters›',
      String.raw`// x-odd: a\u{202e}b`,
    ]);
    for (const line of [
      '// Model: anthropic/claude',
      '// Chat: session-1',
      '// Response: status 200 after 0.8 s, complete after 5.1 s',
      '// Tokens as the server reports them: 35 in (20 read from the cache, 5 written to it), 7 out',
    ])
      expect(head).toContain(line);
    expect(head.some((line) => /^\/\/ +\d+ {2}System prompt$/.test(line))).toBe(true);
    expect(head.some((line) => line.endsWith(String.raw`Message 1: user\u{a}// fake\u{202e}`))).toBe(true);
  });

  it('has the body formatted, or the formatted body alone', () => {
    const formatted = JSON.stringify(JSON.parse(BODY), null, 2);
    expect(requestText(REQUEST, 'formatted').endsWith(`\n${formatted}`)).toBe(true);
    expect(requestText(REQUEST, 'body')).toBe(formatted);
  });

  it('says what is not known', () => {
    const text = requestText({ ...WAITING, sender: { provider: 'mine', model: '' }, allHeaders: false, body: 'not json \uFEFF' }, 'sent');
    for (const line of ['// Model: mine', '// Response: in progress', '// The headers that the connection adds are not known.'])
      expect(text.split('\n')).toContain(line);
    expect(text).not.toContain('Chat:');
    expect(text.endsWith('\nnot json \uFEFF')).toBe(true);
  });

  it('is put together from the pieces of a stream, whose ends may be within a character', () => {
    const bytes = Buffer.from('\uFEFF{"a":"😀"}');
    expect(bodyText({ ...REQUEST, body: [bytes.subarray(0, 10), bytes.subarray(10)] })).toBe('\uFEFF{"a":"😀"}');
  });
});

const run = promisify(execFile);

/** The shells of this machine in which the command is tried; it is meant for all that follow POSIX. */
const SHELLS = ['sh', 'bash', 'dash', 'zsh'].filter((shell) => isThere(shell));

function isThere(program: string): boolean {
  try {
    execFileSync(program, ['-c', 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

function hasCurl(): boolean {
  try {
    execFileSync('curl', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

function sent(url: SentRequest['url'], more: Partial<SentRequest> = {}): SentRequest {
  return {
    id: 1,
    sender: { provider: 'anthropic', model: 'm', keyVariable: 'ANTHROPIC_API_KEY' },
    method: 'POST',
    url,
    headers: [
      { name: 'host', value: ['api.example.com'] },
      { name: 'content-length', value: ['5'] },
      { name: 'accept-encoding', value: ['gzip'] },
      { name: 'authorization', value: ['Bearer ', { characters: 9 }] },
      { name: 'x-api-key', value: [{ characters: 9 }] },
      { name: 'x-gateway', value: [{ characters: 4 }] },
      { name: 'content-type', value: ['application/json'] },
      { name: 'x-empty', value: [''] },
      { name: 'x-odd', value: [`it's "$HOME" \`id\` \\ !x`] },
    ],
    allHeaders: true,
    body: '',
    size: 0,
    sentAt: 0,
    ...more,
  };
}

describe('the command for curl', () => {
  it('has variables where keys were, and no key', () => {
    const command = curlCommand(sent(['https://api.example.com/v1?key=', { characters: 9 }, '&b=[1]']), [`{"a":"it's`, { characters: 9 }, '"}']);
    expect(command.split(' \\\n  ')).toEqual([
      String.raw`printf '%s' '{"a":"it'\''s'"$SECRET_IN_BODY"'"}' | curl --request 'POST'`,
      '--globoff',
      `'https://api.example.com/v1?key='"$ANTHROPIC_API_KEY"'&b=[1]'`,
      `--header 'authorization: Bearer '"$ANTHROPIC_API_KEY"`,
      `--header 'x-api-key: '"$ANTHROPIC_API_KEY"`,
      `--header 'x-gateway: '"$HEADER_X_GATEWAY"`,
      "--header 'content-type: application/json'",
      "--header 'x-empty;'",
      String.raw`--header 'x-odd: it'\''s "$HOME" ` + '`id`' + String.raw` \ !x'`,
      '--data-binary @-\n',
    ]);
  });

  it('names the variable after a provider that has none, and never after a header alone', () => {
    const headers = [
      { name: 'Path', value: [{ characters: 4 }] },
      { name: 'api-key', value: [{ characters: 4 }] },
    ];
    const command = curlCommand(sent(['http://x/'], { sender: { provider: '1-my.server', model: 'm' }, headers }), ['']);
    expect(command).toContain(`--header 'Path: '"$HEADER_PATH"`);
    expect(command).toContain(`--header 'api-key: '"$_1_MY_SERVER_API_KEY"`);
  });
});

describe.runIf(hasCurl())('the command, run by curl', () => {
  let server: OpenAiServer;
  let proxy: RecordingProxy;
  beforeAll(async () => {
    server = await startOpenAiServer(() => json({ ok: true }));
    proxy = await startRecordingProxy(server.url);
  });
  afterAll(async () => {
    await proxy.close();
    await server.close();
  });

  const BODIES: Readonly<Record<string, string>> = {
    quotes: JSON.stringify({ text: `it's "quoted" '' $HOME $(id) \`id\` !! \\ \\n %s %% @file` }),
    'other scripts and hidden characters': JSON.stringify({ text: 'äöü 😀 \u202E\u200B\u2028 \u007F \u0085' }),
    'several lines': '{\r\n  "a": 1\n}\n\n',
    'more than one argument may have': JSON.stringify({ text: "it's long ".repeat(100_000) }),
  };

  it.each(SHELLS.flatMap((shell) => Object.keys(BODIES).map((name) => [shell, name] as const)))('in %s sends the same bytes: %s', async (shell, name) => {
    const body = BODIES[name] ?? '';
    const before = proxy.requests().length;
    const command = curlCommand(sent([`${proxy.url}/v1/messages?key=`, { characters: 9 }]), [body]);
    const env = { PATH: process.env['PATH'], ANTHROPIC_API_KEY: 'key-4711', HEADER_X_GATEWAY: 'g a"te' };
    const running = run(shell, ['-s'], { env });
    running.child.stdin?.end(command);
    expect((await running).stdout).toContain('ok');
    const arrived = proxy.requests()[before];
    expect(arrived?.line).toBe('POST /v1/messages?key=key-4711 HTTP/1.1');
    expect(arrived?.body.equals(Buffer.from(body))).toBe(true);
    const headers = new Map(arrived?.headers);
    expect([headers.get('x-api-key'), headers.get('x-gateway'), headers.get('x-empty'), headers.get('x-odd'), headers.get('content-type')]).toEqual([
      'key-4711',
      'g a"te',
      '',
      `it's "$HOME" \`id\` \\ !x`,
      'application/json',
    ]);
  });
});
