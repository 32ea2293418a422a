import type { GnomonApiError } from './gnomon-api.js';
import * as z from 'zod/mini';

/** Refuses a call of another extension. The message is for its developers, so it stays English. */
export class ApiError extends Error implements GnomonApiError {
  override readonly name = 'GnomonApiError';

  constructor(
    readonly code: GnomonApiError['code'],
    message: string,
  ) {
    super(message);
  }
}

/**
 * Validates a value from another extension, which may be written in JavaScript and so have no types checked.
 * @throws ApiError with every mistake.
 */
export function parsed<Value>(schema: z.ZodMiniType<Value>, value: unknown, where: string): Value {
  const result = z.safeParse(schema, value);
  if (result.success) return result.data;
  const problems = result.error.issues.map(({ path, message }) => `${path.join('.') || 'argument'}: ${message}`);
  throw new ApiError('invalid', `${where} was called with what it does not take. ${problems.join('; ')}`);
}
