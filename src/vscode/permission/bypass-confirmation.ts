import { t } from '../../domain/l10n.js';
import type { PermissionMode } from '../../domain/tool/permission.js';
import type { Dialogs } from '../dialogs/dialogs.js';

function detail(): string {
  return [
    t('In the mode “Bypass permissions”, commands run without review. Content that a model reads, such as a web page or someone else’s file, can trick it into running commands that you do not want.'),
    t('Still enforced: your deny and ask rules, and the safety checks for protected files, links and locations outside the workspace, hidden characters, and commands that cannot be analyzed.'),
    t('Use this mode only in a container or virtual machine with nothing on it that you cannot afford to lose. It stays on until you choose another mode.'),
  ].join('\n\n');
}

/** The confirmation before the first use of `bypassPermissions` in a window. */
export class BypassConfirmation {
  private readonly dialogs: Dialogs;
  private readonly trusted: () => boolean;
  private confirmed = false;
  private asking: Promise<boolean> | undefined;

  constructor(dialogs: Dialogs, trusted: () => boolean) {
    this.dialogs = dialogs;
    this.trusted = trusted;
  }

  /** Whether the mode may be used. Asks the user once in the life of this window; in an untrusted workspace it is never used. */
  async confirmBypass(): Promise<boolean> {
    if (!this.trusted()) {
      await this.dialogs.modal(t('Permissions cannot be bypassed here.'), t('This workspace is not trusted, so Gnomon is read-only here in every mode.'));
      return false;
    }
    if (this.confirmed) return true;
    // Two clicks show one question.
    this.asking ??= this.ask();
    return this.asking;
  }

  /** The mode that a session may start with: settings and stored sessions cannot answer the question for the user. */
  startingMode(mode: PermissionMode): PermissionMode {
    return mode === 'bypassPermissions' && !(this.confirmed && this.trusted()) ? 'default' : mode;
  }

  private async ask(): Promise<boolean> {
    try {
      const confirm = t('Bypass permissions');
      this.confirmed = (await this.dialogs.modal(t('Allow Gnomon to change files and run commands without asking?'), detail(), confirm)) === confirm;
      return this.confirmed;
    } finally {
      this.asking = undefined;
    }
  }
}
