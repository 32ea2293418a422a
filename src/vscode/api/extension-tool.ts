import type * as z from 'zod/mini';
import { ToolInputError } from '../../domain/errors.js';
import type { Tool, ToolResult, ToolSpec } from '../../domain/tool/tool.js';
import { defineTool, textResult } from '../../tool/calls/define.js';
import type { GnomonToolContext } from './gnomon-api.js';

/** Characters of a result that are kept, some 25,000 tokens. */
const MAX_RESULT = 100_000;
/** Characters of the arguments in the title of a call. */
const MAX_SUBJECT = 80;

/** A tool of another extension. */
export interface ExtensionToolParts {
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

/** Makes a tool of the agent from one of another extension. What it touches nobody knows, so permission treats it like that. */
export function createExtensionTool({ spec, schema, caller, readOnly, execute, isOffered }: ExtensionToolParts): Tool {
  const check = (): void => {
    if (!isOffered()) throw new ToolInputError(`The extension ${caller} does not offer ${spec.name} any more. Do without it.`);
  };
  return defineTool<unknown, { readonly input: unknown }>({
    spec,
    schema,
    plan: (input) => {
      check();
      const compact = JSON.stringify(input);
      return Promise.resolve({
        subject: compact.length > MAX_SUBJECT ? `${compact.slice(0, MAX_SUBJECT)}…` : compact,
        accesses: [],
        preview: { kind: 'input', input: JSON.stringify(input, undefined, 2) },
        foreign: { by: caller, saysItReads: readOnly },
        state: { input },
      });
    },
    async execute({ input }, _plan, { signal, sessionId }) {
      check();
      // The plan stays what was allowed, whatever is done with the input.
      return resultOf(await execute(structuredClone(input), { signal, sessionId }), spec.name);
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
