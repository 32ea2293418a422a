import * as z from 'zod/mini';
import { attachedBlock } from '../../domain/session/attached.js';
import type { UserContent } from '../../domain/model/content.js';
import { MAX_PATH_LENGTH, MAX_SEND_LENGTH } from '../../protocol/limits.js';
import { ApiError } from './api-error.js';
import { parsed } from './parsed.js';

/** Files of one message; as many as mentions that are looked up. */
const MAX_FILES = 30;
/** Other attachments of one message. */
const MAX_ATTACHMENTS = 20;

const line = z.optional(z.int().check(z.positive()));
const text = z.string().check(z.maxLength(MAX_SEND_LENGTH));
const schema = z.object({
  text,
  files: z.optional(z.array(z.object({ path: z.string().check(z.regex(/^[^"\n]+$/), z.maxLength(MAX_PATH_LENGTH)), firstLine: line, lastLine: line })).check(z.maxLength(MAX_FILES))),
  attachments: z.optional(z.array(z.object({ name: z.string().check(z.minLength(1)), text })).check(z.maxLength(MAX_ATTACHMENTS))),
});

/** What an extension says: its words, and what goes with them. */
export interface MessageInput {
  readonly text: string;
  /** The files, as mentions. */
  readonly mentions: string;
  readonly attached: readonly UserContent[];
}

/** @throws ApiError for what is no message. */
export function parseMessage(message: unknown): MessageInput {
  const { text: words, files = [], attachments = [] } = parsed(schema, typeof message === 'string' ? { text: message } : message, 'send');
  if (words.trim() === '' && files.length + attachments.length === 0) throw new ApiError('invalid', 'The message is empty.');
  const mentions = files.map(({ path, firstLine, lastLine = firstLine }) => `@"${path}"${firstLine === undefined ? '' : `:${firstLine}-${lastLine ?? firstLine}`}`);
  return { text: words, mentions: mentions.join(' '), attached: attachments.map(attachedBlock) };
}
