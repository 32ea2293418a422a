import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { changeRules } from '../../config/permissions/change-rules.js';
import { t } from '../../domain/l10n.js';
import type { Log } from '../../domain/log.js';
import { MAX_LAYER_BYTES } from '../../node/config/layer-files.js';
import { LOCAL_SETTINGS } from '../../node/config/place-table.js';
import { type WriteLock, rewriteConfigurationFile } from '../../node/config/rewrite-file.js';
import { excludeFromGit } from '../../node/config/tracked-files.js';
import { type ListChange, type RuleSettings, type RuleSource, isForeign } from './rule-source.js';

/** The line of an exclude file of Git for the file that only the user has, in all folders of a repository. */
const EXCLUDED = `**/${LOCAL_SETTINGS}`;

/** Services that read and write rules in settings files: the write lock, and a check for unsaved editors. */
export interface FileRuleDeps {
  /** The files as they were read last. */
  readonly sources: () => readonly RuleSource[];
  /** Has the files read again. */
  readonly read: () => Promise<void>;
  readonly lock: WriteLock;
  /** Absolute paths of the workspace folders. */
  readonly folders: () => readonly string[];
  /** Whether an editor has changes of a file that are not saved. */
  readonly isUnsaved: (path: string) => boolean;
  readonly log: Log;
}

/** The rules in settings files that are not VS Code's, with one for what only the user has in the first folder, whether it is there or not. */
export function createFileRuleSettings({ sources, read, lock, folders, isUnsaved, log }: FileRuleDeps): RuleSettings {
  return {
    sources: () => {
      const [folder] = folders();
      const found = sources();
      const local = folder === undefined ? undefined : emptyLocal(folder);
      return local === undefined || found.some(({ id }) => id === local.id) ? found : [local, ...found];
    },
    change: async (source, effect, change) => {
      const path = fileURLToPath(source.id);
      if (isUnsaved(path)) throw new Error(t('The file has unsaved changes in an editor.'));
      const edit = (text: string): string => changeRules(text, { effect, ...textChange(change) });
      const became = await rewriteConfigurationFile({ path, maxBytes: MAX_LAYER_BYTES, ...(isForeign(source) ? { within: folders() } : {}) }, edit, lock);
      // Programs that have such a file keep it out of Git, so it is not expected in a commit.
      if (became === 'made' && source.place === 'local')
        await excludeFromGit(path, EXCLUDED, lock).catch((error: unknown) => log.warn(`Git could not be told to ignore ${LOCAL_SETTINGS}: ${String(error)}`));
      await read();
    },
  };
}

function emptyLocal(folder: string): RuleSource {
  return {
    place: 'local',
    id: pathToFileURL(join(folder, LOCAL_SETTINGS)).href,
    label: LOCAL_SETTINGS,
    lists: { allow: undefined, ask: undefined, deny: undefined },
  };
}

/** Entries that are not strings cannot be identified in a file. */
function textChange(change: ListChange): { readonly add: readonly string[] } | { readonly remove: string } {
  if ('add' in change) return change;
  if (typeof change.remove !== 'string') throw new Error(t('Only rules can be removed, and this is something else.'));
  return { remove: change.remove };
}
