import { fromJSONSchema } from 'zod';
import * as z from 'zod/mini';
import { inTime, TooSlowError } from '../../concurrency/in-time.js';
import { errorMessage, InvalidDataError } from '../../domain/errors.js';
import type { JsonSchema } from '../../domain/tool/tool.js';
import { jsonInText } from '../../text/json-in-text.js';

/** The data in what a model wrote, or what is wrong with it, in words for the model. */
export type CheckedData = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly problem: string };

/** The most problems that are listed for a model. */
const MAX_PROBLEMS = 20;
/** Milliseconds that a check may take: a pattern can be such that a text that a model has chosen takes for ever. */
const CHECK_MS = 1_000;

/**
 * Makes the check of answers by a schema. Of several values in an answer it takes the first that is valid.
 * @throws InvalidDataError for a schema that cannot be read, or has a keyword that is not understood (`if`, `not`, `unevaluatedProperties`, …)
 */
export function dataCheck(schema: JsonSchema): (written: string) => CheckedData {
  const checker = checkerOf(schema);
  return (written) => {
    try {
      return inTime(() => checked(checker, written), CHECK_MS);
    } catch (error) {
      if (error instanceof TooSlowError) return { ok: false, problem: '- it could not be checked, as that takes too long' };
      throw error;
    }
  };
}

function checked(checker: z.ZodMiniType, written: string): CheckedData {
  const { values, problem } = jsonInText(written);
  const results = values.map((value) => z.safeParse(checker, value, { reportInput: true }));
  const valid = results.find(({ success }) => success);
  if (valid?.success === true) return { ok: true, value: valid.data };
  const [first] = results;
  return { ok: false, problem: first?.error === undefined ? `- ${problem ?? 'it is not valid'}` : problemsIn(first.error.issues) };
}

function checkerOf(schema: JsonSchema): z.ZodMiniType {
  try {
    const checker = fromJSONSchema(schema);
    // One that refers to nothing but itself is found out only by a check.
    z.safeParse(checker, undefined);
    return checker;
  } catch (error) {
    throw new InvalidDataError('output', error instanceof RangeError ? 'it refers to itself without end' : errorMessage(error));
  }
}

function problemsIn(issues: readonly z.core.$ZodIssue[]): string {
  const lines = issues.slice(0, MAX_PROBLEMS).map(({ path, message }) => `- ${path.length === 0 ? 'the value' : path.join('.')}: ${message}`);
  return [...lines, ...(issues.length > MAX_PROBLEMS ? [`- and ${issues.length - MAX_PROBLEMS} more`] : [])].join('\n');
}
