import { planCatalog } from '../../src/config/skills/catalog.js';
import type { PaneCommandsDeps } from '../../src/chat/composer/pane-commands.js';

/** A window without skills. */
export const NO_SKILLS: PaneCommandsDeps['skills'] = {
  skills: {
    found: { choice: { skills: [], problems: [] }, plan: planCatalog([], new Set()), skipped: [], problems: [], grants: new Map() },
    activate: (name) => Promise.reject(new Error(`There is no skill ${name}.`)),
    ready: () => Promise.resolve(),
    onDidChange: () => () => undefined,
  },
  session: () => ({ messages: [], compactions: [] }),
  turns: { hasNews: () => Promise.resolve(false) },
};
