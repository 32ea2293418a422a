import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { formatNumber, t, textLanguage } from '../../domain/l10n.js';
import type { RequestLog, SentRequest } from '../../provider/http/request-log.js';
import type { RequestCommand } from '../command-ids.js';
import {
  bodyText,
  curlCommand,
  describeAnswer,
  inputTokens,
  marked,
  modelName,
  requestText,
  type RequestView,
  shownBody,
} from '../../chat/requests/request-text.js';
import { requestParts } from '../../chat/requests/request-parts.js';

/** The scheme of requests as documents. The manifest names it too. */
const SCHEME = 'gnomon-request';

/** Endings of document paths, after the number of the request. */
const ENDINGS: Readonly<Record<RequestView, string>> = { sent: '.jsonc', formatted: '-formatted.jsonc', body: '-body.json' };

interface Item extends vscode.QuickPickItem {
  readonly request: SentRequest;
}

/** Shows the last requests that went out to models, as read-only documents. */
export class RequestViewer implements vscode.TextDocumentContentProvider, vscode.Disposable {
  /** The authority of the documents of this window: numbers begin anew in the next one, and tabs may be restored there. */
  private readonly window = randomUUID();
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changed.event;
  private readonly registered: vscode.Disposable;
  private readonly commands: Readonly<Record<RequestCommand, (request: SentRequest) => Promise<unknown>>> = {
    'gnomon.formatRequest': (request) => this.open(request, 'formatted'),
    'gnomon.showRequestAsSent': (request) => this.open(request, 'sent'),
    'gnomon.compareRequest': (request) => this.compare(request),
    'gnomon.copyRequestAsCurl': (request) =>
      this.copy(curlCommand(request, shownBody(request, this.log.secrets())), t('The command was copied. Set its variables before you run it.')),
    'gnomon.copyRequestBody': (request) => this.copy(marked(shownBody(request, this.log.secrets())), t('The body was copied.')),
  };

  constructor(private readonly log: RequestLog) {
    const stop = log.onDidChange((id) => this.update(id));
    this.registered = vscode.Disposable.from(vscode.workspace.registerTextDocumentContentProvider(SCHEME, this), this.changed, { dispose: stop });
  }

  dispose(): void {
    this.registered.dispose();
  }

  /** The text of a document. */
  provideTextDocumentContent(uri: vscode.Uri): string {
    const request = this.requestOf(uri);
    if (request === undefined) return `// ${gone()}\n`;
    return requestText(request, viewOf(uri), this.log.secrets());
  }

  /** Lets the user choose a request, and shows it. */
  async show(): Promise<void> {
    const requests = this.log.requests();
    if (requests.length === 0) {
      await vscode.window.showInformationMessage(
        t('No requests have been sent to a model in this window yet. Requests to the demo and to models that VS Code provides are not recorded.'),
      );
      return;
    }
    const options = {
      title: t('Requests'),
      placeHolder: t('Select a request to show exactly what was sent. Requests are kept in memory only.'),
      matchOnDescription: true,
      matchOnDetail: true,
    };
    const chosen = await vscode.window.showQuickPick(requests.map(itemOf), options);
    if (chosen !== undefined) await this.open(chosen.request, 'sent');
  }

  /** Runs a command of a document. @param uri of the document; otherwise the one in the active editor */
  async run(command: RequestCommand, uri: unknown): Promise<void> {
    const document = uri instanceof vscode.Uri ? uri : vscode.window.activeTextEditor?.document.uri;
    const request = document === undefined ? undefined : this.requestOf(document);
    if (request === undefined) await vscode.window.showInformationMessage(gone());
    else await this.commands[command](request);
  }

  private async open(request: SentRequest, view: RequestView): Promise<void> {
    const document = await vscode.workspace.openTextDocument(this.uriOf(request, view));
    await vscode.window.showTextDocument(document, { preview: true });
  }

  private async compare(request: SentRequest): Promise<void> {
    const before = this.log.before(request);
    if (before === undefined) {
      await vscode.window.showInformationMessage(
        t('There is no earlier request to compare with: none of the same chat or, outside of chats, to the same provider is kept.'),
      );
      return;
    }
    const title = t('Request {0} ↔ Request {1}', before.id, request.id);
    await vscode.commands.executeCommand('vscode.diff', this.uriOf(before, 'body'), this.uriOf(request, 'body'), title);
  }

  private async copy(text: string, done: string): Promise<void> {
    await vscode.env.clipboard.writeText(text);
    vscode.window.setStatusBarMessage(done, 5_000);
  }

  private uriOf({ id }: SentRequest, view: RequestView): vscode.Uri {
    return vscode.Uri.from({ scheme: SCHEME, authority: this.window, path: `/request-${id}${ENDINGS[view]}` });
  }

  private requestOf({ scheme, authority, path }: vscode.Uri): SentRequest | undefined {
    const id = /^\/request-(\d+)/.exec(path)?.[1];
    return scheme === SCHEME && authority === this.window && id !== undefined ? this.log.request(Number(id)) : undefined;
  }

  /** Has open documents say what is known now. Of a request that is not kept any more they stay as they are. */
  private update(id: number): void {
    if (this.log.request(id) === undefined) return;
    for (const { uri } of vscode.workspace.textDocuments) {
      if (uri.scheme === SCHEME && viewOf(uri) !== 'body' && this.requestOf(uri)?.id === id) this.changed.fire(uri);
    }
  }
}

function viewOf({ path }: vscode.Uri): RequestView {
  if (path.endsWith(ENDINGS.body)) return 'body';
  return path.endsWith(ENDINGS.formatted) ? 'formatted' : 'sent';
}

function gone(): string {
  return t('This request is not kept any more. Gnomon keeps the last 20 requests of each chat, as long as the window is open.');
}

function itemOf(request: SentRequest): Item {
  const time = new Date(request.sentAt).toLocaleTimeString(textLanguage());
  return {
    label: modelName(request),
    description: `${time} · ${describeAnswer(request)}`,
    detail: [tokensOf(request), t('{0} KB', formatNumber(request.size / 1024, 1))].join(' · '),
    request,
  };
}

/** The tokens that the server reported; until then, and where it does not, those that are estimated. */
function tokensOf(request: SentRequest): string {
  const usage = request.end?.usage;
  if (usage !== undefined) return t('{0} tokens in, {1} out', formatNumber(inputTokens(usage)), formatNumber(usage.outputTokens));
  const estimate = requestParts(bodyText(request)).reduce((sum, { tokens }) => sum + tokens, 0);
  return t('about {0} tokens in', formatNumber(estimate));
}
