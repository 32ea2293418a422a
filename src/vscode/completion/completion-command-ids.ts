import { NEXT_EDIT_COMMANDS } from './next-edit/next-edit-controls.js';

/** The commands about suggestions, and the one behind their place in the status bar. */
export const COMPLETION_COMMANDS = [
  'gnomon.toggleSuggestions',
  'gnomon.toggleLanguageSuggestions',
  'gnomon.toggleNextEdits',
  'gnomon.snoozeSuggestions',
  'gnomon.selectSuggestionModel',
  'gnomon.suggestionOptions',
  ...NEXT_EDIT_COMMANDS,
] as const;

/** One of them. */
export type CompletionCommand = (typeof COMPLETION_COMMANDS)[number];
