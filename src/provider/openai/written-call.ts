import type { ToolSpec } from '../../domain/tool/tool.js';
import { list, parsed, record, text } from './json.js';

/** A call that a model wrote as text. */
export interface WrittenCall {
  readonly name: string;
  /** JSON. */
  readonly arguments: string;
}

/** A whole answer that is one call. */
interface WholeCall {
  readonly call: WrittenCall;
  /** What the model thought before it, where the template has a place for that. */
  readonly thinking: string;
}

type Tools = readonly Pick<ToolSpec, 'name' | 'parameters'>[];

/** A name with its arguments as a template has them. */
interface Named {
  readonly name: string;
  readonly args: unknown;
  readonly thinking?: string;
}

const HARMONY_CHANNEL = '<|channel|>';
const HARMONY_START = '<|start|>assistant';
const DEEPSEEK_CALLS = '<｜tool▁calls▁begin｜>';
const MISTRAL_CALLS = '[TOOL_CALLS]';
const QWEN_CALL = '<tool_call>';
const QWEN_FUNCTION = '<function=';

/** How an answer begins that is a call in one of the templates. */
const OPENERS = [HARMONY_CHANNEL, HARMONY_START, DEEPSEEK_CALLS, MISTRAL_CALLS, QWEN_FUNCTION];

/** `<tool_call>`, of which Hermes' form, with JSON in it, is read elsewhere. */
const QWEN_OPENER = /^<tool_call>\s*(.*)$/s;
/** The fields that JSON begins with which is a call. */
const CALL_FIELDS = ['name', 'arguments', 'parameters', 'type', 'function'];
/** Characters of an answer that show whether it may be a call. */
const HEAD = 200;

/** Whether an answer that begins so may still be a call as a whole. */
function mayBeCall(words: string, tools: Tools): boolean {
  const head = words.slice(0, HEAD);
  if (OPENERS.some((opener) => isBegun(head, opener)) || QWEN_CALL.startsWith(head)) return true;
  const inner = QWEN_OPENER.exec(head)?.[1];
  if (inner !== undefined) return isBegun(inner, QWEN_FUNCTION);
  return head.startsWith('{') && mayBeJsonCall(head.slice(1).trimStart(), tools);
}

/** @param head what follows the brace */
function mayBeJsonCall(head: string, tools: Tools): boolean {
  const [, field = '', fieldEnd, value] = /^(?:"(\w*)(?:("\s*)([^]*))?)?/.exec(head) ?? [];
  if (fieldEnd === undefined) return head === '' || (head === `"${field}` && CALL_FIELDS.some((name) => name.startsWith(field)));
  if (!CALL_FIELDS.includes(field)) return false;
  if (field !== 'name' && field !== 'type') return true;
  const [, word, wordEnd] = /^:\s*"([^"]*)("?)/.exec(value ?? '') ?? [];
  if (word === undefined) return /^:?\s*$/.test(value ?? '');
  const names = field === 'type' ? ['function'] : tools.map(({ name }) => name);
  return names.some((name) => (wordEnd === '"' ? name === word : name.startsWith(word)));
}

function isBegun(words: string, opener: string): boolean {
  return words.startsWith(opener) || opener.startsWith(words);
}

/**
 * The templates, each for an answer from its first to its last character. Sources: the chat templates of Qwen3-Coder, Mistral (also
 * docs.mistral.ai, "Function calling" of mistral-common), gpt-oss (developers.openai.com/cookbook, "OpenAI harmony response format"), and DeepSeek V3 and V3.1
 * on huggingface.co; Llama 3.1 ("JSON based tool calling") writes the bare object.
 */
const TEMPLATES: readonly ((words: string, tools: Tools) => Named | undefined)[] = [qwen, bareJson, mistral, harmony, deepSeek];

function qwen(words: string, tools: Tools): Named | undefined {
  const [, open, name = '', body] = /^(<tool_call>\s*)?<function=([\w.-]+)>\s*([^]*?)\s*<\/function>\s*(?:<\/tool_call>)?$/.exec(words) ?? [];
  if (body === undefined || (open !== undefined && !words.endsWith('</tool_call>'))) return undefined;
  const properties = record(tools.find((tool) => tool.name === name)?.parameters['properties']) ?? {};
  const fields: [string, unknown][] = [];
  const rest = body.replace(/<parameter=([\w.-]+)>\r?\n?([^]*?)\r?\n?<\/parameter>\s*/g, (_, field: string, value: string) => {
    fields.push([field, valueOf(value, Object.hasOwn(properties, field) ? properties[field] : undefined)]);
    return '';
  });
  const twice = new Set(fields.map(([field]) => field)).size < fields.length;
  const quotes = fields.some(([, value]) => typeof value === 'string' && /<(?:parameter|function)=|<\/(?:parameter|function|tool_call)>/.test(value));
  return rest.trim() !== '' || twice || quotes ? undefined : { name, args: Object.fromEntries(fields) };
}

/** The template has no types: a text is one where the tool wants a text. */
function valueOf(value: string, schema: unknown): unknown {
  if (record(schema)?.['type'] === 'string') return value;
  return parsed(value) ?? value;
}

function bareJson(words: string): Named | undefined {
  const call = record(parsed(words));
  const { name, arguments: args, parameters, function: inner, type, id, ...others } = call ?? {};
  if (call === undefined || Object.keys(others).length > 0 || (type !== undefined && type !== 'function') || (id !== undefined && typeof id !== 'string'))
    return undefined;
  const nested = record(inner);
  if (nested !== undefined) return name === undefined && args === undefined ? { name: text(nested['name']), args: nested['arguments'] } : undefined;
  return args !== undefined && parameters !== undefined ? undefined : { name: text(name), args: args ?? parameters };
}

function mistral(words: string): Named | undefined {
  if (!words.startsWith(MISTRAL_CALLS)) return undefined;
  const body = words.slice(MISTRAL_CALLS.length).trim();
  const [, name, args] = /^([\w.-]+)(?:\[CALL_ID\][\w-]+)?(?:\[ARGS\])?\s*(\{[^]*\})$/.exec(body) ?? [];
  if (name !== undefined) return { name, args: parsed(args ?? '') };
  const calls = list(parsed(body));
  return calls.length === 1 ? bareJson(JSON.stringify(calls[0])) : undefined;
}

/** A call of gpt-oss: who it is for stands before or behind the channel. */
const HARMONY_CALL = new RegExp(
  String.raw`^(?:<\|start\|>assistant)?(?: to=functions\.([\w-]+))?<\|channel\|>(?:commentary|analysis)(?: to=functions\.([\w-]+))?` +
    String.raw`\s*(?:<\|constrain\|>)?\s*(?:json|code)?\s*<\|message\|>(\{[^]*\})\s*(?:<\|call\|>)?$`,
);

function harmony(words: string): Named | undefined {
  const [, thinking = '', rest = words] = /^(?:<\|start\|>assistant)?<\|channel\|>analysis<\|message\|>([^<]*)<\|end\|>\s*([^]*)$/.exec(words) ?? [];
  const [, before, behind, args] = HARMONY_CALL.exec(rest) ?? [];
  const name = before ?? behind;
  if (name === undefined || args === undefined || (before !== undefined && behind !== undefined)) return undefined;
  return { name, args: parsed(args), thinking };
}

function deepSeek(words: string): Named | undefined {
  const form = /^<｜tool▁calls▁begin｜>\s*<｜tool▁call▁begin｜>([\w.-]+)<｜tool▁sep｜>([^]*?)<｜tool▁call▁end｜>\s*<｜tool▁calls▁end｜>$/;
  const [, first = '', body] = form.exec(words.replace(/<｜end▁of▁sentence｜>$/, '')) ?? [];
  if (body === undefined) return undefined;
  const [, name, fenced] = first === 'function' ? (/^([\w.-]+)\s*```(?:json)?\s*(\{[^]*\})\s*```\s*$/.exec(body) ?? []) : [];
  return name === undefined ? { name: first, args: parsed(body.trim()) } : { name, args: parsed(fenced ?? '') };
}

/** The only call that a whole answer is; `undefined` for any other answer. */
function wholeCall(words: string, tools: Tools): WholeCall | undefined {
  for (const template of TEMPLATES) {
    const found = template(words.trim(), tools);
    const args = record(typeof found?.args === 'string' ? parsed(found.args) : found?.args);
    if (found === undefined || args === undefined || !tools.some((tool) => tool.name === found.name)) continue;
    return { call: { name: found.name, arguments: JSON.stringify(args) }, thinking: found.thinking ?? '' };
  }
  return undefined;
}

/**
 * Holds an answer back as long as all of it may be one call, so that no part of a call is shown as text. A text in front of it or
 * behind it, a fence, a second call, and a name that is no tool make it text: it may be an example.
 */
export class WholeAnswer {
  private held: string[] = [];
  private state: 'undecided' | 'call' | 'text' = 'undecided';

  constructor(private readonly tools: Tools) {}

  /** Takes more of the answer. @returns what is text for sure; `''` while that is open */
  take(delta: string): string {
    if (this.state === 'text') return delta;
    this.held.push(delta);
    if (this.state === 'call') return '';
    const all = this.held.join('');
    const words = all.trimStart();
    if (words !== '' && !mayBeCall(words, this.tools)) {
      this.state = 'text';
      return this.release();
    }
    if (words.length >= HEAD) this.state = 'call';
    return '';
  }

  /** The end: the call that the answer is, or the text that was held back. */
  end(): { readonly text: string; readonly found: WholeCall | undefined } {
    const words = this.release();
    const found = words.trim() === '' ? undefined : wholeCall(words, this.tools);
    return { text: words, found };
  }

  private release(): string {
    const all = this.held.join('');
    this.held = [];
    return all;
  }
}
