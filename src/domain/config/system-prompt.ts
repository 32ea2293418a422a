/** What a session is told before everything else (C18): the usual text, with an addition, or one of the user's own. */
export type SystemPromptChoice = string | { readonly type: 'preset'; readonly preset: 'gnomon'; readonly append?: string };
