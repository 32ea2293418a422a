/** The commands about suggestions, and the one behind their place in the status bar. */
export const COMPLETION_COMMANDS = ['gnomon.toggleSuggestions', 'gnomon.toggleLanguageSuggestions', 'gnomon.snoozeSuggestions', 'gnomon.selectSuggestionModel', 'gnomon.suggestionOptions'] as const;

/** One of them. */
export type CompletionCommand = (typeof COMPLETION_COMMANDS)[number];
