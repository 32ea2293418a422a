import { resolve } from 'node:path';
import { present } from '../../domain/present.js';
import type { Options } from './options.js';
import { ProcessTransport } from './process-transport.js';
import type { Transport } from './transport.js';

/** Characters of a line at most where nothing else is said. */
const MAX_LINE = 64 * 1024 * 1024;

/** Which program is started, and where. */
export type CliOptions = Pick<Options, 'cwd' | 'env' | 'user' | 'maxBufferSize' | 'stderr' | 'cliPath' | 'transport'>;

/** The way to the program. @param args the command line, without the names of Node and the program */
export function transportTo(args: readonly string[], options: CliOptions): Transport {
  const start = {
    args,
    cwd: resolve(options.cwd ?? '.'),
    env: { ...process.env, ...options.env },
    maxBufferSize: options.maxBufferSize ?? MAX_LINE,
    ...present({ stderr: options.stderr, user: options.user }),
  };
  return options.transport?.(start) ?? new ProcessTransport(start, options.cliPath);
}
