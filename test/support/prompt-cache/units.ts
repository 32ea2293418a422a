import { encode } from 'gpt-tokenizer/encoding/o200k_base';

/** A piece of a request that the prompt cache tells apart: a tool, a block of the system prompt or of a message. */
export interface Unit {
  /** Everything that counts for equality: its kind, its role and its content, without the mark. */
  readonly key: string;
  /** Counted with o200k; Anthropic's own tokenizer is not public, and ratios are what is compared. */
  readonly tokens: number;
  /** Milliseconds that the prefix up to here is to be kept; 0 without a mark. */
  readonly lifetimeMs: number;
}

const MINUTE_MS = 60_000;

/** The part of a request body of the Messages API that the cache looks at. */
export interface CacheableBody {
  readonly tools?: readonly object[];
  readonly system?: string | readonly object[];
  readonly messages: readonly { readonly role: string; readonly content: string | readonly object[] }[];
}

/** The units of a body in the order in which the API puts them together: tools, system prompt, messages. */
export function unitsOf(body: CacheableBody): readonly Unit[] {
  const system = typeof body.system === 'string' ? [{ type: 'text', text: body.system }] : (body.system ?? []);
  return [
    ...(body.tools ?? []).map((tool) => unit('tool', tool)),
    ...system.map((block) => unit('system', block)),
    ...body.messages.flatMap(({ role, content }) => {
      const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
      return blocks.map((block) => unit(role, block));
    }),
  ];
}

function unit(place: string, block: object): Unit {
  const { cache_control: mark, ...content } = block as { readonly cache_control?: { readonly ttl?: '5m' | '1h' } };
  const json = JSON.stringify(content);
  return { key: `${place}:${json}`, tokens: encode(json).length, lifetimeMs: mark === undefined ? 0 : (mark.ttl === '1h' ? 60 : 5) * MINUTE_MS };
}
