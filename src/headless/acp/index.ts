import { type Readable, Writable } from 'node:stream';
import { ndJsonStream } from '@agentclientprotocol/sdk';
import { errorMessage } from '../../domain/errors.js';
import { showUnseen } from '../../domain/hidden-characters.js';
import type { StartConfiguration } from '../../domain/host/start-configuration.js';
import { secretsOf } from '../../text/redact.js';
import { EXIT, Impossible } from '../exit.js';
import { helpText } from '../flag-table.js';
import { readCommandLine, type RunOptions } from '../flags.js';
import { logTo } from '../log.js';
import type { RunSurroundings } from '../run.js';
import { readStart } from '../start-configuration.js';
import { Terminal } from '../terminal.js';
import { AcpAgent } from './acp-agent.js';

/** What an editor starts. */
export interface AcpStart extends RunSurroundings {
  /** What stands on the command line behind the name of the command. */
  readonly args: readonly string[];
  /** Such as `1.2.0`. */
  readonly version: string;
}

/** Flags that are about one prompt, or that the editor says for each session by the protocol. */
const NOT_HERE: readonly (readonly [flag: string, isGiven: (options: RunOptions) => boolean])[] = [
  ['a prompt', ({ prompt }) => prompt !== undefined],
  ['--output-format', ({ output }) => output !== 'text'],
  ['--include-partial-messages', ({ partialMessages }) => partialMessages],
  ['--replay-user-messages', ({ replaysUserMessages }) => replaysUserMessages],
  ['--continue or --resume', ({ continued }) => continued.kind !== 'new'],
  ['--session-id', ({ sessionId }) => sessionId !== undefined],
  ['--session-storage', ({ storage }) => storage !== 'own'],
  ['--no-session-persistence', ({ persists }) => !persists],
  ['--json-schema', ({ schema }) => schema !== undefined],
  ['--add-dir', ({ addedFolders }) => addedFolders.length > 0],
];

/**
 * `gnomon acp`: Gnomon as an agent of the Agent Client Protocol, over standard input and output, for editors that speak it. Ends with its
 * input. Does not reject. @returns the exit code
 */
export async function runAcp({ args, version, program, streams, stops, folder }: AcpStart): Promise<number> {
  const line = readCommandLine(args);
  if (line.kind === 'help') {
    streams.output.write(helpText('gnomon'));
    return EXIT.done;
  }
  const options = line.kind === 'run' ? line.options : undefined;
  const wrong = NOT_HERE.find(([, isGiven]) => options !== undefined && isGiven(options));
  if (options === undefined || wrong !== undefined) {
    streams.errors.write(`${line.kind === 'refused' ? line.why : `gnomon acp cannot have ${wrong?.[0] ?? 'another command'}.`}\n`);
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
  const acp = new AcpAgent({ program, options, startedWith, environment: streams.environment, folder, version, log, keys });
  return serve(acp, streams, stops);
}

/** Serves the editor until one of the two ends. */
async function serve(acp: AcpAgent, { input, output }: AcpStart['streams'], stops: AcpStart['stops']): Promise<number> {
  // An editor that is gone shows as the end of the connection.
  output.on('error', () => undefined);
  const connection = acp.app().connect(ndJsonStream(bytesOut(output), bytesIn(input)));
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
