import { PassThrough, type Readable } from 'node:stream';
import { objectIn } from './control.js';
import { InputLines } from './input-lines.js';

/** Input, of which some was read before the run began. */
export interface BegunInput {
  readonly head: Uint8Array;
  readonly ended: boolean;
  /** What is behind that. */
  readonly rest: Readable;
  /** MCP servers that the first request brings, as the JSON of a file with servers. */
  readonly servers?: string;
}

/**
 * Waits for the first line, for a program that brings in `initialize` what has to be known before the run begins (`--await-initialize`): MCP
 * servers, so that they are in no command line, which other users of the machine can read.
 */
export function beginInput(input: Readable): Promise<BegunInput> {
  // Standard input of Node that was paused does not always go on.
  const rest = input.pipe(new PassThrough());
  input.once('error', () => rest.end());
  const parts: Buffer[] = [];
  const lines = new InputLines();
  return new Promise((resolve) => {
    const done = (first: ReturnType<InputLines['push']>, ended: boolean): void => {
      rest.off('data', take).off('end', end);
      rest.pause();
      resolve({ head: Buffer.concat(parts), ended, rest, ...serversIn(first) });
    };
    const take = (bytes: Buffer): void => {
      parts.push(bytes);
      const found = lines.push(bytes);
      if (found.length > 0) done(found, false);
    };
    const end = (): void => done(lines.end(), true);
    rest.on('data', take).once('end', end);
  });
}

function serversIn([first]: ReturnType<InputLines['push']>): Pick<BegunInput, 'servers'> {
  const { subtype, mcpServers } = objectIn(first?.kind === 'object' ? first.value['request'] : undefined);
  return subtype === 'initialize' && mcpServers !== undefined && mcpServers !== null ? { servers: JSON.stringify({ mcpServers }) } : {};
}
