import type * as vscode from 'vscode';
import type { ModelInfo } from '../../domain/model/provider.js';
import { EDITOR_MODELS } from '../../models/source.js';
import type { LmApi } from './wire.js';

/** VS Code does not tell how long an answer may be; room in tokens that is kept for one. */
const ASSUMED_OUTPUT = 4_096;
/** Size in tokens that is assumed of a model which is not there at the moment. */
const ASSUMED_INPUT = 64_000;

/** The chat models that other extensions offer in VS Code. Listing them asks the user nothing. */
export async function listVsCodeModels(api: LmApi): Promise<readonly ModelInfo[]> {
  const models = await api.lm.selectChatModels();
  return models.map(infoOf);
}

/** Default model info for a model that is not listed, such as one whose extension has not started yet. */
export function vsCodeModelInfo(id: string): ModelInfo {
  return { ...info(id, id, ASSUMED_INPUT), windowAssumed: true };
}

/** The parts of a model's id: who offers it, and under which id. */
export function selectorOf(id: string): { readonly vendor: string; readonly id: string } {
  const slash = id.indexOf('/');
  return { vendor: id.slice(0, slash), id: id.slice(slash + 1) };
}

function infoOf({ vendor, id, name, maxInputTokens }: vscode.LanguageModelChat): ModelInfo {
  return info(`${vendor}/${id}`, name === '' ? id : name, maxInputTokens);
}

/** Tools and images are tried: VS Code does not tell which of its models take them. */
function info(id: string, label: string, inputTokens: number): ModelInfo {
  return {
    provider: EDITOR_MODELS,
    id,
    label,
    contextWindow: inputTokens + ASSUMED_OUTPUT,
    maxOutputTokens: ASSUMED_OUTPUT,
    efforts: [],
    supportsImages: true,
    supportsTools: true,
  };
}
