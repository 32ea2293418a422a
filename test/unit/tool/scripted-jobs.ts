import { ToolInputError } from '../../../src/domain/errors.js';
import type { Job, JobOutput, Jobs } from '../../../src/domain/workspace/jobs.js';
import type { CommandRequest } from '../../../src/domain/workspace/processes.js';

/** {@link Jobs} that run nothing: tests say what they write and how they end. */
export interface ScriptedJobs extends Jobs {
  readonly requests: readonly CommandRequest[];
  /** Adds output to what was not asked for yet. */
  write(id: string, text: string): void;
  end(id: string, ended: NonNullable<Job['ended']>): void;
  /** What happens to a job while it is waited for. */
  whileWaiting: (id: string) => void;
}

/** Jobs without any yet. */
export function createScriptedJobs(extra: Partial<JobOutput> = {}): ScriptedJobs {
  const jobs = new Map<string, { job: Job; text: string }>();
  const requests: CommandRequest[] = [];
  let untold: string[] = [];
  const find = (id: string): { job: Job; text: string } => {
    const found = jobs.get(id);
    if (found === undefined) throw new ToolInputError(`There is no job ${id}.`);
    return found;
  };
  const scripted: ScriptedJobs = {
    requests,
    whileWaiting: () => undefined,
    write: (id, text) => void (find(id).text += text),
    end(id, ended) {
      find(id).job = { ...find(id).job, ended };
      untold.push(id);
    },
    start({ command, cwd, timeoutMs }) {
      requests.push({ command, cwd, timeoutMs });
      const job = { id: `job-${jobs.size + 1}`, command, cwd, startedAt: '2025-01-01T00:00:00.000Z' };
      jobs.set(job.id, { job, text: '' });
      return Promise.resolve(job);
    },
    list: () => [...jobs.values()].map(({ job }) => job),
    output(id) {
      const { job, text } = find(id);
      find(id).text = '';
      return Promise.resolve({ job, text, omittedBytes: 0, logFile: `/logs/${id}.log`, ...extra });
    },
    settled(id) {
      scripted.whileWaiting(id);
      return Promise.resolve();
    },
    news() {
      const told = untold.map((id) => find(id).job);
      untold = [];
      return told;
    },
    kill(id) {
      if (find(id).job.ended === undefined) scripted.end(id, { exitCode: undefined, signal: 'SIGTERM', reason: 'killed' });
      return Promise.resolve(find(id).job);
    },
    close: () => Promise.resolve(),
  };
  return scripted;
}
