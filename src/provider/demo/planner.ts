import type { Request } from '../../domain/model/provider.js';
import { Facts } from './facts.js';
import { nextFixStep } from './fix-tests.js';
import { currentJob } from './intent.js';
import { pastCalls } from './past-calls.js';
import type { Step } from './step.js';
import { summaryStep } from './summary.js';
import * as words from './words.js';

const NEEDED_TOOLS = ['bash', 'read', 'glob', 'edit'];

/** The next step of the script: a pure function of the conversation. */
export function planStep(request: Pick<Request, 'messages' | 'tools' | 'systemPrompt'>): Step {
  // Nothing but a summary is asked for without tools and under a prompt of its own.
  if (request.tools.length === 0 && request.systemPrompt.startsWith('You summarise')) return { text: summaryStep(request) };
  const job = currentJob(request.messages);
  if (job.kind === 'other') return { text: words.EXPLANATION };
  const missing = NEEDED_TOOLS.filter((name) => !request.tools.some((tool) => tool.name === name));
  if (missing.length > 0) return { text: words.giveUp(`I need the tools ${missing.join(', ')} for this, and do not have them here.`) };
  const step = nextFixStep(new Facts(pastCalls(job.history)));
  const opening = openingOf(request, job.history.length === 0, job.resumed);
  return opening === '' ? step : { ...step, text: `${opening}\n\n${step.text}` };
}

/** What comes before the first words of a job, and before the first after an interruption. */
function openingOf({ messages }: Pick<Request, 'messages'>, fresh: boolean, resumed: boolean): string {
  if (fresh) return words.INTRODUCTION;
  return resumed && messages.at(-1)?.role === 'user' ? words.RESUMED : '';
}
