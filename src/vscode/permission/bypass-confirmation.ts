import { t } from '../../domain/l10n.js';
import type { PermissionMode } from '../../domain/tool/permission.js';
import type { Dialogs } from '../dialogs/dialogs.js';

function detail(): string {
  return [
    t('In the mode “Bypass permissions” nobody looks at a command before it runs. What a model reads, such as a web page or a file of somebody else, can make it run what you do not want.'),
    t('These still hold: your rules that deny or ask, and the safety checks for protected files, links and places outside the workspace, hidden characters and commands that cannot be read.'),
    t('Use it in a container or a virtual machine without anything that you would miss. It holds until you choose another mode.'),
  ].join('\n\n');
}

/** The question that stands before the first use of `bypassPermissions` in a window. */
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
      await this.dialogs.modal(t('Permissions cannot be bypassed here.'), t('This workspace is not trusted, so Gnomon only reads in it, whatever the mode.'));
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
      this.confirmed = (await this.dialogs.modal(t('Let Gnomon change files and run commands without asking?'), detail(), confirm)) === confirm;
      return this.confirmed;
    } finally {
      this.asking = undefined;
    }
  }
}
