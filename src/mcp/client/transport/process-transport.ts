import { setTimeout as delay } from 'node:timers/promises';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import type { McpStdioConfig } from '../../../domain/mcp/config.js';
import { McpError } from '../../../domain/mcp/connection.js';
import { t } from '../../../domain/l10n.js';
import type { McpProcess, McpProcessEnd, StartMcpProcess } from '../../../domain/mcp/process.js';
import { showName, showSize } from '../../../text/show.js';
import { CappedLines } from './capped-lines.js';
import { list, record } from '../wire/json.js';
import { LineReader, type LongLine } from './line-reader.js';
import type { McpLimits } from '../limits.js';

/** Code of the error that stands for an answer that was too long to be read; of the range that JSON-RPC leaves to implementations. */
export const TOO_LONG = -32_099;
/** Characters of a line of noise that are shown. */
const NOISE_CHARACTERS = 200;
/** The grace period of a process after its input was closed, in milliseconds. */
const END_MS = 500;

/** Services that a process transport uses. */
export interface ProcessTransportDeps {
  readonly config: McpStdioConfig;
  /** Where it starts unless its configuration says so. */
  readonly cwd: string;
  readonly start: StartMcpProcess;
  readonly limits: McpLimits;
  readonly stderr: (line: string) => void;
}

/**
 * The stdio transport: messages are lines of a process. The official one ends only the process itself, and gives up when a line is
 * too long. Here all that the server started ends with it, noise is ignored with one warning, and an answer that is too long is an
 * error of its request alone.
 */
export class ProcessTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** Why the process is gone; `undefined` while it runs. */
  end: McpProcessEnd | undefined;

  private process: McpProcess | undefined;
  private starting: Promise<void> | undefined;
  private closing: Promise<void> | undefined;
  private warned = false;
  private closed = false;
  private readonly errors: CappedLines;
  private tellOver: () => void = () => undefined;
  private readonly over: Promise<void>;

  constructor(private readonly deps: ProcessTransportDeps) {
    this.over = new Promise((resolve) => (this.tellOver = resolve));
    this.errors = new CappedLines(deps.limits, deps.stderr);
  }

  start(): Promise<void> {
    this.starting ??= this.startProcess();
    return this.starting;
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.process === undefined || this.closed) throw new McpError('closed', t('The server’s process is not running.'));
    try {
      await this.process.write(`${JSON.stringify(message)}\n`);
    } catch (error) {
      // Mostly because it is ending, and how it ends says more.
      await Promise.race([this.over, delay(END_MS, undefined, { ref: false })]);
      throw new McpError('closed', this.end === undefined ? t('The server’s process does not read any more.') : endText(this.end), { cause: error });
    }
  }

  close(): Promise<void> {
    this.closing ??= this.endProcess();
    return this.closing;
  }

  private async endProcess(): Promise<void> {
    // What is pending fails at once, not when the process is gone.
    this.tellClosed();
    // It may be just starting. If it cannot, there is nothing to end.
    await this.starting?.catch(() => undefined);
    await this.process?.end();
  }

  private async startProcess(): Promise<void> {
    const { config, limits } = this.deps;
    const cwd = config.cwd ?? this.deps.cwd;
    const stdout = new LineReader(limits.messageBytes, { line: (line) => this.receive(line), tooLong: (line) => this.refuse(line) });
    const stderr = new LineReader(limits.messageBytes, { line: (line) => this.errors.add(line), tooLong: ({ head }) => this.errors.add(head) });
    try {
      this.process = await this.deps.start(
        { command: config.command, args: config.args, env: config.env, cwd },
        { stdout: (bytes) => stdout.push(bytes), stderr: (bytes) => stderr.push(bytes), ended: (end) => this.ended(end, stderr) },
      );
    } catch (error) {
      throw startError(error, config, cwd);
    }
  }

  private ended(end: McpProcessEnd, stderr: LineReader): void {
    this.end = end;
    this.tellOver();
    stderr.end();
    this.errors.finish();
    this.tellClosed();
  }

  private tellClosed(): void {
    if (this.closed) return;
    this.closed = true;
    this.onclose?.();
  }

  private receive(line: string): void {
    if (line.trim() === '') return;
    const messages = messagesOf(line);
    if (messages === undefined) this.warn(line);
    else for (const message of messages) this.onmessage?.(message);
  }

  /** Answers in the server's place, so that a request that was refused does not stay open. */
  private refuse({ head, tail, bytes }: LongLine): void {
    const text = t('The server sent a message of {0}; Gnomon reads no more than {1}.', showSize(bytes), showSize(this.deps.limits.messageBytes));
    this.errors.add(text);
    const id = /^\{"jsonrpc":"2\.0","id":(\d+)/.exec(head)?.[1] ?? /"id":(\d+)\s*\}\s*$/.exec(tail)?.[1] ?? /^\{"id":(\d+)/.exec(head)?.[1];
    if (id !== undefined) this.onmessage?.({ jsonrpc: '2.0', id: Number(id), error: { code: TOO_LONG, message: text } });
  }

  private warn(line: string): void {
    if (this.warned) return;
    this.warned = true;
    this.errors.add(
      t(
        'The server wrote something to its standard output that is no message. It is ignored, as is anything else of the kind: {0}',
        showName(line.slice(0, NOISE_CHARACTERS)),
      ),
    );
  }
}

/** The messages of a line: one, or a batch of revision 2025-03-26. `undefined` for noise. */
function messagesOf(line: string): readonly JSONRPCMessage[] | undefined {
  const first = line.trimStart().charAt(0);
  if (first !== '{' && first !== '[') return undefined;
  try {
    const value: unknown = JSON.parse(line);
    const messages = Array.isArray(value) ? list(value) : [value];
    return messages.every(isMessage) ? messages : undefined;
  } catch {
    // Noise is anything that is not JSON.
    return undefined;
  }
}

/** The client checks the rest. */
function isMessage(value: unknown): value is JSONRPCMessage {
  return record(value)?.['jsonrpc'] === '2.0';
}

function startError(error: unknown, { command }: McpStdioConfig, cwd: string): McpError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const known: Readonly<Record<string, () => string>> = {
    ENOENT: () => t('There is no program “{0}”. Install it, or correct the command.', showName(command)),
    EACCES: () => t('“{0}” is no program that may be run.', showName(command)),
    ENOTDIR: () => t('There is no folder “{0}” to start the server in.', showName(cwd)),
  };
  return new McpError(
    'unreachable',
    known[code]?.() ?? (code === '' ? t('The server could not be started.') : t('The server could not be started ({0}).', code)),
    { cause: error },
  );
}

/** Exit code or signal of a process, as a sentence. */
export function endText({ code, signal }: McpProcessEnd): string {
  if (signal !== null) return t('The process was ended by {0}.', signal);
  return code === null ? t('The process ended.') : t('The process ended with exit code {0}.', code);
}
