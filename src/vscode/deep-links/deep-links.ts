import * as vscode from 'vscode';
import { assertNever } from '../../domain/assert-never.js';
import { errorMessage } from '../../domain/errors.js';
import { t } from '../../domain/l10n.js';
import { type DeepLink, parseDeepLink } from './parse-deep-link.js';

/** Parts of the window that a deep link can open. */
export interface LinkTargets {
  /** Shows a stored chat. @throws Error when there is none of that id. */
  readonly panes: { readonly open: (id: string) => Promise<void> };
  /** Puts a text where the user writes; it is never sent. */
  readonly editorActions: { readonly compose: (text: string) => Promise<void> };
  /** Takes the answer to a sign-in to an MCP server; returns whether one waited for it in this window. */
  readonly signIns?: { readonly take: (parameters: URLSearchParams) => boolean };
}

/**
 * Takes links such as `vscode://gnomon.gnomon/prompt?text=…` and `…/session?id=…`. Any page can make one, so nothing happens
 * before the user has seen the whole of it and agreed, and nothing is ever sent. Answers to sign-ins are the exception: they must
 * belong to one that waits.
 */
export class DeepLinks implements vscode.UriHandler {
  /** @param load gives what links can lead to, loading it the first time. */
  constructor(private readonly load: () => Promise<LinkTargets>) {}

  /** Handles a link; shows the result to the user. Does not reject. */
  async handleUri({ path, query }: vscode.Uri): Promise<void> {
    try {
      await this.follow(parseDeepLink(path, query));
    } catch (error) {
      void vscode.window.showErrorMessage(t('The link could not be opened: {0}', errorMessage(error)));
    }
  }

  private async follow(link: DeepLink): Promise<void> {
    switch (link.kind) {
      case 'session':
        if (await agrees(t('A link wants to open a chat in Gnomon.'), t('Chat ID: {0}', link.id), t('Open Chat')))
          await (await this.load()).panes.open(link.id);
        return;
      case 'prompt':
        if (await agrees(t('A link wants to insert this text into the Gnomon chat input. The text will not be sent.'), link.text, t('Insert')))
          await (await this.load()).editorActions.compose(link.text);
        return;
      case 'sign-in':
        // Nothing to ask: an answer counts only with the secret that Gnomon gave to the sign-in.
        if ((await this.load()).signIns?.take(link.parameters) !== true)
          void vscode.window.showWarningMessage(t('No sign-in to an MCP server is waiting for this answer in this window.'));
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
      return t('Gnomon does not support this link.');
    case 'too_long':
      return t('The text in the link to Gnomon is too long to review, so it was not inserted.');
    case 'empty':
      return t('The link to Gnomon contains no text.');
    default:
      return assertNever(why);
  }
}
