// What of the languages a panel may use.
export { formatAbout, formatCost, formatNumber, formatPercent, formatRelative, formatShort, parseTexts, t, textLanguage, useTexts } from '../domain/l10n.js';
