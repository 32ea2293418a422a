import * as vscode from 'vscode';
import { assertNever } from '../../domain/assert-never.js';
import { errorMessage } from '../../domain/errors.js';
import { t } from '../../domain/l10n.js';
import type { DeepLink } from './parse-deep-link.js';
import { parseDeepLink } from './parse-deep-link.js';

/** What links lead to. */
export interface LinkTargets {
  /** Shows a stored chat. @throws Error when there is none of that id. */
  readonly panes: { readonly open: (id: string) => Promise<void> };
  /** Puts a text where the user writes; it is never sent. */
  readonly editorActions: { readonly compose: (text: string) => Promise<void> };
}

/**
 * Takes links such as `vscode://gnomon.gnomon/prompt?text=…` and `…/session?id=…`. Any page can make one, so nothing happens
 * before the user has seen the whole of it and agreed, and nothing is ever sent.
 */
export class DeepLinks implements vscode.UriHandler {
  private readonly load: () => Promise<LinkTargets>;

  /** @param load gives what links can lead to, loading it the first time. */
  constructor(load: () => Promise<LinkTargets>) {
    this.load = load;
  }

  /** Takes a link; what comes of it is told to the user. Does not reject. */
  async handleUri({ path, query }: vscode.Uri): Promise<void> {
    try {
      await this.follow(parseDeepLink(path, query));
    } catch (error) {
      void vscode.window.showErrorMessage(t('The link could not be followed: {0}', errorMessage(error)));
    }
  }

  private async follow(link: DeepLink): Promise<void> {
    switch (link.kind) {
      case 'session':
        if (await agrees(t('A link wants to open a session of Gnomon.'), t('Session {0}', link.id), t('Open session'))) await (await this.load()).panes.open(link.id);
        return;
      case 'prompt':
        if (await agrees(t('A link wants to put this into the message box of Gnomon. It is not sent.'), link.text, t('Insert'))) await (await this.load()).editorActions.compose(link.text);
        return;
      case 'refused':
        void vscode.window.showWarningMessage(refusal(link.why));
        return;
      default:
        assertNever(link);
    }
  }
}

async function agrees(question: string, detail: string, yes: string): Promise<boolean> {
  return (await vscode.window.showWarningMessage(question, { modal: true, detail }, yes)) === yes;
}

function refusal(why: Extract<DeepLink, { kind: 'refused' }>['why']): string {
  switch (why) {
    case 'unknown':
      return t('A link asked Gnomon for something that it does not do.');
    case 'too_long':
      return t('A link brought a text for Gnomon that is too long to be read before it is taken.');
    case 'empty':
      return t('A link brought no text for Gnomon.');
    default:
      return assertNever(why);
  }
}
