// What of the languages a panel may use.
export { formatDollars, formatNumber, formatPercent, parseTexts, t, textLanguage, useTexts } from '../domain/l10n.js';
