import type { FillProvider, FillRequest } from '../domain/model/fill.js';
import { answerTokens, type CompletionInput } from './completion-input.js';
import type { Snippet } from './snippets.js';

/** Sequences of characters that a request may name as ends; servers take no more. */
const MAX_STOPS = 4;

/** Text around a cursor, and parts of other files. */
interface FimText {
  readonly path: string;
  readonly prefix: string;
  readonly suffix: string;
  readonly files: readonly Snippet[];
}

/** Fill-in-the-middle prompt format of a family of models. */
interface FimTemplate {
  /** The whole prompt. */
  render(text: FimText): string;
  /** Stop sequences, beside those that its server knows. */
  readonly stops: readonly string[];
}

/**
 * The families by their names. Sources: the model cards of Qwen2.5-Coder, DeepSeek-Coder, StarCoder2, CodeGemma, Code Llama,
 * Granite Code and Codestral.
 */
const FAMILIES: readonly (readonly [name: RegExp, template: FimTemplate])[] = [
  [
    /qwen.*coder|codeqwen/i,
    tagged({
      before: '<|fim_prefix|>',
      behind: '<|fim_suffix|>',
      middle: '<|fim_middle|>',
      file: '<|file_sep|>',
      ends: ['<|endoftext|>', '<|fim_pad|>', '<|repo_name|>', '<|im_end|>'],
    }),
  ],
  [/deepseek.*coder/i, tagged({ before: '<｜fim▁begin｜>', behind: '<｜fim▁hole｜>', middle: '<｜fim▁end｜>', ends: ['<｜end▁of▁sentence｜>'] })],
  [
    /starcoder|granite.*code|stable-?code/i,
    tagged({ before: '<fim_prefix>', behind: '<fim_suffix>', middle: '<fim_middle>', ends: ['<|endoftext|>', '<file_sep>'] }),
  ],
  [/codegemma/i, tagged({ before: '<|fim_prefix|>', behind: '<|fim_suffix|>', middle: '<|fim_middle|>', file: '<|file_separator|>', ends: ['<end_of_turn>'] })],
  [/code-?llama/i, { render: (text) => `<PRE> ${withFiles(text)} <SUF>${text.suffix} <MID>`, stops: ['<EOT>', '<PRE>', '<SUF>', '<MID>'] }],
  [/codestral/i, { render: (text) => `[SUFFIX]${text.suffix}[PREFIX]${withFiles(text)}`, stops: ['[PREFIX]', '[SUFFIX]', '</s>'] }],
];

/** The template of a model by its id; `undefined` when it is not known to fill in. */
export function fimTemplateOf(model: string): FimTemplate | undefined {
  return FAMILIES.find(([name]) => name.test(model))?.[1];
}

/** The text before the cursor with parts of other files before it, as comments where there is no mark for files. */
function withFiles({ path, prefix, files }: Omit<FimText, 'suffix'>): string {
  if (files.length === 0) return prefix;
  const mark = commentMark(path);
  const parts = files.map(
    (file) =>
      `${mark} Path: ${file.path}\n${file.text
        .split('\n')
        .map((line) => `${mark} ${line}`.trimEnd())
        .join('\n')}\n`,
  );
  return `${parts.join('')}${mark} Path: ${path}\n${prefix}`;
}

interface Marks {
  readonly before: string;
  readonly behind: string;
  readonly middle: string;
  /** The separator between files; absent where the family has none. */
  readonly file?: string;
  readonly ends: readonly string[];
}

function tagged({ before, behind, middle, file, ends }: Marks): FimTemplate {
  return {
    render: (text) => {
      const others = file === undefined ? '' : text.files.map((each) => `${file}${each.path}\n${each.text}\n`).join('');
      const own = file === undefined ? withFiles(text) : text.prefix;
      const name = file === undefined || text.files.length === 0 ? '' : `${file}${text.path}\n`;
      return `${others}${name}${before}${own}${behind}${text.suffix}${middle}`;
    },
    stops: [before, behind, middle, ...(file === undefined ? [] : [file]), ...ends],
  };
}

/** Comment marker for a file of this name. */
function commentMark(path: string): string {
  if (/\.(?:py|rb|sh|bash|ya?ml|toml|pl|r|jl|ex|exs|tf|nix|cfg|conf)$|(?:Makefile|Dockerfile)[^/]*$/i.test(path)) return '#';
  if (/\.(?:sql|lua|hs|elm|ada|adb)$/i.test(path)) return '--';
  return /\.(?:el|clj|cljs|lisp|scm|rkt|asm)$/i.test(path) ? ';' : '//';
}

/** Whether a model is asked to fill in the middle: its server can, and how it was taught to is known. */
export async function fillsIn(fill: FillProvider, model: string, signal: AbortSignal): Promise<boolean> {
  switch (await fill.way(model, signal)) {
    case 'suffix':
      return true;
    case 'prompt':
      return fimTemplateOf(model) !== undefined;
    case 'none':
      return false;
  }
}

/**
 * Asks a model to fill in what belongs at a place.
 * @throws ProviderError, or AbortError when the signal fired.
 */
export async function askFim(input: CompletionInput, fill: FillProvider, model: string, signal: AbortSignal): Promise<string> {
  const template = (await fill.way(model, signal)) === 'prompt' ? fimTemplateOf(model) : undefined;
  return fill.fill(template === undefined ? withSuffix(input, model) : withTemplate(input, model, template), signal);
}

function withSuffix(input: CompletionInput, model: string): FillRequest {
  const { path, prefix, suffix } = input.place;
  return { ...limits(input), model, prompt: withFiles({ path, prefix, files: filesOf(input) }), suffix };
}

function withTemplate(input: CompletionInput, model: string, template: FimTemplate): FillRequest {
  const { path, prefix, suffix } = input.place;
  const { stops: own, maxTokens } = limits(input);
  return { model, maxTokens, prompt: template.render({ path, prefix, suffix, files: filesOf(input) }), stops: [...own, ...template.stops].slice(0, MAX_STOPS) };
}

/** Edits of other files are parts of them too. */
function filesOf({ snippets, edits, place }: CompletionInput): CompletionInput['snippets'] {
  return [...snippets, ...edits.filter((edit) => edit.path !== place.path)];
}

function limits({ extent }: CompletionInput): { readonly maxTokens: number; readonly stops: readonly string[] } {
  return { maxTokens: answerTokens(extent), stops: extent === 'line' ? ['\n'] : [] };
}
