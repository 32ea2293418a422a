import type * as vscode from 'vscode';
import type { ReportedItem } from '../../config/report/report.js';
import { t } from '../../domain/l10n.js';
import { redact } from '../../text/redact.js';
import { effectiveValues } from '../config/effective-values.js';
import type { WindowSettings } from '../config/window-settings.js';

/** The settings of Gnomon that are not as they come: what counts, who set it, and what is not used because of that. */
export function setSettings(settings: WindowSettings, extension: vscode.ExtensionContext['extension']): readonly ReportedItem[] {
  return effectiveValues(settings, extension).flatMap(({ key, value, origin, overridden }): readonly ReportedItem[] => {
    const lost = overridden.map((each) => ({ origin: each.origin, why: each.value === undefined ? each.why : `${shown(each.value)}: ${each.why}` }));
    if (origin !== undefined) return [{ name: key, origin, state: shown(value), overridden: lost }];
    return lost.length === 0 ? [] : [{ name: key, state: t('as it comes: {0}', shown(value)), overridden: lost }];
  });
}

/** Objects and lists may have keys and tokens in them, and are long; addresses may have passwords in them. */
function shown(value: unknown): string {
  return typeof value === 'object' && value !== null ? (Array.isArray(value) ? t('a list of {0}', value.length) : t('an object')) : redact(JSON.stringify(value));
}
