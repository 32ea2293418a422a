import * as os from 'node:os';
import { basename, dirname } from 'node:path';
import * as vscode from 'vscode';
import { readPermissions } from '../../../config/permissions/read-permissions.js';
import { isFromRepository } from '../../../domain/config/origin.js';
import { t } from '../../../domain/l10n.js';
import { type HookFilePlaces, hookPaths, readSettingsFiles } from '../../../node/config/hook-files.js';
import type { RuleSource } from './rule-source.js';

/** A file whose allow rules the user has given to another program, and not to Gnomon. */
const OF_ANOTHER_PROGRAM = '~/.claude/settings.json';

/**
 * The rules in settings files such as `.claude/settings.json`. What they deny and ask about counts at once, also in a workspace
 * that is not trusted; what a workspace allows needs trust and consent, like the allow rules of its VS Code settings.
 */
export class FileRules {
  private found: readonly RuleSource[] = [];
  private broken: readonly string[] = [];

  /** As they were read last. */
  readonly sources = (): readonly RuleSource[] => this.found;
  /** Files that cannot be read, so that rules may be missing, a sentence for each. */
  readonly damage = (): readonly string[] => this.broken;

  /** Reads the files. Resolves to whether something is other than before. */
  async read(): Promise<boolean> {
    const files = await readSettingsFiles(placesOfWindow(), new AbortController().signal);
    const read = files.map((file) => {
      const { origin } = file;
      if ('problem' in file) return { source: undefined, damage: [t('Some rules may be missing because of {0}: {1}', origin.display, file.problem)] };
      const { lists, damage } = readPermissions(file.text, origin.display);
      const place = isFromRepository(origin) ? ('file' as const) : ('userFile' as const);
      const own = origin.display === OF_ANOTHER_PROGRAM ? { ...lists, allow: undefined } : lists;
      return { source: { place, id: vscode.Uri.file(origin.file).toString(), label: origin.display, lists: own }, damage: damage === undefined ? [] : [damage] };
    });
    const before = JSON.stringify([this.found, this.broken]);
    this.found = read.flatMap(({ source }) => source ?? []);
    this.broken = read.flatMap(({ damage }) => damage);
    return JSON.stringify([this.found, this.broken]) !== before;
  }

  /** Calls back when one of the files may have changed, until disposed. */
  watch(changed: () => void): vscode.Disposable {
    const { files } = hookPaths(placesOfWindow());
    return vscode.Disposable.from(
      ...files.flatMap((path) => {
        const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(vscode.Uri.file(dirname(path)), basename(path)));
        return [watcher, watcher.onDidChange(changed), watcher.onDidCreate(changed), watcher.onDidDelete(changed)];
      }),
    );
  }
}

function placesOfWindow(): HookFilePlaces {
  const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file').map(({ uri }) => uri.fsPath);
  return { folders, home: os.homedir(), platform: process.platform };
}
