import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv';
import { inTime, TooSlowError } from '../../../concurrency/in-time.js';
import type { JsonSchema } from '../../../domain/tool/tool.js';
import { headOf, showName } from '../../../text/show.js';

/** Milliseconds that a check may take. A schema can be made so that it takes for ever: patterns, and choices within choices. */
const CHECK_MS = 250;
/** The same for the preparation of a schema, for which the validator is built first. */
const COMPILE_MS = 2_000;
const SHOWN_CHARACTERS = 500;

type Check = (value: unknown) => string | undefined;

/**
 * Checks what tools give back against the schemas that they promised. Nothing is ever loaded for a schema: a reference to something
 * outside of it makes it unusable.
 */
export class OutputChecks {
  private readonly checks = new WeakMap<JsonSchema, Check>();

  /** @returns why a value is not what a schema promises, in English for the model; `undefined` when it is. */
  mismatch(schema: JsonSchema, value: unknown): string | undefined {
    try {
      const check = inTime(() => this.checkOf(schema), COMPILE_MS);
      return inTime(() => check(value), CHECK_MS);
    } catch (error) {
      const fault = `It could not be checked against the tool's output schema: ${error instanceof TooSlowError ? 'that takes too long.' : shown(error)}`;
      // Not tried again, for it keeps everything waiting.
      if (error instanceof TooSlowError) this.checks.set(schema, () => fault);
      return fault;
    }
  }

  private checkOf(schema: JsonSchema): Check {
    const known = this.checks.get(schema);
    if (known !== undefined) return known;
    // One of its own for each schema: a shared one would find the schemas of other tools by the names that they give themselves.
    const validate = new AjvJsonSchemaValidator().getValidator(schema);
    const check: Check = (value) => {
      const result = validate(value);
      return result.valid ? undefined : `It does not match the tool's output schema: ${shown(result.errorMessage)}`;
    };
    this.checks.set(schema, check);
    return check;
  }
}

function shown(error: unknown): string {
  return showName(headOf(error instanceof Error ? error.message : String(error), SHOWN_CHARACTERS));
}
