import * as z from 'zod/mini';
import { errorMessage, ToolInputError } from '../domain/errors.js';
import { type Tool, type ToolResult, type ToolSpec, MAX_TOOL_NAME } from '../domain/tool/tool.js';
import { ApiError, parsed } from './api-error.js';
import type { GnomonRegisteredTool, GnomonTool, GnomonToolContext } from './gnomon-api.js';
import type { OfferedTools } from './offered-tools.js';
import { textResult } from '../tool/calls/define.js';
import { checkerOf, createForeignTool, MAX_SCHEMA } from '../tool/calls/foreign.js';

/** Tools of one extension: each goes to the model with every request. */
const MAX_TOOLS = 32;
/** Characters of a description, some 1,000 tokens. */
const MAX_DESCRIPTION = 4_000;
/** An id that can be a part of a tool's name: those that the marketplace takes. */
const PLAIN_ID = /^[a-z0-9-]+\.[a-z0-9-]+$/;

const schema = z.object({
  name: z.string().check(z.regex(/^[A-Za-z0-9]+(?:_[A-Za-z0-9]+)*$/, 'letters, digits and single _')),
  description: z.string().check(z.minLength(1), z.maxLength(MAX_DESCRIPTION)),
  inputSchema: z.looseObject({ type: z.literal('object') }),
  readOnly: z.optional(z.boolean()),
});

/** Caller and registry of a tool. */
export interface Registration {
  /** Id of the extension, as it says. */
  readonly caller: string;
  readonly offered: OfferedTools;
}

/** Offers a tool of another extension to the model. @throws ApiError for one that cannot be offered. */
export function registerTool<Input>(tool: GnomonTool<Input>, { caller, offered }: Registration): GnomonRegisteredTool {
  const { name, description, inputSchema, readOnly = false } = parsed(schema, tool, 'registerTool');
  if (typeof tool.execute !== 'function') throw new ApiError('invalid', `The tool ${name} has no function execute.`);
  const fullName = fullNameOf(name, caller, offered);
  const made: Tool = createExtensionTool({
    spec: { name: fullName, description: `${description}\n(A tool of the VS Code extension ${caller}.)`, parameters: copied(inputSchema, name) },
    schema: checked(inputSchema, name),
    caller,
    readOnly,
    // What reaches it fits the schema that it was registered with.
    execute: (input, context) => tool.execute(input as Input, context),
    isOffered: () => offered.has(made),
  });
  return Object.freeze({ name: fullName, dispose: offered.add(made) });
}

/** A name that no built-in tool can have, and no other extension: ids contain no `_`. */
function fullNameOf(name: string, caller: string, offered: OfferedTools): string {
  if (!PLAIN_ID.test(caller)) throw new ApiError('invalid', `The id ${caller} cannot be a part of a tool's name.`);
  const prefix = `ext__${caller.replace('.', '_')}__`;
  const full = `${prefix}${name}`;
  if (full.length > MAX_TOOL_NAME) throw new ApiError('invalid', `The name ${full} is longer than ${MAX_TOOL_NAME} characters.`);
  if (offered.isTaken(full)) throw new ApiError('invalid', `${caller} offers a tool ${name} already. Dispose of that first.`);
  if (offered.count(prefix) >= MAX_TOOLS) throw new ApiError('limit', `An extension can offer ${MAX_TOOLS} tools.`);
  return full;
}

/** Copies the schema as plain data, so that the extension cannot change it later. */
function copied(inputSchema: object, name: string): Readonly<Record<string, unknown>> {
  let json: string;
  try {
    json = JSON.stringify(inputSchema);
  } catch (error) {
    throw new ApiError('invalid', `The inputSchema of ${name} is no plain data: ${errorMessage(error)}`);
  }
  if (json.length > MAX_SCHEMA) throw new ApiError('invalid', `The inputSchema of ${name} is longer than ${MAX_SCHEMA} characters of JSON.`);
  return JSON.parse(json) as Readonly<Record<string, unknown>>;
}

function checked(inputSchema: object, name: string): z.ZodMiniType {
  try {
    return checkerOf(copied(inputSchema, name));
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw new ApiError('invalid', `The inputSchema of ${name} cannot be used: ${errorMessage(error)}`);
  }
}

/** Characters of a result that are kept, some 25,000 tokens. */
const MAX_RESULT = 100_000;
/** A tool of another extension. */
interface ExtensionToolDeps {
  readonly spec: ToolSpec;
  readonly schema: z.ZodMiniType;
  /** Id of the extension, as it says. */
  readonly caller: string;
  /** Whether it says that it changes nothing. */
  readonly readOnly: boolean;
  readonly execute: (input: unknown, context: GnomonToolContext) => unknown;
  /** Whether the extension has not taken it back. */
  readonly isOffered: () => boolean;
}

/** Makes a tool of the agent from one of another extension. */
function createExtensionTool({ spec, schema, caller, readOnly, execute, isOffered }: ExtensionToolDeps): Tool {
  const check = (): void => {
    if (!isOffered()) throw new ToolInputError(`The extension ${caller} does not offer ${spec.name} any more. Do without it.`);
  };
  return createForeignTool({
    spec,
    schema,
    describe: () => {
      check();
      return { foreign: { kind: 'extension', by: caller, saysItReads: readOnly } };
    },
    async execute(input, _plan, { signal, sessionId }) {
      check();
      return resultOf(await execute(input, { signal, sessionId }), spec.name);
    },
  });
}

function resultOf(answer: unknown, name: string): ToolResult {
  if (typeof answer === 'string') return textResult(shortened(answer));
  const text: unknown = typeof answer === 'object' && answer !== null ? Reflect.get(answer, 'text') : undefined;
  if (typeof text !== 'string') return textResult(`${name} gave no text back, which is a mistake of its extension. It may have done its work.`, true);
  return textResult(shortened(text), Reflect.get(answer as object, 'isError') === true);
}

function shortened(text: string): string {
  if (text.length <= MAX_RESULT) return text;
  return `${text.slice(0, MAX_RESULT)}\n[${text.length - MAX_RESULT} more characters were left out]`;
}
