import * as vscode from 'vscode';

/** The scheme of texts that are only read. */
const SCHEME = 'gnomon-text';
/** Texts that are kept; tabs of older ones that are shown again are empty. */
const MAX_TEXTS = 50;

/** Shows texts of Gnomon in editors: they cannot be changed, and closing one asks nothing. */
class TextViews implements vscode.TextDocumentContentProvider {
  private readonly texts = new Map<string, string>();
  private count = 0;

  constructor() {
    // For the life of the extension host, as the module has it.
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, this);
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.texts.get(uri.path) ?? '';
  }

  async show(title: string, text: string): Promise<void> {
    this.count += 1;
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${this.count}/${title.replaceAll('/', ' ')}` });
    const [oldest] = this.texts.keys();
    if (this.texts.size >= MAX_TEXTS && oldest !== undefined) this.texts.delete(oldest);
    this.texts.set(uri.path, text);
    await vscode.window.showTextDocument(uri, { preview: true });
  }
}

let views: TextViews | undefined;

/** Shows a text in an editor. @param title of its tab */
export async function showText(title: string, text: string): Promise<void> {
  views ??= new TextViews();
  await views.show(title, text);
}
