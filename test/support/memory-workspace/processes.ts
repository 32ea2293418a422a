import type { CommandOutcome, CommandRequest, Processes } from '../../../src/domain/workspace/processes.js';

/** What a scripted command does: a fixed outcome, or a function of the request. */
type CommandScript =
  | Partial<CommandOutcome>
  | ((request: CommandRequest, signal: AbortSignal, output: (chunk: string) => void) => Promise<Partial<CommandOutcome>>);

/** {@link Processes} that run nothing: every command must have been scripted. */
export interface ScriptedProcesses extends Processes {
  /** Every request, in order. */
  readonly requests: readonly CommandRequest[];
  /** Says what a command does from now on. */
  on(command: string, script: CommandScript): void;
}

/** Processes without a script yet. */
export function createScriptedProcesses(): ScriptedProcesses {
  const scripts = new Map<string, CommandScript>();
  const requests: CommandRequest[] = [];
  return {
    requests,
    on: (command, script) => void scripts.set(command, script),
    async run(request, signal, output) {
      requests.push(request);
      const script = scripts.get(request.command);
      if (script === undefined) throw new Error(`The command ${JSON.stringify(request.command)} was not scripted.`);
      if (typeof script === 'function') return completed(await script(request, signal, output));
      if (signal.aborted) return completed({ exitCode: undefined, signal: 'SIGTERM', cancelled: true });
      if (script.output !== undefined) output(script.output);
      return completed(script);
    },
  };
}

function completed(outcome: Partial<CommandOutcome>): CommandOutcome {
  return { exitCode: 0, signal: undefined, timedOut: false, cancelled: false, output: '', omittedBytes: 0, logFile: undefined, durationMs: 1, ...outcome };
}
