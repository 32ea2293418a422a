import type { Output } from './output.js';

type Item = Readonly<Record<string, unknown>>;

/** A body as far as the rules look at it. */
interface Body {
  readonly [key: string]: unknown;
}

/** What the API gave out as reasoning. */
interface Issued {
  readonly model: string;
  readonly encrypted: string;
  readonly summary: string;
  /** What came behind it: a text, or the id of a call. */
  readonly follower: string | undefined;
}

/**
 * What the real API refuses in a request that stores nothing, in its words: vercel/ai#7099, cline/cline#12242,
 * openai/codex#8119 and #17541, run-llama/llama_index#20865; developers.openai.com, "Reasoning models".
 */
export class ApiRules {
  private readonly issued = new Map<string, Issued>();

  /** Notes an answer of a model, whose reasoning it may send back from then on. */
  issue(model: string, outputs: readonly Output[]): void {
    outputs.forEach(({ item }, place) => {
      if (item['type'] !== 'reasoning') return;
      const follower = outputs.slice(place).find((other) => other.item['type'] !== 'reasoning')?.item;
      this.issued.set(String(item['id']), {
        model,
        encrypted: String(item['encrypted_content']),
        summary: JSON.stringify(item['summary']),
        follower: follower && nameOf(follower),
      });
    });
  }

  /** What is wrong with a request; `undefined` when nothing is. */
  problemOf(body: Body): string | undefined {
    const input = (body['input'] ?? []) as readonly Item[];
    return (
      wrongField(body) ??
      wrongCalls(input) ??
      input.map((item, place) => this.wrongItem(item, input.slice(place + 1), String(body['model']))).find((problem) => problem !== undefined)
    );
  }

  private wrongItem(item: Item, behind: readonly Item[], model: string): string | undefined {
    if (item['type'] !== 'reasoning')
      return 'id' in item ? `Item with id '${String(item['id'])}' not found. Items are not persisted when \`store\` is set to false.` : undefined;
    const id = String(item['id']);
    const issued = this.issued.get(id);
    if (issued === undefined || issued.model !== model || issued.encrypted !== item['encrypted_content'])
      return `The encrypted content for item ${id} could not be verified.`;
    if (issued.summary !== JSON.stringify(item['summary'])) return `The summary of item ${id} was changed.`;
    const follower = behind.find(({ type }) => type !== 'reasoning');
    if (follower === undefined || nameOf(follower) !== issued.follower)
      return `Item '${id}' of type 'reasoning' was provided without its required following item.`;
    return undefined;
  }
}

/** What tells an item from the others, with or without its id. */
function nameOf(item: Item): string {
  if (item['type'] !== 'message') return String(item['call_id'] ?? item['type']);
  return `${String(item['role'])} ${((item['content'] ?? []) as readonly Item[]).map(({ text, refusal }) => String(text ?? refusal)).join('')}`;
}

function wrongField(body: Body): string | undefined {
  if ('messages' in body) return "Unsupported parameter: 'messages'. In the Responses API, this parameter has moved to 'input'.";
  if (body['store'] !== false || body['stream'] !== true) return 'This server stores nothing and streams everything.';
  if (typeof body['max_output_tokens'] === 'number' && body['max_output_tokens'] < 16) return "Invalid 'max_output_tokens': integer below minimum value.";
  const reasons = !String(body['model']).startsWith('gpt-4');
  if (!reasons && ('reasoning' in body || 'include' in body)) return "Unsupported parameter: 'reasoning.effort' is not supported with this model.";
  if (reasons && 'temperature' in body) return "Unsupported parameter: 'temperature' is not supported with this model.";
  const tools = (body['tools'] ?? []) as readonly Item[];
  return tools.every(({ type, name, strict }) => type === 'function' && typeof name === 'string' && strict === false)
    ? undefined
    : "Missing required parameter: 'tools[0].name'.";
}

function wrongCalls(input: readonly Item[]): string | undefined {
  const calls = input.filter(({ type }) => type === 'function_call').map(({ call_id }) => String(call_id));
  const outputs = input.filter(({ type }) => type === 'function_call_output').map(({ call_id }) => String(call_id));
  const open = calls.find((id) => outputs.filter((output) => output === id).length !== 1);
  if (open !== undefined) return `No tool output found for function call ${open}.`;
  const strange = outputs.find((id) => !calls.includes(id));
  if (strange !== undefined) return `No tool call found for function call output with call_id ${strange}.`;
  return new Set(calls).size === calls.length ? undefined : 'Duplicate item found.';
}
