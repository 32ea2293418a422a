import * as vscode from 'vscode';
import { escapeHidden } from '../../domain/hidden-characters.js';
import { t } from '../../domain/l10n.js';
import type { ConfigurationSectionId } from '../../protocol/configuration.js';
import { sectionTitle } from '../../protocol/configuration-labels.js';
import { headOf } from '../../text/show.js';
import { layerName } from '../../chat/configuration/configuration-view.js';
import { allOf, type Explained, type Explanation, explained, findExplained } from '../../chat/configuration/explain.js';
import type { Report } from '../../chat/configuration/report.js';
import type { WindowConfiguration } from '../../chat/configuration/window-configuration.js';

/** Characters of a text in the list. */
const MAX_SHOWN = 200;

type Item = vscode.QuickPickItem & { readonly explained?: Explained };

/**
 * Finds what counts for something that is configured.
 * @param key of it, see {@link findExplained}; without one, the user chooses
 * @returns what counts, and the row of the page that shows it; `undefined` where the user chose nothing
 */
export async function explainSetting(
  configuration: WindowConfiguration,
  key: unknown,
): Promise<{ readonly row: string; readonly explanation: Explanation } | undefined> {
  await configuration.read();
  const report = await configuration.report();
  const found = typeof key === 'string' && key.trim() !== '' ? findExplained(report, key) : await choose(report);
  return found && { row: found.id, explanation: explained(found) };
}

async function choose(report: Report): Promise<Explained | undefined> {
  const picked = await vscode.window.showQuickPick(itemsOf(report), {
    title: t('Explain Setting'),
    placeHolder: t('Select what to explain'),
    matchOnDescription: true,
    matchOnDetail: true,
  });
  return picked?.explained;
}

function itemsOf(report: Report): readonly Item[] {
  const items: Item[] = [];
  let last: ConfigurationSectionId | undefined;
  for (const each of allOf(report)) {
    const { section, item } = each;
    if (section.id !== last) items.push({ label: sectionTitle(section.id), kind: vscode.QuickPickItemKind.Separator });
    last = section.id;
    const place =
      item.origin === undefined ? '' : ` · ${item.origin.display}${item.origin.line === undefined ? '' : `:${item.origin.line}`} (${layerName(item.origin)})`;
    const detail = [item.value ?? '', item.description ?? ''].filter((text) => text !== '').join(' · ');
    items.push({ label: shown(item.name), description: shown(`${item.state}${place}`), detail: shown(detail), explained: each });
  }
  return items;
}

function shown(text: string): string {
  return escapeHidden(headOf(text.replace(/\s+/g, ' '), MAX_SHOWN));
}
