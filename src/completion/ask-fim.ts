import type { FillProvider, FillRequest } from '../domain/model/fill.js';
import { type CompletionInput, answerTokens } from './completion-input.js';
import { type FimTemplate, fimTemplateOf, withFiles } from './fim-template.js';

/** Sequences of characters that a request may name as ends; servers take no more. */
const MAX_STOPS = 4;

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
