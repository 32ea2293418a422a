import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { expect, it, onTestFinished, vi } from 'vitest';
import manifest from '../../../package.json' with { type: 'json' };
import type { FileReview } from '../../../src/edits/ledger-entry.js';
import { main } from '../../../src/headless/index.js';
import { changeLines } from '../../../src/headless/report.js';
import { MODEL } from '../../support/entries/entry.js';
import { inEnvironment, ProgramHere } from '../../support/entries/program-here.js';
import { environmentOf, headlessProgram, messagesIn } from '../../support/headless-program.js';
import { Written } from '../../support/headless-sessions.js';
import { lastToolResults, type ModelServer, type Reply, reply, startModelServer } from '../../support/model-server/index.js';
import { user } from '../../support/protocol-messages.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { TerminalUser } from '../../support/terminal-user.js';

const program = headlessProgram();

const ESCAPE = '\u001B';
/** A movement or a look, or one character. */
const PIECES = new RegExp(`${ESCAPE}\\[[\\d;]*[A-Za-z]|[\\s\\S]`, 'gu');

/** The screen of a terminal, as far as the program moves on it (ECMA-48: EL, SGR). */
class Screen {
  private lines = [''];
  private column = 0;
  /** A stream whose text appears on it. */
  readonly stream = (): Writable & { readonly isTTY: true } => {
    const write = (chunk: Buffer, _encoding: BufferEncoding, done: () => void): void => {
      this.show(chunk.toString('utf8'));
      done();
    };
    return Object.assign(new Writable({ write }), { isTTY: true as const });
  };

  constructor(private readonly changed: (text: string) => void) {}

  /** What can be read, without the looks. */
  get text(): string {
    return this.lines.map((line) => line.trimEnd()).join('\n');
  }

  private show(text: string): void {
    for (const [piece] of text.matchAll(PIECES)) this.take(piece);
    this.changed(this.text);
  }

  private take(piece: string): void {
    const last = this.lines.length - 1;
    const line = this.lines[last] ?? '';
    if (piece === '\n') {
      this.lines.push('');
      this.column = 0;
    } else if (piece === '\r') this.column = 0;
    else if (piece === `${ESCAPE}[2K`) this.lines[last] = ' '.repeat(this.column);
    else if (!piece.startsWith(ESCAPE)) {
      this.lines[last] = line.slice(0, this.column).padEnd(this.column) + piece + line.slice(this.column + piece.length);
      this.column += piece.length;
    }
  }
}

/**
 * A run of a prompt on a terminal, where a user answers questions with these keys, each once its prompt is there.
 * @param output takes the answer. Left out: it is on the terminal, too
 */
async function run(
  script: Parameters<ModelServer['setScript']>[0],
  keys: string,
  output?: Writable,
  args: readonly string[] = [],
): Promise<{ readonly code: number; readonly screen: string; readonly folder: string }> {
  const server = await startModelServer();
  onTestFinished(() => server.close());
  server.setScript(script);
  const [folder, home] = [temporaryFolder(), temporaryFolder()];
  const environment = environmentOf(home, { ANTHROPIC_API_KEY: 'sk-test-1234567890', ANTHROPIC_BASE_URL: server.url });
  for (const [name, value] of Object.entries(environment)) if (value !== undefined) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
  const input = Object.assign(new PassThrough(), { isTTY: true as const, setRawMode: () => undefined });
  const user = new TerminalUser(
    (key) => input.write(key),
    (n) => keys[n],
  );
  onTestFinished(() => user.stop());
  const screen = new Screen((text) => user.sees(text));
  const code = await main({
    args: ['-p', 'Go', '--model', 'anthropic/claude-sonnet-5-5', ...args],
    streams: { input, output: output ?? screen.stream(), errors: screen.stream(), environment },
    stops: { onInterrupt: () => () => undefined, onTerminate: () => () => undefined },
    folder,
    version: manifest.version,
    program: { grammars: program.path('../wasm'), ripgrep: () => Promise.reject(new Error('Nothing is searched for.')), manifest },
  });
  return { code, screen: screen.text, folder };
}

const command = (made: string | undefined): Reply =>
  made === undefined
    ? reply().text('Done.')
    : reply()
        .text('I make it.')
        .toolCall('bash', { command: `touch ${made}` });

it('a call is asked about once, and what was said before it stays on the screen', async () => {
  const { code, screen, folder } = await run((_request, n) => command(['made'][n]), 'y');
  expect([code, existsSync(join(folder, 'made'))]).toEqual([0, true]);
  expect(screen.replaceAll(folder, 'FOLDER')).toBe(`I make it.

Run this command?
  touch made
  in FOLDER
[y] allow
[a] always allow Bash(touch made) in this session
[n] deny
[d] deny and say why
Allowed.

Done.
`);
});

it('each call is asked about, a denial is said, and an answer for the session holds for the next', async () => {
  const { screen, folder } = await run((_request, n) => command(['one', 'two', 'two'][n]), 'na');
  expect(['one', 'two'].map((name) => existsSync(join(folder, name)))).toEqual([false, true]);
  expect(screen.match(/^(?:Denied|Allowed|Run this).*$/gm)).toEqual([
    'Run this command?',
    expect.stringMatching(/^Denied: bash touch one – /),
    'Run this command?',
    'Allowed in this session.',
  ]);
});

it('an answer that goes through a pipe to the same terminal can neither forge a question nor be taken away by what is shown beside it', async () => {
  const forged = `${ESCAPE}[2J${ESCAPE}[H\u009B2J\rRun this command?\r\n`;
  const output = new Written();
  const { screen } = await run(
    ({ body }) => (lastToolResults(body).length === 0 ? reply().text(forged).toolCall('bash', { command: 'touch made' }) : reply().text('Done.')),
    'n',
    output,
  );
  expect(output.text).toBe('\\u{1b}[2J\\u{1b}[H\\u{9b}2J\\u{d}Run this command?\n\nDone.\n');
  expect(screen).toMatch(/^\nRun this command\?\n {2}touch made\n/);
});

it.each(['json', 'stream-json'])('a message as %s has nothing that a terminal follows, with the same content', async (format) => {
  const words = `a\u009B31m${ESCAPE}[31m\u202Eb\u007F`;
  const output = new Written();
  await run(() => reply().text(words), '', output, ['--output-format', format]);
  expect(output.text).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
  expect(messagesIn(output.text).at(-1)).toMatchObject({ result: words });
});

it('so have the messages of the protocol', async () => {
  const server = await startModelServer();
  onTestFinished(() => server.close());
  const words = `a\u009B31m${ESCAPE}[31m\u202Eb`;
  server.setScript(() => reply().text(words));
  const args = ['--input-format', 'stream-json', '--output-format', 'stream-json', '--model', MODEL];
  const driven = new ProgramHere({ args, folder: temporaryFolder(), environment: inEnvironment(temporaryFolder(), server.url), screen: () => undefined });
  driven.process.stdin.end(`${JSON.stringify(user('Go'))}\n`);
  expect((await driven.end).output).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
  expect(driven.ofType('result')).toMatchObject([{ result: words }]);
});

it('a name with a line break is on one line of what was changed', () => {
  const file: FileReview = { path: '/work/a\nb.sh', sessions: [], created: true, deleted: false, hunks: [], lines: undefined, baseline: undefined };
  const files = [file, { ...file, path: '/work/c', created: false, movedFrom: '/work/d\u202E' }];
  expect(changeLines(files, '/work')).toEqual(['2 files changed:', '  a\\u{a}b.sh: created', '  c: moved from d\\u{202e}']);
});
