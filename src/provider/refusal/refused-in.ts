import { present } from '../../domain/present.js';
import type { ProviderErrorKind } from '../../domain/errors.js';
import type { Dispensable } from '../../domain/model/dispensable.js';
import type { Request } from '../../domain/model/provider.js';
import { type BodyField, hasField, valueOf } from './body-fields.js';
import { type LeftOut, hasImages, thinkingIn } from './left-out.js';
import type { Said } from './said-by.js';

/** What was refused. */
export interface Sent {
  readonly request: Request;
  readonly body: object;
  /** What such a body can do without. */
  readonly fields: readonly BodyField[];
  /** What it did without already. */
  readonly leftOut: LeftOut;
}

/** Words for images. */
const IMAGES = 'images?|image[_ ]urls?|vision|multi-?modal';

/**
 * Models that take no images, and of which the server's list did not say so. Sources: OpenRouter and gateways behind it
 * (NousResearch/hermes-agent#23411, JohnnyZ93/oai-compatible-copilot#230); DeepSeek, `unknown variant` (rikkahub/rikkahub#1433).
 */
const NO_IMAGES = [
  /no endpoints found that support image/i,
  // Not of a kind or size of images: then another one may be taken.
  new RegExp(
    String.raw`\b(?:not|n['’]t) (?:\w+ ){0,2}(?:support|accept|allow)(?:ed|s|ing)? (?:\w+ ){0,2}(?:${IMAGES})\b` +
      String.raw`(?!\s*(?:\/|formats?|types?|larger|bigger|over|of|with|sizes?|exceed))`,
    'i',
  ),
  new RegExp(
    String.raw`\b(?:${IMAGES})(?: (?:inputs?|content|understanding|messages?|data))? (?:is|are) (?:not|only) ` +
      String.raw`(?:\w+ )?(?:supported|allowed|accepted|enabled|available)`,
    'i',
  ),
  /\b(?:images?|vision)(?:[_ ](?:inputs?|content))? (?:not |un)supported\b(?! (?:formats?|types?))/i,
  /unknown variant [`'"]?image/i,
  /\bnot a (?:multi-?modal|vision) model/i,
  /\bunsupported content type [`'"]?image/i,
  /\bcontent must be a string/i,
];

/**
 * Thinking that a server cannot check, or does not take back. Sources: Anthropic, also behind Bedrock and Vertex
 * (anomalyco/opencode#15074, kaitranntt/ccs#415); Gemini (decolua/9router#301, charmbracelet/crush#1698,
 * Wei-Shaw/sub2api#393); Responses (openai/codex#8119, vercel/ai#7099, earendil-works/pi#5059).
 */
const THINKING = [
  /signatures?\b.{0,80}\b(?:thinking|thought|reasoning)/i,
  /\b(?:redacted_)?(?:thinking|thought|reasoning)\b.{0,80}\bsignatures?/i,
  /thought[_ ]?signature/i,
  /\b(?:redacted_)?thinking[`'"]?\s+(?:or\s+[`'"]?redacted_thinking[`'"]?\s+)?blocks?\b.{0,160}\b(?:cannot be modified|must remain|as they were|must match)/is,
  /invalid [`'"]?(?:data|signature)[`'"]? in [`'"]?(?:redacted_)?thinking/i,
  /invalid_encrypted_content|encrypted[ _]content|required following item|items are not persisted/i,
  /reasoning_details/i,
];

/**
 * A schema that a server does not take, where it takes others. Sources: OpenAI, `Invalid schema for response_format`, `invalid_json_schema`
 * (mavam/pi-web-providers#14); Anthropic, `output_config.format.schema: …` (agentjido/req_llm#302), and a schema that is too complex;
 * LM Studio (bhimrazy/receipt-ocr#20); Groq, whose model did not keep to it (console.groq.com, "Structured Outputs").
 */
const THIS_SCHEMA = /\binvalid[_ ](?:json[_ ])?schema\b|\.schema\b|\bgrammar\b|\bschema is too\b|\bjson_validate_failed\b/i;

/** Failures that can be about what a request contains. */
const ABOUT_THE_REQUEST: ReadonlySet<ProviderErrorKind> = new Set<ProviderErrorKind>(['invalid_request', 'not_found', 'permission', 'too_large', 'server']);

/** What of a request a server refused, where the request can do without it; `undefined` where it was about something else. */
export function refusedIn(said: Said, kind: ProviderErrorKind, { request, body, fields, leftOut }: Sent): Dispensable | undefined {
  if (!ABOUT_THE_REQUEST.has(kind)) return undefined;
  const { words } = said;
  if (hasImages(request.messages) && NO_IMAGES.some((pattern) => pattern.test(words))) return { what: 'images' };
  if (thinkingIn(request.messages).length > 0 && THINKING.some((pattern) => pattern.test(words))) return { what: 'thinking' };
  const isOut = (name: string): boolean => leftOut.fields.has(name);
  const field = namedField(said, fields, (each) => hasField(body, each) && !isOut(each.name));
  if (field === undefined) return undefined;
  if (field.holds === 'output' && request.output !== undefined) return { what: 'output', which: THIS_SCHEMA.test(words) ? 'this' : 'any' };
  const instead = field.instead?.(words, valueOf(body, field), isOut);
  return { what: 'field', name: field.name, ...present({ instead }) };
}

/** The first field that is named, of those that were sent. */
function namedField({ words, named = [] }: Said, fields: readonly BodyField[], isSent: (field: BodyField) => boolean): BodyField | undefined {
  for (const name of [...named, ...namesIn(words)]) {
    const keys = name.split(/[.[\]]+/).map(plain);
    // `system.0.cache_control.ttl` is about the innermost that can be left out.
    for (let end = keys.length; end > 0; end -= 1) {
      const field = fields.find((each) => endsWith(keys.slice(0, end), each.name.split('.').map(plain)));
      if (field !== undefined && isSent(field)) return field;
      if (field !== undefined) break;
    }
  }
  return fields.find((field) => (field.words?.test(words) ?? false) && isSent(field));
}

/**
 * What in a sentence is surely the name of a field: quoted, behind a word for it or in front of one, in front of a colon, what a sentence
 * says first that it is refused, or written as no English word is.
 */
const NAMES = [
  /[`'"“‘]([a-z][\w.[\]-]*)[`'"”’]/gi,
  /(?<=\b(?:parameters?|arguments?|fields?|property|properties|keys?|options?|supplied|named?)\b[\s:=]+)([a-z][\w.]*)/gi,
  /\b([a-z][\w.]*)(?=\s+(?:parameter|argument|field|property|option)\b)/gi,
  /(?:^|[\s;,(])([a-z]\w*(?:\.\w+)*):(?=\s)/gim,
  /(?:^|[.:;]\s+|^\d{3}\s+)([a-z][\w.]*)(?=\s+(?:(?:is|are)(?:n['’]t|\s+(?:not|only|un\w+|invalid))|not|un\w+ed|invalid|must|cannot)\b)/gim,
  /\b([a-z]+(?:[_.][a-z\d]+)+|[a-z]+(?:[A-Z][a-z]+)+|temperature)\b/g,
];

function namesIn(words: string): readonly string[] {
  const found = NAMES.flatMap((pattern) => [...words.matchAll(pattern)]);
  return found.toSorted((a, b) => a.index - b.index).map(([, name = '']) => name);
}

/** `reasoningEffort` and `reasoning_effort` are the same. */
function plain(key: string): string {
  return key.toLowerCase().replace(/[^a-z\d]/g, '');
}

function endsWith(keys: readonly string[], name: readonly string[]): boolean {
  return name.length <= keys.length && name.every((key, index) => key === keys[keys.length - name.length + index]);
}
