import { helpText } from './flag-table.js';
import { readCommandLine } from './flags.js';
import type { ProgramParts } from './open-host.js';
import { EXIT, type Stops } from './exit.js';
import type { Streams } from './terminal.js';
import { type Environment, homeProblem } from './user-data.js';

export type { ProgramParts } from './open-host.js';
export type { Stops } from './exit.js';
export type { Streams } from './terminal.js';

/** What the program is started with. */
export interface Start {
  /** The command line, without the names of Node and the program. */
  readonly args: readonly string[];
  readonly streams: Streams;
  readonly stops: Stops;
  /** Absolute path of the current folder; empty where that has been deleted. */
  readonly folder: string;
  /** Such as `1.2.0`. */
  readonly version: string;
  readonly program: ProgramParts;
}

/** The program without a window. Does not reject. @returns the exit code */
export async function main({ args, streams, stops, folder, version, program }: Start): Promise<number> {
  const line = readCommandLine(args);
  const problem = line.kind === 'run' || line.kind === 'command' ? surroundingsProblem(folder, streams.environment) : undefined;
  if (problem !== undefined) {
    streams.errors.write(`${problem}\n`);
    return EXIT.usage;
  }
  switch (line.kind) {
    case 'version':
      streams.output.write(`${version}\n`);
      return EXIT.done;
    case 'help':
      streams.output.write(helpText('gnomon'));
      return EXIT.done;
    case 'refused':
      streams.errors.write(`${line.why}\n`);
      return EXIT.usage;
    case 'command':
      if (line.name === 'sessions') return (await import('./sessions/index.js')).runSessions(line.args, { streams, folder });
      if (line.name === 'mcp') return (await import('./mcp-serve/index.js')).runMcp({ args: line.args, version, program, streams, stops, folder });
      return (await import('./acp/index.js')).runAcp({ args: line.args, version, program, streams, stops, folder });
    case 'run':
      for (const warning of line.warnings) streams.errors.write(`${warning}\n`);
      // What asks for the version, or mistypes an option, does not wait for the agent to be loaded.
      return (await import('./run.js')).run(line.options, { program, streams, stops, folder });
  }
}

/** Why nothing can be run here, as a sentence; `undefined` where it can. */
function surroundingsProblem(folder: string, environment: Environment): string | undefined {
  return folder === '' ? 'The current folder has been deleted. Go to one that is there, and try again.' : homeProblem(environment);
}
