import { basename } from 'node:path';
import * as z from 'zod/mini';
import { assertNever } from '../domain/assert-never.js';
import { ToolInputError } from '../domain/errors.js';
import { escapeHidden } from '../domain/hidden-characters.js';
import type { Job, JobOutput, Jobs } from '../domain/workspace/jobs.js';
import type { Tool } from '../domain/tool/tool.js';
import type { TakenAway } from '../domain/workspace/processes.js';
import { OTHER_FORMS } from './calls/forms.js';
import { defineTool, textResult } from './calls/define.js';
import { count, showCommand, showName } from '../text/show.js';

const schema = z.strictObject({ action: z.enum(['list', 'output', 'kill']), id: z.optional(z.string()) });
type Args = z.infer<typeof schema>;

const spec = {
  name: 'jobs',
  description: 'List background jobs, get new output, or kill one.',
  parameters: {
    type: 'object',
    properties: { action: { type: 'string', enum: ['list', 'output', 'kill'] }, id: { type: 'string', description: 'Such as job-1' } },
    required: ['action'],
    additionalProperties: false,
  },
};

/** What is asked: of all jobs, or of one. */
type Query = { readonly action: 'list' } | { readonly action: 'output' | 'kill'; readonly id: string };

/** The tool that looks after background commands. */
export function createJobsTool({ jobs }: { readonly jobs: Jobs }): Tool {
  return defineTool<Args, Query>({
    spec,
    schema,
    forms: OTHER_FORMS.jobs,
    plan(args) {
      const query = queryOf(args);
      const target = query.action === 'list' ? 'jobs' : showName(query.id);
      const subject = query.action === 'list' ? 'list' : `${query.action} ${target}`;
      return Promise.resolve({ subject, accesses: [{ kind: 'interact', target }], state: query });
    },
    execute: async (query) => textResult(await answer(jobs, query)),
  });
}

function queryOf({ action, id }: Args): Query {
  if (action === 'list') return { action };
  if (id === undefined) throw new ToolInputError(`The action ${action} needs the id of a job, such as job-1.`);
  return { action, id };
}

async function answer(jobs: Jobs, query: Query): Promise<string> {
  switch (query.action) {
    case 'list':
      return listed(jobs);
    case 'kill':
      await jobs.kill(query.id);
      return reported(jobs, query.id);
    case 'output':
      return reported(jobs, query.id);
    default:
      return assertNever(query);
  }
}

function listed(jobs: Jobs): string {
  // The list says how each stands.
  jobs.news();
  const lines = jobs.list().map((job) => `${job.id} ${jobState(job)}: ${showCommand(job.command)}`);
  return lines.length === 0 ? 'No job was started in this session.' : lines.join('\n');
}

async function reported(jobs: Jobs, id: string): Promise<string> {
  const report = jobReport(await jobs.output(id));
  return [report, ...jobNews(jobs, id)].join('\n');
}

/** How a job stands, such as `running since …` or `ended: exit code 1`. */
function jobState({ ended, startedAt }: Job): string {
  if (ended === undefined) return `running since ${startedAt}`;
  const { exitCode, signal, reason } = ended;
  if (reason === 'killed') return 'ended: killed on request';
  if (reason === 'time_limit') return 'ended: time limit reached, killed';
  if (exitCode !== undefined) return `ended: exit code ${exitCode}`;
  return signal === undefined ? 'ended: exit code unknown' : `ended: killed by ${signal}`;
}

/** How many are named; of more, the first. */
const MAX_NAMED = 20;

/** Says what a command made in the sandbox that it may not make, for the model and the user. */
export function takenAwayLines(taken: readonly TakenAway[] = []): readonly string[] {
  const named = taken.slice(0, MAX_NAMED).map(({ path, kept }) => {
    const what = `[${escapeHidden(path)}: programs outside of the sandbox follow files named ${escapeHidden(basename(path))}, so a command may not create it.`;
    return kept === undefined ? `${what} It could NOT be removed: remove it.]` : `${what} It was removed; a copy is kept at ${escapeHidden(kept)}.]`;
  });
  const left = taken.length - named.length;
  return left === 0 ? named : [...named, `[${count(left, 'more such file')}]`];
}

/** New output of a job, its state and its log file. */
export function jobReport({ job, text, omittedBytes, logFile, logProblem }: JobOutput): string {
  const cut = omittedBytes > 0 ? [`[${count(omittedBytes, 'byte')} before this left out]`] : [];
  const output = text.trimEnd();
  const log = logFile === undefined ? 'no log' : `log: ${logFile}`;
  const problem = logProblem === undefined ? '' : `, incomplete: ${logProblem}`;
  const taken = takenAwayLines(job.ended?.takenAway);
  return [...cut, output === '' ? '(no new output)' : output, ...taken, `[${job.id} ${jobState(job)}; ${log}${problem}]`].join('\n');
}

/** One line for each job that has ended and was not reported to the model yet. @param known id of one that is reported anyway. */
export function jobNews(jobs: Jobs, known?: string): readonly string[] {
  return jobs
    .news()
    .filter(({ id }) => id !== known)
    .flatMap((job) => [`[${job.id} ${jobState(job)}]`, ...takenAwayLines(job.ended?.takenAway)]);
}
