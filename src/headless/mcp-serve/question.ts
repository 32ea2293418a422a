import type { ElicitRequestFormParams } from '@modelcontextprotocol/server';
import * as z from 'zod/mini';
import type { AskedPermission } from '../../domain/tool/asks.js';
import type { ApprovalAnswer } from '../../domain/tool/permission.js';
import { askedLines } from '../ask-on-terminal.js';

/** Characters of a question at most: what cannot be shown as a whole cannot be allowed. */
const MAX_QUESTION = 200_000;

const ALLOW = 'Allow once';
const DENY = 'Deny';

/**
 * A call that waits to be allowed, as a form for the user of the client, with all of what would run or change.
 * @param client who made it; a line
 * @returns `undefined` where that is too much to be shown
 */
export function questionForm(ask: AskedPermission, client: string): ElicitRequestFormParams | undefined {
  const asked = askedLines(ask, (_, text) => text);
  const message = [`${client} uses Gnomon.`, ...asked.what, ...asked.why].join('\n');
  if (message.length > MAX_QUESTION) return undefined;
  return {
    message,
    // Without titles, as clients of all revisions know it; without a default, so that nothing is allowed without an answer.
    requestedSchema: { type: 'object', properties: { decision: { type: 'string', title: 'Decision', enum: [ALLOW, DENY] } }, required: ['decision'] },
  };
}

const answered = z.discriminatedUnion('action', [
  z.object({ action: z.literal('accept'), content: z.object({ decision: z.enum([ALLOW, DENY]) }) }),
  z.object({ action: z.enum(['decline', 'cancel']) }),
]);

/** What the answer of a client means. Only the one choice allows the call, once. */
export function permissionIn(response: unknown): ApprovalAnswer {
  const { success, data } = answered.safeParse(response);
  if (!success) return { type: 'deny', feedback: 'The client gave no answer that can be understood, so it is denied.' };
  if (data.action === 'cancel') return { type: 'deny', feedback: 'The question was closed without an answer, so it is denied.' };
  return data.action === 'accept' && data.content.decision === ALLOW ? { type: 'allow' } : { type: 'deny' };
}
