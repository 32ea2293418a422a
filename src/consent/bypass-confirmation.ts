import { t } from '../domain/l10n.js';
import type { PermissionMode } from '../domain/tool/permission.js';
import type { FileSettings } from '../customization/settings.js';
import type { Dialogs } from '../domain/host/dialogs.js';

function detail(): string {
  return [
    t(
      'In the mode “Bypass permissions”, commands run without review. Content that a model reads, ' +
        'such as a web page or someone else’s file, can trick it into running commands that you do not want.',
    ),
    t(
      'Still enforced: your deny and ask rules, and the safety checks for protected files, ' +
        'links and locations outside the workspace, hidden characters, and commands that cannot be analyzed.',
    ),
    t('Use this mode only in a container or virtual machine with nothing on it that you cannot afford to lose. It stays on until you choose another mode.'),
  ].join('\n\n');
}

/** Services that decide on bypass mode: settings can disable it, and the dialog confirms its first use. */
export interface BypassDeps {
  readonly dialogs: Dialogs;
  /** Whether agents do more than read here. */
  readonly works: () => boolean;
  /** Whether the user has confirmed it already. */
  readonly confirmed: boolean;
  readonly settings: Pick<FileSettings, 'bypassDisabledBy' | 'onDidChange'>;
}

/** Whether `bypassPermissions` may be used: settings can take it away, and the user confirms its first use in a window. */
export class BypassConfirmation {
  private confirmed: boolean;
  private asking: Promise<boolean> | undefined;

  constructor(private readonly deps: BypassDeps) {
    this.confirmed = deps.confirmed;
  }

  /** Display name of the place that disables the mode now; `undefined` for none. */
  disabledBy(): string | undefined {
    return this.deps.settings.bypassDisabledBy();
  }

  /** Calls back when that may have changed. Returns how to stop that. */
  onDidChange(listener: () => void): () => void {
    return this.deps.settings.onDidChange(listener);
  }

  /** Whether the mode may be used. Asks the user once in the life of this window; in an untrusted workspace it is never used. */
  async confirmBypass(): Promise<boolean> {
    if (!this.deps.works()) return this.refuse(t('This workspace is not trusted, so Gnomon is read-only here in every mode.'));
    const by = this.disabledBy();
    if (by !== undefined) return this.refuse(t('This mode is disabled in {0}.', by));
    if (this.confirmed) return true;
    // Two clicks show one question.
    this.asking ??= this.ask();
    // A file may have disabled the mode by the time the user has answered.
    return (await this.asking) && this.disabledBy() === undefined;
  }

  /** The mode that a session may start with: settings and stored sessions cannot answer the question for the user. */
  startingMode(mode: PermissionMode): PermissionMode {
    return mode === 'bypassPermissions' && !(this.confirmed && this.deps.works() && this.disabledBy() === undefined) ? 'default' : mode;
  }

  private async refuse(why: string): Promise<false> {
    await this.deps.dialogs.modal(t('Permissions cannot be bypassed here.'), why);
    return false;
  }

  private async ask(): Promise<boolean> {
    try {
      const confirm = t('Bypass permissions');
      this.confirmed = (await this.deps.dialogs.modal(t('Allow Gnomon to change files and run commands without asking?'), detail(), confirm)) === confirm;
      return this.confirmed;
    } finally {
      this.asking = undefined;
    }
  }
}
