import * as z from 'zod/mini';
import type { PermissionMode } from '../../domain/tool/permission.js';
import { MAX_TITLE_LENGTH } from '../../protocol/limits.js';
import { ApiError } from './api-error.js';
import type { GnomonMode } from './gnomon-api.js';
import { parsed } from './parsed.js';

/** The modes, from the one that allows least to the one that allows most. */
const STRICTEST_FIRST = ['plan', 'ask', 'default', 'acceptEdits', 'bypassPermissions'] as const satisfies readonly PermissionMode[];
/** Those that an extension may wish for. */
const WISHES = ['plan', 'ask', 'default', 'acceptEdits'] as const satisfies readonly GnomonMode[];

const schema = z.object({
  title: z.optional(z.string().check(z.maxLength(MAX_TITLE_LENGTH))),
  model: z.optional(z.string().check(z.minLength(1))),
  mode: z.optional(z.enum(WISHES)),
  tools: z.optional(z.array(z.string())),
  show: z.optional(z.boolean()),
});

/** How a session is to be started; options that are not known, of a later version, are passed over. */
export type StartOptions = z.infer<typeof schema>;

/** @throws ApiError for options that cannot be followed. */
export function parseStart(options: unknown): StartOptions {
  const mode: unknown = typeof options === 'object' && options !== null ? Reflect.get(options, 'mode') : undefined;
  if (mode === 'bypassPermissions') throw new ApiError('mode', 'No extension can choose the mode bypassPermissions. Only the person can, in the chat.');
  return parsed(schema, options ?? {}, 'startSession');
}

/** The mode of a new session: never one that allows more than the person's, and never one that asks for nothing. */
export function startingMode(wish: GnomonMode | undefined, persons: PermissionMode): PermissionMode {
  if (wish === undefined) return persons === 'bypassPermissions' ? 'default' : persons;
  return STRICTEST_FIRST.indexOf(wish) < STRICTEST_FIRST.indexOf(persons) ? wish : persons;
}
