import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fromJSONSchema, prettifyError, type ZodType } from 'zod';

type Definitions = Readonly<Record<string, { readonly 'x-method'?: string; readonly 'x-side'?: string }>>;

/** Keywords that zod does not have. The schema uses them only to say that there can be other forms and fields some day. */
const OF_THE_FUTURE = ['not', 'unevaluatedProperties'];

/** The schema that the package publishes of ACP v1. */
const { $defs } = JSON.parse(
  readFileSync(createRequire(import.meta.url).resolve('@agentclientprotocol/sdk/schema/v1/schema.json'), 'utf8'),
  (key, value: unknown) => (OF_THE_FUTURE.includes(key) ? undefined : value),
) as { readonly $defs: Definitions };
const checkers = new Map<string, ZodType>();

/** What is wrong with a value by a definition of the schema; `undefined` where nothing is. */
export function acpProblem(name: string, value: unknown): string | undefined {
  const checker = checkers.get(name) ?? fromJSONSchema({ $defs, $ref: `#/$defs/${name}` });
  checkers.set(name, checker);
  const { error } = checker.safeParse(value);
  return error === undefined ? undefined : `${name}: ${prettifyError(error)}\n${JSON.stringify(value)}`;
}

/** The definition of what an agent sends by a method: a request, or a notification. */
export function acpDefinition(method: string): string {
  const found = Object.entries($defs).find(([name, each]) => each['x-method'] === method && each['x-side'] === 'client' && !name.endsWith('Response'));
  if (found === undefined) throw new Error(`The schema has no method ${method} of clients.`);
  return found[0];
}
