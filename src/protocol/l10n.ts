// What of the languages a panel may use.
export { parseTexts, t, useTexts } from '../domain/l10n.js';
