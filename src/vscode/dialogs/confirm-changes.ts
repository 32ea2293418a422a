import * as vscode from 'vscode';
import type { ChangesQuestion } from '../../domain/host/dialogs.js';
import { t } from '../../domain/l10n.js';
import type { ShownChangesCommand } from '../command-ids.js';
import { showComparison } from './comparison.js';

/** Context key that the manifest's menus ask for: whether the comparison is the active editor about which a question is open. */
const HAS_QUESTION = 'gnomon.changesToApply';

/** A comparison whose changes are to be applied or not. */
interface OpenQuestion {
  readonly title: string;
  readonly answer: (wanted: boolean) => void;
}

/** The comparison about which the user is asked, with the answers in its title bar: they stay as long as it is open. */
class ShownChanges {
  private open: OpenQuestion | undefined;

  constructor() {
    // For the life of the extension host, as the module has it.
    vscode.window.tabGroups.onDidChangeTabs(({ closed }) => {
      if (this.open !== undefined && closed.some((tab) => isOf(tab, this.open)) && tabsOf(this.open).length === 0) this.answer(false);
      this.tellMenus();
    });
    vscode.window.tabGroups.onDidChangeTabGroups(() => this.tellMenus());
  }

  async ask({ title, files }: ChangesQuestion): Promise<boolean> {
    this.answer(false);
    await showComparison(title, files);
    const wanted = await new Promise<boolean>((answer) => {
      this.open = { title, answer };
      this.tellMenus();
    });
    // Whatever was answered, it shows what is no more.
    await vscode.window.tabGroups.close(tabsOf({ title }));
    return wanted;
  }

  answer(wanted: boolean): void {
    const { open } = this;
    this.open = undefined;
    open?.answer(wanted);
    this.tellMenus();
  }

  private tellMenus(): void {
    const { activeTab } = vscode.window.tabGroups.activeTabGroup;
    void vscode.commands.executeCommand('setContext', HAS_QUESTION, activeTab !== undefined && isOf(activeTab, this.open));
  }
}

/** VS Code adds the number of files to a title. */
function isOf({ label }: vscode.Tab, question: Pick<OpenQuestion, 'title'> | undefined): boolean {
  return question !== undefined && (label === question.title || label.startsWith(`${question.title} (`));
}

function tabsOf(question: Pick<OpenQuestion, 'title'>): readonly vscode.Tab[] {
  return vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.filter((tab) => isOf(tab, question)));
}

let shown: ShownChanges | undefined;

/** Asks in a dialog whether files are to be changed, or beside a comparison of all of them where the user wants to see that. */
export async function confirmChanges(question: ChangesQuestion): Promise<boolean> {
  const { text, detail, yes } = question;
  const show = t('Show Changes');
  const answer = await vscode.window.showInformationMessage(text, { modal: true, detail }, yes, show);
  if (answer !== show) return answer === yes;
  shown ??= new ShownChanges();
  return shown.ask(question);
}

/** Answers what is asked about the comparison that is shown. */
export function answerShownChanges(id: ShownChangesCommand): void {
  shown?.answer(id === 'gnomon.applyShownChanges');
}
