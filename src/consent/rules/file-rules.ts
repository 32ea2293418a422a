import { pathToFileURL } from 'node:url';
import { readPermissions } from '../../config/permissions/read-permissions.js';
import type { ConfigOrigin } from '../../domain/config/origin.js';
import { t } from '../../domain/l10n.js';
import type { LayerFile } from '../../node/config/layer-files.js';
import { LOCAL_SETTINGS } from '../../node/config/place-table.js';
import type { RulePlace, RuleSource } from './rule-source.js';

/** A file whose allow rules the user has given to another program, and not to Gnomon. */
const OF_ANOTHER_PROGRAM = '~/.claude/settings.json';

/**
 * The rules in settings files such as `.claude/settings.json`. What they deny and ask about counts at once, also in a workspace
 * that is not trusted; what a workspace allows needs trust and consent, like the allow rules of its VS Code settings. What a file
 * denies and asks about also counts after the file has become invalid.
 */
export class FileRules {
  private found: readonly RuleSource[] = [];
  private broken: readonly string[] = [];
  /** By address, as they could be read last. */
  private readonly lastGood = new Map<string, RuleSource>();

  /** As they were taken last. */
  readonly sources = (): readonly RuleSource[] => this.found;
  /** Files that cannot be read, so that rules may be missing, a sentence for each. */
  readonly damage = (): readonly string[] => this.broken;

  /** Takes the files as they are now. */
  take(files: readonly LayerFile[]): void {
    const read = files.filter(({ form }) => form === 'settings').map((file) => this.readingOf(file));
    this.found = read.flatMap(({ source }) => source ?? []);
    this.broken = read.flatMap(({ damage }) => damage ?? []);
  }

  private readingOf(file: LayerFile): { readonly source: RuleSource | undefined; readonly damage?: string } {
    const { origin } = file;
    const id = pathToFileURL(origin.file).href;
    const { lists, damage } =
      'problem' in file
        ? { lists: NO_RULES, damage: t('Some rules may be missing because of {0}: {1}', origin.display, file.problem) }
        : readPermissions(file.text, origin.display);
    if (damage !== undefined) {
      const before = this.lastGood.get(id);
      return { source: before && { ...before, lists: { ...before.lists, allow: undefined } }, damage };
    }
    const source: RuleSource = {
      place: placeOf(origin),
      id,
      label: origin.display,
      lists: origin.display === OF_ANOTHER_PROGRAM ? { ...lists, allow: undefined } : lists,
    };
    this.lastGood.set(id, source);
    return { source };
  }
}

/** A local file that Git tracks comes with the repository, so it counts as one of the project. */
function placeOf({ layer, display }: ConfigOrigin): RulePlace {
  if (layer === 'managed' || layer === 'flag') return layer;
  if (layer === 'user') return 'userFile';
  return layer === 'local' && display === LOCAL_SETTINGS ? 'local' : 'file';
}

const NO_RULES: RuleSource['lists'] = { allow: undefined, ask: undefined, deny: undefined };
