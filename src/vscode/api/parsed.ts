import * as z from 'zod/mini';
import { ApiError } from './api-error.js';

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
