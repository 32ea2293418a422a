import { errorMessage } from '../domain/errors.js';
import { showUnseen } from '../domain/hidden-characters.js';
import type { Log } from '../domain/log.js';
import { redact } from '../text/redact.js';
import type { Terminal } from './terminal.js';

/** A log on the terminal: what matters to users. The rest would only be in the way. @param secrets what must not stand there */
export function logTo(terminal: Terminal, secrets: () => readonly string[]): Log {
  const say = (message: string): void => terminal.line(redact(showUnseen(message), secrets()));
  return { info: () => undefined, warn: say, error: (message, error) => say(error === undefined ? message : `${message}: ${errorMessage(error)}`) };
}
