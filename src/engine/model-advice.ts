import type { ModelInfo } from '../domain/model/provider.js';
import type { Deferral, Tool } from '../domain/tool/tool.js';

/** Additions to the system prompt for the models of one vendor. */
interface Advice {
  /** Fits the ids of its models, also with the maker's name before them, as gateways have them. */
  readonly models: RegExp;
  readonly text: string;
}

/**
 * Sources, for what each family tends to do and what its makers advise: platform.claude.com, "Prompting best practices";
 * developers.openai.com, the prompting guides of GPT-5 and Codex; google-gemini/gemini-cli, `snippets.ts`; QwenLM/qwen-code and
 * mistralai/mistral-vibe for open models. November 2026.
 */
const ADVICE: readonly Advice[] = [
  { models: /(?:^|\/)claude/, text: '- Add no files, options, abstractions or error handling that the request does not need.' },
  {
    models: /(?:^|\/)(?:gpt-(?!oss)|o\d|codex|chatgpt)/,
    text:
      '- Go on until all of it is done and checked; do not stop to ask whether to go on.\n' +
      '- Do not announce calls: make them. Change files with apply_patch where you have it, never by printing patches.',
  },
  {
    models: /(?:^|\/)gemini/,
    text: '- Act through calls: never print code for the user to paste, and leave no placeholders in files.\n- Change nothing beside what was asked.',
  },
  {
    models: /(?:^|\/)(?:qwen|qwq|llama|codellama|mi[sx]tral|devstral|codestral|magistral|gemma|phi|granite|gpt-oss|deepseek|glm|kimi|minimax)/,
    text: '- Use only the parameters that a tool has. Look at each result before you decide on the next step.\n- Never write results of calls yourself.',
  },
];

/** The system prompt of a session as one model gets it. */
export function promptFor(systemPrompt: string, { id }: ModelInfo): string {
  const advice = ADVICE.find(({ models }) => models.test(id.toLowerCase()));
  return advice === undefined ? systemPrompt : `${systemPrompt}\n\n# For you\n${advice.text}`;
}

/** OpenAI's models from GPT-4.1 on are trained on patches (developers.openai.com, "GPT-4.1 Prompting Guide" and "Apply patch"). */
const LEARNED_PATCHES = /(?:^|\/)(?:gpt-(?:4\.1|[5-9]|\d\d)|o[3-9]|codex)(?!.*-chat)/;

/**
 * The tools that a model is offered; all can be called. Of those that change files, the one in the form that it has learned. Deferred
 * ones where they are loaded as they are found, else what calls them.
 * @param loadsFound whether the provider loads the definitions of deferred tools for the model
 */
export function offeredTo(tools: readonly Tool[], { id }: ModelInfo, loadsFound = false): readonly Tool[] {
  const learned = LEARNED_PATCHES.test(id.toLowerCase()) ? 'patches' : 'replacements';
  const isThere = tools.some(({ editing }) => editing === learned);
  const unused: Deferral = loadsFound ? 'caller' : 'deferred';
  return tools.filter(({ editing, spec }) => spec.deferral !== unused && (editing === undefined || editing === learned || !isThere));
}
