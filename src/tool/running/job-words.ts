import type { Job, JobOutput, Jobs } from '../../domain/workspace/jobs.js';
import { count } from '../../text/show.js';

/** How a job stands, such as `running since …` or `ended: exit code 1`. */
export function jobState({ ended, startedAt }: Job): string {
  if (ended === undefined) return `running since ${startedAt}`;
  const { exitCode, signal, reason } = ended;
  if (reason === 'killed') return 'ended: killed on request';
  if (reason === 'time_limit') return 'ended: time limit reached, killed';
  if (exitCode !== undefined) return `ended: exit code ${exitCode}`;
  return signal === undefined ? 'ended: exit code unknown' : `ended: killed by ${signal}`;
}

/** New output of a job, its state and its log file. */
export function jobReport({ job, text, omittedBytes, logFile, logProblem }: JobOutput): string {
  const cut = omittedBytes > 0 ? [`[${count(omittedBytes, 'byte')} before this left out]`] : [];
  const output = text.trimEnd();
  const log = logFile === undefined ? 'no log' : `log: ${logFile}`;
  const problem = logProblem === undefined ? '' : `, incomplete: ${logProblem}`;
  return [...cut, output === '' ? '(no new output)' : output, `[${job.id} ${jobState(job)}; ${log}${problem}]`].join('\n');
}

/** One line for each job that has ended and was not reported to the model yet. @param known id of one that is reported anyway. */
export function jobNews(jobs: Jobs, known?: string): readonly string[] {
  return jobs.news().filter(({ id }) => id !== known).map((job) => `[${job.id} ${jobState(job)}]`);
}
