import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { errorMessage } from '../../domain/errors.js';
import { showUnseen } from '../../domain/hidden-characters.js';
import type { Log } from '../../domain/log.js';
import { redact, secretsOf } from '../../text/redact.js';
import { EXIT, Impossible } from '../exit.js';
import { logTo } from '../log.js';
import { DrivingProgram } from '../ndjson/driving-program.js';
import { type HeadlessHost, openHost } from '../open-host.js';
import { folderAt } from '../places.js';
import type { RunSurroundings } from '../run.js';
import { readStart } from '../start-configuration.js';
import { chooseSession } from '../storage/choose-session.js';
import { Terminal } from '../terminal.js';
import { CallRequests } from './call-requests.js';
import { clientOf } from './client.js';
import { mcpHelp, type McpLine, readMcpLine } from './command-line.js';
import { LineTransport } from './line-transport.js';
import { ServedSession } from './served-session.js';
import { wireTool } from './served-tools.js';

/** What an MCP client starts. */
export interface McpStart extends RunSurroundings {
  /** What stands on the command line behind the name of the command. */
  readonly args: readonly string[];
  /** Such as `1.2.0`. */
  readonly version: string;
}

/**
 * `gnomon mcp serve`: the tools of Gnomon for clients of the Model Context Protocol, over standard input and output. Ends with its input. Does not
 * reject. @returns the exit code
 */
export async function runMcp(start: McpStart): Promise<number> {
  const { streams } = start;
  const line = readMcpLine(start.args);
  if (line.kind === 'help') {
    streams.output.write(mcpHelp('gnomon'));
    return EXIT.done;
  }
  const terminal = new Terminal(streams);
  if (line.kind === 'refused') {
    terminal.line(showUnseen(line.why));
    return EXIT.usage;
  }
  const keys = new Set<string>();
  try {
    return await served(line, start, { keys, log: logTo(terminal, () => secretsOf(keys)), note: (text) => terminal.line(showUnseen(text)) });
  } catch (error) {
    terminal.line(redact(showUnseen(errorMessage(error)), secretsOf(keys)));
    return error instanceof Impossible ? error.exit : EXIT.failed;
  }
}

/** Where the program says what is not for the client. */
interface Said {
  /** Takes the keys that are used, so that what is written can be cleaned of them. */
  readonly keys: Set<string>;
  readonly log: Log;
  readonly note: (text: string) => void;
}

async function served({ options, cwd = '.' }: Extract<McpLine, { kind: 'serve' }>, start: McpStart, { keys, log, note }: Said): Promise<number> {
  const { program, streams } = start;
  const folder = folderAt(resolve(start.folder, cwd));
  const startedWith = await readStart(options.configuration, folder, note);
  const folders = [folder, ...options.addedFolders.map((path) => folderAt(resolve(folder, path)))];
  const { session, places: stored } = await chooseSession(options, { folder, environment: streams.environment, log });
  const passing = options.persists ? undefined : await mkdtemp(join(tmpdir(), 'gnomon-'));
  const places = passing === undefined ? stored : { ...stored, project: passing, sessions: passing, review: join(passing, 'review') };
  const allowed = { trusted: options.trustsProject, bypassConfirmed: options.mayBypass };
  const wish = { folders, places, session, leavesPending: options.storage === 'vscode', ...allowed, startedWith, settings: {}, log, keys };
  try {
    const opened = await openHost(program, { ...wish, driven: new DrivingProgram() });
    try {
      const served = await ServedSession.open(options, opened);
      void opened.tellUnused();
      return await serve(served, start, { opened, folders });
    } finally {
      await opened.close();
    }
  } finally {
    if (passing !== undefined) await rm(passing, { recursive: true, force: true });
  }
}

/** Serves the client until one of the two ends. */
async function serve(
  session: ServedSession,
  start: McpStart,
  { opened, folders }: { readonly opened: HeadlessHost; readonly folders: readonly string[] },
): Promise<number> {
  const { version, streams, stops } = start;
  // Who starts it by hand would wait for something to happen.
  if (streams.input.isTTY === true) opened.log.warn('This serves programs: it reads messages of the Model Context Protocol, one a line. Ctrl+C ends it.');
  const transport = new LineTransport(streams);
  const requests = new CallRequests(session);
  const server = serveStdio(
    ({ era }) => {
      const info = { name: 'gnomon', title: 'Gnomon', version };
      const mcp = new McpServer(info, {
        capabilities: { tools: { listChanged: false } },
        instructions: `The tools work in ${folders.join(', ')}. Relative paths begin in ${folders.at(0) ?? ''}.`,
      });
      mcp.server.setRequestHandler('tools/list', async () => ({ tools: (await session.offered()).map(wireTool) }));
      mcp.server.setRequestHandler('tools/call', ({ params }, context) => requests.answer(params, clientOf(mcp, era, context), context));
      return mcp;
    },
    { transport, maxSubscriptions: 8, onerror: (error) => opened.log.info(errorMessage(error)) },
  );
  let exit: number = EXIT.done;
  const end = (code: number) => (): void => {
    exit = code;
    void server.close();
  };
  const stopping = [stops.onInterrupt(end(EXIT.interrupted)), stops.onTerminate(end(EXIT.terminated))];
  await transport.closed;
  await session.close();
  for (const stop of stopping) stop();
  return exit;
}
