import * as z from 'zod/mini';
import { IMAGE_MIME_TYPES, MAX_IMAGE_BYTES } from '../../domain/model/content.js';
import type { UserBlock, UserFrame } from './content.js';
import { InvalidInputError } from './errors.js';
import { problemOf } from './problem.js';

/** Base64 has four characters for three bytes. */
const MAX_IMAGE_TEXT = Math.ceil(MAX_IMAGE_BYTES / 3) * 4;

const content = z.union([
  z.string().check(z.refine((text) => text.trim() !== '')),
  z
    .array(
      z.union([
        z.strictObject({ type: z.literal('text'), text: z.string() }),
        z.strictObject({
          type: z.literal('image'),
          source: z.strictObject({ type: z.literal('base64'), media_type: z.enum(IMAGE_MIME_TYPES), data: z.string().check(z.maxLength(MAX_IMAGE_TEXT)) }),
        }),
      ]),
    )
    .check(z.minLength(1)),
]);
const frame = z.strictObject({
  type: z.literal('user'),
  message: z.strictObject({ role: z.literal('user'), content }),
  parent_tool_use_id: z.optional(z.null()),
  session_id: z.optional(z.string()),
  uuid: z.exactOptional(z.string().check(z.minLength(1), z.maxLength(200))),
});

/**
 * A message of the user as it is sent. What the program could not read would get no result.
 * @throws InvalidInputError for one that is empty, or has something that there is not
 */
export function userFrame(message: string | readonly UserBlock[] | UserFrame): UserFrame {
  const isFrame = typeof message === 'object' && 'type' in message;
  const whole: unknown = isFrame ? message : { type: 'user', message: { role: 'user', content: message } };
  const { data, error } = z.safeParse(frame, whole);
  if (data === undefined)
    throw new InvalidInputError(
      `A message of the user cannot be sent: ${problemOf(error.issues).problem}. It is a text that is not empty, or text and image blocks.`,
    );
  return { ...data, parent_tool_use_id: null, session_id: data.session_id ?? '' };
}
