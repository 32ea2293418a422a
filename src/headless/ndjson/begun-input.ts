import type { Readable } from 'node:stream';
import { objectIn } from './control.js';
import { InputLines } from './input-lines.js';

/** What was read of the input before the run began. */
export interface BegunInput {
  readonly head: Uint8Array;
  readonly ended: boolean;
  /** MCP servers that the first request brings, as the JSON of a file with servers. */
  readonly servers?: string;
}

/** Where nothing is waited for. */
export const NOTHING_READ: BegunInput = { head: new Uint8Array(), ended: false };

/**
 * Waits for the first line, for a program that brings in `initialize` what has to be known before the run begins (`--await-initialize`): MCP
 * servers, so that they are in no command line, which other users of the machine can read.
 */
export function beginInput(input: Readable): Promise<BegunInput> {
  const parts: Buffer[] = [];
  const lines = new InputLines();
  return new Promise((resolve) => {
    const done = (first: ReturnType<InputLines['push']>, ended: boolean): void => {
      input.off('data', take).off('end', end).off('error', end);
      input.pause();
      resolve({ head: Buffer.concat(parts), ended, ...serversIn(first) });
    };
    const take = (bytes: Buffer): void => {
      parts.push(bytes);
      const found = lines.push(bytes);
      if (found.length > 0) done(found, false);
    };
    const end = (): void => done(lines.end(), true);
    input.on('data', take).once('end', end).once('error', end);
  });
}

function serversIn([first]: ReturnType<InputLines['push']>): Pick<BegunInput, 'servers'> {
  const { subtype, mcpServers } = objectIn(first?.kind === 'object' ? first.value['request'] : undefined);
  return subtype === 'initialize' && mcpServers !== undefined && mcpServers !== null ? { servers: JSON.stringify({ mcpServers }) } : {};
}
