import { type Readable, Writable } from 'node:stream';
import { ndJsonStream } from '@agentclientprotocol/sdk';
import { errorMessage } from '../../domain/errors.js';
import { showUnseen } from '../../domain/hidden-characters.js';
import type { StartConfiguration } from '../../domain/host/start-configuration.js';
import type { Log } from '../../domain/log.js';
import { secretsOf } from '../../text/redact.js';
import { EXIT, Impossible } from '../exit.js';
import { FLAGS, flagLines } from '../flag-table.js';
import { readCommandLine, type RunOptions } from '../flags.js';
import { logTo } from '../log.js';
import type { RunSurroundings } from '../run.js';
import { readStart } from '../start-configuration.js';
import { Terminal } from '../terminal.js';
import { AcpAgent } from './acp-agent.js';
import { MAX_MESSAGE_BYTES, wholeLines } from './whole-lines.js';

/** What an editor starts. */
export interface AcpStart extends RunSurroundings {
  /** What stands on the command line behind the name of the command. */
  readonly args: readonly string[];
  /** Such as `1.2.0`. */
  readonly version: string;
}

/** What is about one prompt, or what the editor says for each session by the protocol; `flags` are what the help leaves out because of it. */
const NOT_HERE: readonly { readonly what: string; readonly flags: readonly string[]; readonly isGiven: (options: RunOptions) => boolean }[] = [
  { what: 'a prompt', flags: ['print'], isGiven: ({ prompt }) => prompt !== undefined },
  { what: '--output-format', flags: ['output-format', 'input-format'], isGiven: ({ output }) => output !== 'text' },
  { what: '--include-partial-messages', flags: ['include-partial-messages'], isGiven: ({ partialMessages }) => partialMessages },
  { what: '--replay-user-messages', flags: [], isGiven: ({ replaysUserMessages }) => replaysUserMessages },
  { what: '--continue or --resume', flags: ['continue', 'resume', 'take-over', 'fork-session'], isGiven: ({ continued }) => continued.kind !== 'new' },
  { what: '--session-id', flags: ['session-id'], isGiven: ({ sessionId }) => sessionId !== undefined },
  { what: '--session-storage', flags: ['session-storage'], isGiven: ({ storage }) => storage !== 'own' },
  { what: '--no-session-persistence', flags: ['no-session-persistence'], isGiven: ({ persists }) => !persists },
  { what: '--json-schema', flags: ['json-schema'], isGiven: ({ schema }) => schema !== undefined },
  { what: '--add-dir', flags: ['add-dir'], isGiven: ({ addedFolders }) => addedFolders.length > 0 },
];

/** The help about `gnomon acp`. */
function acpHelp(): string {
  const elsewhere = new Set(NOT_HERE.flatMap(({ flags }) => flags));
  return [
    'Usage: gnomon acp [OPTION …]',
    '',
    'An agent of the Agent Client Protocol, over standard input and output: an editor starts it, and says',
    'in which folders its sessions work. Sessions are stored, and gone on with from the editor.',
    '',
    ...flagLines(FLAGS.filter(({ name }) => !elsewhere.has(name))),
    '',
    'Exit codes: 0 its input has ended, 1 it failed, 2 the command line is wrong, 130 interrupted,',
    '143 terminated.',
    '',
  ].join('\n');
}

/**
 * `gnomon acp`: Gnomon as an agent of the Agent Client Protocol, over standard input and output, for editors that speak it. Ends with its
 * input. Does not reject. @returns the exit code
 */
export async function runAcp({ args, version, program, streams, stops, folder }: AcpStart): Promise<number> {
  const line = readCommandLine(args);
  if (line.kind === 'help') {
    streams.output.write(acpHelp());
    return EXIT.done;
  }
  const options = line.kind === 'run' ? line.options : undefined;
  const wrong = NOT_HERE.find(({ isGiven }) => options !== undefined && isGiven(options));
  if (options === undefined || wrong !== undefined) {
    streams.errors.write(`${line.kind === 'refused' ? line.why : `gnomon acp cannot have ${wrong?.what ?? 'another command'}.`}\n`);
    return EXIT.usage;
  }
  const terminal = new Terminal(streams);
  const keys = new Set<string>();
  const log = logTo(terminal, () => secretsOf(keys));
  let startedWith: StartConfiguration;
  try {
    startedWith = await readStart(options.configuration, folder, (note) => terminal.line(showUnseen(note)));
  } catch (error) {
    terminal.line(showUnseen(errorMessage(error)));
    return error instanceof Impossible ? error.exit : EXIT.failed;
  }
  // Who starts it by hand would wait for something to happen.
  if (streams.input.isTTY === true) log.warn('This serves editors: it reads messages of the Agent Client Protocol, one a line. Ctrl+C ends it.');
  const acp = new AcpAgent({ program, options, startedWith, environment: streams.environment, folder, version, log, keys });
  return serve(acp, { streams, stops, log });
}

/** Serves the editor until one of the two ends. */
async function serve(acp: AcpAgent, { streams, stops, log }: Pick<AcpStart, 'streams' | 'stops'> & { readonly log: Log }): Promise<number> {
  const { input, output } = streams;
  // An editor that is gone shows as the end of the connection.
  output.on('error', () => undefined);
  const lines = wholeLines({ answer: (line) => output.write(line), warn: (message) => log.warn(message) });
  const stream = ndJsonStream(bytesOut(output), bytesIn(input).pipeThrough(lines), { maxMessageBytes: MAX_MESSAGE_BYTES });
  const connection = acp.app().connect(stream);
  let exit: number = EXIT.done;
  const end = (code: number) => (): void => {
    exit = code;
    connection.close();
  };
  const stopping = [stops.onInterrupt(end(EXIT.interrupted)), stops.onTerminate(end(EXIT.terminated))];
  await connection.closed;
  for (const stop of stopping) stop();
  await acp.close();
  return exit;
}

function bytesOut(output: Writable): WritableStream<Uint8Array> {
  return Writable.toWeb(output);
}

/** Written by hand, as the types of `Readable.toWeb` are not those of the platform. */
function bytesIn(input: Readable): ReadableStream<Uint8Array> {
  const chunks: AsyncIterator<Uint8Array> = input[Symbol.asyncIterator]();
  return new ReadableStream({
    pull: async (controller) => {
      const next = await chunks.next();
      if (next.done === true) controller.close();
      else controller.enqueue(next.value);
    },
  });
}
