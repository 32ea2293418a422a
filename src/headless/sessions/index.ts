import { errorMessage } from '../../domain/errors.js';
import { EXIT, Impossible } from '../exit.js';
import { logTo } from '../log.js';
import { shown } from '../shown.js';
import { sessionPlaces } from '../storage/session-places.js';
import { type Streams, Terminal } from '../terminal.js';
import { deleteSession, forkSession, renameSession, restoreSession } from './change-session.js';
import { readSessionsLine, type SessionsCommand, sessionsHelp } from './command-line.js';
import { exportSession } from './export-session.js';
import { showList } from './list-sessions.js';
import type { Desk } from './desk.js';
import { showSession } from './show-session.js';

/** Surroundings of the command in its process. */
export interface SessionsSurroundings {
  readonly streams: Streams;
  /** Absolute path of the current folder. */
  readonly folder: string;
}

/** Does what stands behind `gnomon sessions`. Does not reject. @returns the exit code */
export async function runSessions(args: readonly string[], { streams, folder }: SessionsSurroundings): Promise<number> {
  const terminal = new Terminal(streams);
  // A reader such as `head` may have enough.
  streams.output.on('error', () => undefined);
  const line = readSessionsLine(args);
  if (line.kind === 'help') {
    streams.output.write(sessionsHelp('gnomon'));
    return EXIT.done;
  }
  if (line.kind === 'refused') {
    terminal.line(shown(line.why));
    return EXIT.usage;
  }
  try {
    const log = logTo(terminal, () => []);
    const places = await sessionPlaces({ kind: line.storage, folder, environment: streams.environment, log });
    await carryOut(line.command, { streams, terminal, folder, places, log });
    return EXIT.done;
  } catch (error) {
    terminal.line(shown(errorMessage(error)));
    return error instanceof Impossible ? error.exit : EXIT.failed;
  }
}

function carryOut(command: SessionsCommand, desk: Desk): Promise<void> {
  switch (command.kind) {
    case 'list':
      return showList(command, desk);
    case 'show':
      return showSession(command.id, desk);
    case 'rename':
      return renameSession(command.id, command.title, desk);
    case 'fork':
      return forkSession(command.id, command.json, desk);
    case 'export':
      return exportSession(command.id, command.wish, desk);
    case 'delete':
      return deleteSession(command.id, command.permanently, desk);
    case 'restore':
      return restoreSession(command.id, desk);
  }
}
