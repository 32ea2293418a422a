import * as vscode from 'vscode';
import type { ChangesQuestion } from '../../domain/host/dialogs.js';
import { t } from '../../domain/l10n.js';
import type { ShownChangesCommand } from '../command-ids.js';
import { Comparison, comparisonIn } from './comparison.js';

/** Context key that the manifest's menus ask for: whether the comparison is the active editor about which a question is open. */
const HAS_QUESTION = 'gnomon.changesToApply';

/** What became of a question: the comparison can be closed without an answer. */
type Outcome = 'wanted' | 'unwanted' | 'closed';

/** A comparison whose changes are to be applied or not. Which tab is its own does not depend on titles: several can have the same one. */
class OpenQuestion {
  readonly outcome: Promise<Outcome>;
  private settle: (outcome: Outcome) => void = () => {};
  /** Tabs that appeared while it was shown. VS Code says of what is in a tab only which files it has that are there on both sides. */
  private readonly appeared = new Set<vscode.Tab>();
  private state: 'shown' | 'asked' | 'answered' = 'shown';

  constructor(private readonly comparison: Comparison) {
    this.outcome = new Promise((settle) => {
      this.settle = settle;
    });
  }

  /** Opens its tab, for as long as the user wants: what is looked at next would take the place of a preview. */
  async show(): Promise<void> {
    await this.comparison.show();
    if (this.state === 'shown') this.state = 'asked';
    if (this.isActive) await vscode.commands.executeCommand('workbench.action.keepEditor');
    this.look();
  }

  /** Takes what has opened: while it is shown, what has its title and is not known to be another one is its own. */
  take(opened: readonly vscode.Tab[]): void {
    if (this.state !== 'shown') return;
    const isUnnamed = (tab: vscode.Tab): boolean => tab.label.startsWith(this.comparison.title) && comparisonIn(tab)?.id === undefined;
    for (const tab of opened) if (comparisonIn(tab) !== undefined && isUnnamed(tab)) this.appeared.add(tab);
  }

  /** Looks whether it still has a tab. */
  look(): void {
    if (this.state === 'asked' && this.tabs().length === 0) this.answer('closed');
  }

  get isActive(): boolean {
    const { activeTab } = vscode.window.tabGroups.activeTabGroup;
    return this.state === 'asked' && activeTab !== undefined && this.has(activeTab);
  }

  answer(outcome: Outcome): void {
    this.state = 'answered';
    this.settle(outcome);
  }

  /** Takes away what shows what is no more. */
  async close(): Promise<void> {
    await vscode.window.tabGroups.close(this.tabs());
    this.comparison.drop();
  }

  private tabs(): readonly vscode.Tab[] {
    return vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.filter((tab) => this.has(tab)));
  }

  private has(tab: vscode.Tab): boolean {
    const known = comparisonIn(tab)?.id;
    return known === undefined ? this.appeared.has(tab) : known === this.comparison.id;
  }
}

/** The comparisons about which the user is asked, with the answers in their title bars: they stay as long as they are open. */
class ShownChanges {
  private readonly open = new Set<OpenQuestion>();
  /** Settles once the last one is shown: one is shown after the other, so that it is known which tab is whose. */
  private shown: Promise<void> = Promise.resolve();

  constructor() {
    // For the life of the extension host, as the module has it.
    vscode.window.tabGroups.onDidChangeTabs(({ opened }) => {
      for (const question of this.open) question.take(opened);
      this.look();
    });
    vscode.window.tabGroups.onDidChangeTabGroups(() => this.look());
  }

  async ask({ title, files }: Pick<ChangesQuestion, 'title' | 'files'>): Promise<Outcome> {
    const question = new OpenQuestion(new Comparison(title, files));
    const before = this.shown;
    const show = async (): Promise<void> => {
      await before;
      this.open.add(question);
      await question.show();
      this.look();
    };
    const showing = show();
    this.shown = showing.catch(() => {});
    try {
      await showing;
      return await question.outcome;
    } finally {
      this.open.delete(question);
      await question.close();
      this.look();
    }
  }

  /** Answers the question in the active tab; none where there is no question. */
  answer(outcome: Outcome): void {
    for (const question of this.open) if (question.isActive) question.answer(outcome);
    this.look();
  }

  private look(): void {
    for (const question of this.open) question.look();
    tellMenus([...this.open].some(({ isActive }) => isActive));
  }
}

function tellMenus(isAsked: boolean): void {
  void vscode.commands.executeCommand('setContext', HAS_QUESTION, isAsked);
}

let shown: ShownChanges | undefined;

/** Asks in a dialog whether files are to be changed, or beside a comparison of all of them where the user wants to see that. */
export async function confirmChanges(question: ChangesQuestion): Promise<boolean> {
  const { text, detail, yes } = question;
  const show = t('Show Changes');
  const answer = await vscode.window.showInformationMessage(text, { modal: true, detail }, yes, show);
  if (answer !== show) return answer === yes;
  let outcome = await askBesideChanges(question);
  // A comparison is closed by accident as well.
  while (outcome === 'closed' && (await vscode.window.showInformationMessage(t('Nothing was applied.'), show)) === show)
    outcome = await askBesideChanges(question);
  return outcome === 'wanted';
}

/** Shows files as they are and as they would be, and asks in the title bar of that whether they are to be changed. */
export async function askBesideChanges(question: Pick<ChangesQuestion, 'title' | 'files'>): Promise<Outcome> {
  shown ??= new ShownChanges();
  return shown.ask(question);
}

/** Answers what is asked about the comparison that is shown. */
export function answerShownChanges(id: ShownChangesCommand): void {
  // The buttons of a tab from before the extension host was restarted do nothing, and go.
  if (shown === undefined) tellMenus(false);
  else shown.answer(id === 'gnomon.applyShownChanges' ? 'wanted' : 'unwanted');
}
