import type * as vscode from 'vscode';

/** What is used of VS Code's Language Model API; handed in, so that tests can put something else in its place. */
export type LmApi = Pick<
  typeof vscode,
  | 'CancellationTokenSource'
  | 'LanguageModelChatMessage'
  | 'LanguageModelDataPart'
  | 'LanguageModelTextPart'
  | 'LanguageModelToolCallPart'
  | 'LanguageModelToolResultPart'
> & { readonly lm: Pick<typeof vscode.lm, 'selectChatModels'> };
