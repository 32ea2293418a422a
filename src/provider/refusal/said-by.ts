/** What a server said of a request that it refused. */
export interface Said {
  /** All its words, codes among them. */
  readonly words: string;
  /** The fields that it names in a place of their own. */
  readonly named?: readonly string[];
}

/** Characters that are looked at: servers send whole pages, and whole requests back. */
const MOST_CHARACTERS = 20_000;
/** How deep an error may be wrapped in others. */
const DEPTH = 12;

/**
 * Everything that the body of a failure says, whatever its form: a text, a list, an object, or JSON as a text within it, as
 * gateways pass on the errors of others (OpenRouter, in `metadata.raw`). Fields are named by OpenAI in `param` and by FastAPI
 * in `loc`.
 */
export function saidBy(body: unknown): Said {
  const said = { words: [] as string[], named: [] as string[] };
  collect(body, said, DEPTH);
  return { words: said.words.join('\n').slice(0, MOST_CHARACTERS), named: said.named };
}

/** Whether the model wrote a call that the server could not read: another answer may do better. Source: console.groq.com, "Errors". */
export function isSlipOfModel(words: string): boolean {
  return /tool_use_failed|failed to call a function/i.test(words);
}

function collect(value: unknown, said: { readonly words: string[]; readonly named: string[] }, depth: number): void {
  if (depth === 0) return;
  if (typeof value === 'number') said.words.push(String(value));
  if (typeof value === 'string') {
    const inner = jsonIn(value);
    if (inner === undefined) said.words.push(value);
    else collect(inner, said, depth - 1);
  }
  if (typeof value !== 'object' || value === null) return;
  for (const [key, each] of Object.entries(value)) {
    if (key === 'param' && typeof each === 'string') said.named.push(each);
    // `["body", "messages", 0, "reasoning_content"]`
    if (key === 'loc' && Array.isArray(each)) said.named.push(each.filter((part) => part !== 'body').join('.'));
    collect(each, said, depth - 1);
  }
}

function jsonIn(text: string): unknown {
  const start = text.search(/[{[]/);
  if (start < 0 || !/[}\]]\s*$/.test(text)) return undefined;
  try {
    const value: unknown = JSON.parse(text.slice(start));
    // What stands before it, such as `HTTP 400: `, says something, too.
    return start === 0 ? value : [text.slice(0, start), value];
  } catch {
    return undefined;
  }
}

/** How a server says that what it was sent goes against its rules: the same words would be refused again. */
interface Wording {
  readonly words: RegExp;
  /** Whose words they are, and where they can be read. */
  readonly source: string;
}

const WORDINGS: readonly Wording[] = [
  {
    words: /content management policy|content_filter|ResponsibleAIPolicyViolation/i,
    source: 'Azure OpenAI, learn.microsoft.com, "Content filtering"; Moonshot',
  },
  { words: /\binvalid_prompt\b|flagged as potentially violating|(?:image_)?content_policy|\b(?:bio|cyber)_policy\b/i, source: 'OpenAI; openai/codex#38849' },
  { words: /blocked by content filter/i, source: 'Anthropic; anthropics/claude-code#6195' },
  {
    words: /violat\w+ (?:our|the|its|\w+['’]s) (?:usage|content|safety) (?:polic|guideline)|content violates (?:usage|content|safety)/i,
    source: 'Anthropic, xAI; anthropics/claude-code#2410',
  },
  {
    words: /\bPROHIBITED_CONTENT\b|\bblock_?reason\b|blocked (?:due to|because of) (?:safety|prohibited)/i,
    source: 'Gemini, ai.google.dev, "Safety settings"',
  },
  { words: /requires moderation\b.*\bflagged|your input was flagged/is, source: 'OpenRouter, openrouter.ai/docs, "Errors", status 403' },
  { words: /content exists risk/i, source: 'DeepSeek; deepseek-ai/DeepSeek-V2#30' },
  { words: /data_?inspection_?failed|may contain inappropriate content/i, source: 'Alibaba Model Studio; QwenLM/qwen-code#3145' },
  { words: /\bmoderation_blocked\b|rejected as a result of our safety system/i, source: 'OpenAI; agentscope-ai/agentscope#171' },
  { words: /safeguards flagged this message/i, source: 'Anthropic; anthropics/claude-code#86207' },
  {
    words: /敏感内容|\bsensitive_words_detected\b|contains sensitive words/i,
    source: 'Z.AI (Zhipu), docs.bigmodel.cn, 1301; new-api, openai/openai-cookbook#1224; CodeBuddy, decolua/9router#2071',
  },
  { words: /\b(?:input|output) new_sensitive\b/i, source: 'MiniMax, platform.minimax.io, 1026 and 1027; esengine/DeepSeek-Reasonix#6818' },
  { words: /guardrail[_ ]intervened|blocked by (?:the |your )?guardrail/i, source: 'Bedrock, docs.aws.amazon.com, "Guardrails"' },
  { words: /filtered by the responsible ai|response got filtered/i, source: 'GitHub Copilot; microsoft/vscode-copilot-release#12101' },
];

/** Whether a server refuses what a message says, whichever client sends it. */
export function isAgainstPolicy(words: string): boolean {
  return WORDINGS.some((wording) => wording.words.test(words));
}
