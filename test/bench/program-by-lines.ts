import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';

/** How a program is started. */
export interface Place {
  /** Absolute paths: of Node.js, and of the folder that it works in. */
  readonly node: string;
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

const RESULT = Buffer.from('"type":"result"');
const LINE_FEED = 10;

/** The program without a window, driven by lines of JSON, which are not parsed: that would take the processor from it. */
export class ProgramByLines {
  private readonly process: ChildProcessByStdio<Writable, Readable, null>;
  private readonly ended: Promise<unknown>;
  private bytes = 0;
  private answered: (() => void) | undefined;

  /** @param path of the program */
  constructor(path: string, { node, folder, env }: Place, options: readonly string[] = []) {
    const args = ['-p', '--input-format', 'stream-json', '--output-format', 'stream-json', '--model', 'anthropic/claude-sonnet-5-5', ...options];
    this.process = spawn(node, [path, ...args], { cwd: folder, env, stdio: ['pipe', 'pipe', 'ignore'] });
    this.ended = once(this.process, 'exit');
    let last = Buffer.alloc(0);
    let hasResult = false;
    this.process.stdout.on('data', (part: Buffer) => {
      this.bytes += part.length;
      // The name of the message may be cut in two.
      const seen = Buffer.concat([last, part]);
      last = seen.subarray(-RESULT.length + 1);
      hasResult ||= seen.includes(RESULT);
      if (!hasResult || part.at(-1) !== LINE_FEED) return;
      hasResult = false;
      this.answered?.();
    });
  }

  /** @throws Error where it could not be started */
  get pid(): number {
    if (this.process.pid === undefined) throw new Error('The program could not be started.');
    return this.process.pid;
  }

  /** Sends a message, and waits for the result. @returns how many bytes came until then */
  async answerTo(content: string): Promise<number> {
    const before = this.bytes;
    const answer = new Promise<boolean>((resolve) => (this.answered = () => resolve(true)));
    this.process.stdin.write(`${JSON.stringify({ type: 'user', message: { role: 'user', content }, parent_tool_use_id: null })}\n`);
    if (!(await Promise.race([answer, this.ended.then(() => false)]))) throw new Error('The program has ended.');
    return this.bytes - before;
  }

  /** Ends its input, and waits for its end. */
  async end(): Promise<void> {
    this.process.stdin.end();
    await this.ended;
  }
}
