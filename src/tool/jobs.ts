import * as z from 'zod/mini';
import { assertNever } from '../domain/assert-never.js';
import { ToolInputError } from '../domain/errors.js';
import type { Jobs } from '../domain/workspace/jobs.js';
import type { Tool } from '../domain/tool/tool.js';
import { defineTool, textResult } from './calls/define.js';
import { jobNews, jobReport, jobState } from './running/job-words.js';
import { showCommand, showName } from '../text/show.js';

const schema = z.strictObject({
  action: z.enum(['list', 'output', 'kill']),
  id: z.optional(z.string()),
});
type Args = z.infer<typeof schema>;

const spec = {
  name: 'jobs',
  description: 'List background jobs, get new output, or kill one.',
  parameters: {
    type: 'object',
    properties: {
      action: { type: 'string', enum: ['list', 'output', 'kill'] },
      id: { type: 'string' },
    },
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
