import * as z from 'zod/mini';
import { errorMessage } from '../../domain/errors.js';
import type { JsonSchema } from '../../domain/tool/tool.js';
import { present } from '../../domain/present.js';
import { InvalidInputError } from './errors.js';
import { problemOf } from './problem.js';

/** What names of tools and of servers are made of. */
export const TOOL_NAME = /^[\w.-]{1,64}$/;

/**
 * A schema that checks values and tells its JSON Schema, as the interfaces Standard Schema and Standard JSON Schema have it (standardschema.dev): one of
 * zod from 4.2 on, of ArkType, or of another library.
 */
export interface InputSchema<Input> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => SchemaResult<Input> | Promise<SchemaResult<Input>>;
    readonly jsonSchema: { readonly input: (options: { readonly target: string }) => Record<string, unknown> };
  };
}

/** What a schema says of a value. */
export type SchemaResult<Input> =
  | { readonly value: Input; readonly issues?: undefined }
  | { readonly issues: readonly { readonly message: string; readonly path?: readonly unknown[] | undefined }[] };

/** What a tool gives back, as the Model Context Protocol has it. `data` is base64. */
export interface ToolResult {
  readonly content: readonly (
    | { readonly type: 'text'; readonly text: string }
    | { readonly type: 'image'; readonly data: string; readonly mimeType: string }
  )[];
  /** Data beside the texts. */
  readonly structuredContent?: Readonly<Record<string, unknown>>;
  /** Whether it failed, so that the content says why. */
  readonly isError?: boolean;
}

/** What goes with a call of a tool. */
export interface ToolContext {
  /** Aborts when no result is needed any more: the call was canceled, or the run has ended. */
  readonly signal: AbortSignal;
}

/** What a tool does besides its result, as it says itself: hints, by which nothing is allowed. */
export interface ToolHints {
  readonly title?: string;
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
}

/** The arguments of a call, as a schema gives them back. A plain JSON Schema gives them no types: only the program has checked them by it. */
export type ArgumentsOf<Schema> = Schema extends InputSchema<infer Input> ? Input : Readonly<Record<string, unknown>>;

/** A tool that is a function of this process. */
export interface ToolDefinition<Schema extends InputSchema<unknown> | JsonSchema> {
  /** Letters, digits, `.`, `_`, and `-`; 64 at most. */
  readonly name: string;
  /** For the model: what it does, and when to use it. */
  readonly description: string;
  /** Of its arguments, which are an object. */
  readonly input: Schema;
  readonly annotations?: ToolHints;
  /** Carries out a call. A text is a result of one text. What it throws is a result, too: an error with its message for the model. */
  readonly run: (args: ArgumentsOf<Schema>, context: ToolContext) => string | ToolResult | Promise<string | ToolResult>;
}

/** A tool that {@link tool} has made. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of its arguments. */
  readonly inputSchema: JsonSchema;
  readonly annotations?: ToolHints;
  /** Carries out a call. Does not reject: what goes wrong is a result. */
  readonly call: (args: Readonly<Record<string, unknown>>, context: ToolContext) => Promise<ToolResult>;
}

const definition = z.strictObject({
  name: z.string().check(z.regex(TOOL_NAME)),
  description: z.string(),
  input: z.custom((value) => value instanceof Object),
  annotations: z.optional(
    z.strictObject({
      title: z.optional(z.string()),
      readOnlyHint: z.optional(z.boolean()),
      destructiveHint: z.optional(z.boolean()),
      idempotentHint: z.optional(z.boolean()),
      openWorldHint: z.optional(z.boolean()),
    }),
  ),
  run: z.custom((value) => typeof value === 'function'),
});
const block = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text'), text: z.string() }),
  z.strictObject({ type: z.literal('image'), data: z.string(), mimeType: z.string() }),
]);
const result: z.ZodMiniType<ToolResult> = z.strictObject({
  content: z.array(block),
  structuredContent: z.exactOptional(z.record(z.string(), z.unknown())),
  isError: z.exactOptional(z.boolean()),
});

/**
 * Makes a tool of a function, for {@link toolServer}.
 * @throws InvalidInputError for a name that cannot be one, and for a schema that is not about an object, or cannot tell its JSON Schema
 * @example
 * const add = tool({
 *   name: 'add',
 *   description: 'Adds two numbers.',
 *   input: z.object({ a: z.number(), b: z.number() }),
 *   run: ({ a, b }) => String(a + b),
 * });
 */
export function tool<Schema extends InputSchema<unknown> | JsonSchema>(given: ToolDefinition<Schema>): Tool {
  const { error } = z.safeParse(definition, given);
  if (error !== undefined) throw new InvalidInputError(`A tool cannot be made: ${problemOf(error.issues).problem}.`);
  const { name, description, input, annotations, run } = given;
  const schema: InputSchema<unknown> | undefined = isChecking(input) ? input : undefined;
  return {
    ...{ name, description, inputSchema: schemaOf(name, input) },
    ...present({ annotations }),
    call: async (args, context) => {
      try {
        const checked = (await schema?.['~standard'].validate(args)) ?? { value: args };
        if (checked.issues !== undefined) return failed(`The arguments of ${name} cannot be used: ${checked.issues.map(issueText).join('; ')}.`);
        return resultOf(name, await run(checked.value as ArgumentsOf<Schema>, context));
      } catch (thrown) {
        return failed(errorMessage(thrown));
      }
    },
  };
}

function isChecking(input: InputSchema<unknown> | JsonSchema): input is InputSchema<unknown> {
  return '~standard' in input;
}

function schemaOf(name: string, input: InputSchema<unknown> | JsonSchema): JsonSchema {
  const schema = isChecking(input) ? toldBy(name, input) : input;
  if (schema['type'] === 'object') return schema;
  throw new InvalidInputError(`The schema of the tool “${name}” is not about an object, which the arguments of a tool are.`);
}

function toldBy(name: string, input: InputSchema<unknown>): JsonSchema {
  try {
    return input['~standard'].jsonSchema.input({ target: 'draft-2020-12' });
  } catch (error) {
    const how = 'Use one that implements Standard JSON Schema, such as one of zod from 4.2 on, or give the JSON Schema itself.';
    throw new InvalidInputError(`The schema of the tool “${name}” does not tell its JSON Schema. ${how}`, { cause: error });
  }
}

function issueText({ message, path = [] }: NonNullable<Extract<SchemaResult<unknown>, { readonly issues: object }>['issues']>[number]): string {
  const names = path.map((part) => String(typeof part === 'object' && part !== null && 'key' in part ? part.key : part));
  return names.length === 0 ? message : `${names.join('.')}: ${message}`;
}

function resultOf(name: string, given: unknown): ToolResult {
  if (typeof given === 'string') return { content: [{ type: 'text', text: given }] };
  const { data, error } = z.safeParse(result, given);
  return data ?? failed(`The tool ${name} gave no result that can be used: ${problemOf(error.issues).problem}.`);
}

function failed(why: string): ToolResult {
  return { content: [{ type: 'text', text: why }], isError: true };
}
