import * as vscode from 'vscode';
import { escapeHidden } from '../../domain/hidden-characters.js';
import { t } from '../../domain/l10n.js';
import type { McpSignInPorts, McpSignInQuestion } from '../../domain/mcp/sign-in.js';
import type { UriAnswers } from '../../mcp/auth/uri-answers.js';
import { openLoopback } from '../../node/mcp-auth/loopback.js';
import { openInBrowser } from '../links.js';
import { SIGN_IN_PATH } from '../deep-links/parse-deep-link.js';

/** Ports for OAuth sign-in to servers: prompts, the browser, and the redirect. @param extension its id */
export function signInPorts(answers: UriAnswers, extension: string): McpSignInPorts {
  return {
    confirm: async (question) => {
      const open = t('Open Browser');
      const answer = await vscode.window.showInformationMessage(
        t('Sign in to the MCP server {0}?', escapeHidden(question.server)),
        { modal: true, detail: detailOf(question) },
        open,
      );
      return answer === open;
    },
    openExternal: async (url) => openInBrowser(url),
    receive: async (previous) => {
      // In a browser, VS Code is on another machine than the one that a server of ours listens on.
      if (vscode.env.uiKind === vscode.UIKind.Web) {
        const uri = await vscode.env.asExternalUri(vscode.Uri.parse(`${vscode.env.uriScheme}://${extension}${SIGN_IN_PATH}`));
        return answers.open(uri.toString(true));
      }
      const external = async (address: string): Promise<string> => (await vscode.env.asExternalUri(vscode.Uri.parse(address))).toString(true);
      return openLoopback({ previous, ...(vscode.env.remoteName === undefined ? {} : { external }) });
    },
  };
}

function detailOf({ url, host, scopes }: McpSignInQuestion): string {
  const asked =
    scopes.length === 0
      ? t('Gnomon asks for the permissions that the sign-in page suggests.')
      : t('Gnomon asks for these permissions: {0}.', scopes.map(escapeHidden).join(', '));
  return [
    t('Gnomon opens a page of {0} in your browser. You sign in there, and Gnomon gets a token for {1}.', escapeHidden(host), escapeHidden(url)),
    asked,
  ].join('\n\n');
}
