import * as vscode from 'vscode';
import { attachedBlock } from '../../domain/session/attached.js';
import type { UserContent } from '../../domain/model/content.js';
import { t } from '../../domain/l10n.js';
import { displayPath } from '../mentions/workspace-paths.js';
import { type ActionCommand, CODE_ACTIONS, type CodeAction } from '../command-ids.js';
import { actionPrompt, type CustomAction, customActions, customPrompt, needsPlace, placeMention, problemMention } from './action-prompt.js';
import { placesOf, targetOf } from './target.js';

/** Maximum characters of a problem's message. */
const MAX_PROBLEM = 2_000;

/** What actions on code do in the chat: send a message, fill in the composer, or rename a symbol. */
export interface EditorActionDeps {
  /** Says something in the conversation that the user worked in last, and shows it. */
  readonly say: (text: string, attached: readonly UserContent[]) => Promise<void>;
  /** Puts a text where the user writes, and shows that. */
  readonly compose: (text: string) => Promise<void>;
  /** Finds better names for the symbol at the cursor, and renames it. */
  readonly rename: () => Promise<void>;
  /** The user's own actions, as the setting has them. */
  readonly custom: () => unknown;
}

/** Editor commands that send a prompt about code to the chat. */
export class EditorActions {
  constructor(private readonly deps: EditorActionDeps) {}

  /** Carries out a command, with the arguments that VS Code, a key binding or a code action gives it. */
  async run(id: ActionCommand, args: readonly unknown[]): Promise<void> {
    const action = CODE_ACTIONS.find((each) => `gnomon.${each}` === id);
    if (action !== undefined) await this.ask(action, args);
    else if (id === 'gnomon.addToChat') await this.add(args);
    else if (id === 'gnomon.addTerminalToChat') await this.deps.compose('@terminal ');
    else if (id === 'gnomon.explainTerminal') await this.say(t('Explain what @terminal shows. If something failed, explain why and how to fix it.'));
    else if (id === 'gnomon.createFile') await this.createFile(args);
    else if (id === 'gnomon.suggestName') await this.deps.rename();
    else await this.runCustom(args);
  }

  /** Puts a text where the user writes, and shows that. */
  compose(text: string): Promise<void> {
    return this.deps.compose(text);
  }

  /** Sends a message; if sending fails, its text goes into the composer, so that nothing is lost. */
  private async say(text: string, attached: readonly UserContent[] = []): Promise<void> {
    try {
      await this.deps.say(text, attached);
    } catch (error) {
      await this.deps.compose(text);
      throw error;
    }
  }

  private async ask(action: CodeAction, args: readonly unknown[]): Promise<void> {
    const target = targetOf(args);
    if (target === undefined) {
      tellNoPlace();
      return;
    }
    const { place, problem } = target;
    await this.say(actionPrompt(action, place, problem !== ''), problem === '' ? [] : [problemBlock(problem)]);
  }

  private async add(args: readonly unknown[]): Promise<void> {
    const target = targetOf(args);
    if (target !== undefined && target.problem !== '') return this.deps.compose(`${problemMention(target.place)} `);
    const places = placesOf(args);
    if (places.length === 0) {
      tellNoPlace();
      return;
    }
    await this.deps.compose(`${places.map(placeMention).join(' ')} `);
  }

  /** Has a file written that the user describes, in the folder that was chosen in a menu if there was one. */
  private async createFile([folder]: readonly unknown[]): Promise<void> {
    const title = t('New File from Description');
    const description =
      (
        await vscode.window.showInputBox({
          title,
          prompt: t('Describe the file to create. Gnomon chooses a name unless you specify one.'),
          ignoreFocusOut: true,
        })
      )?.trim() ?? '';
    if (description === '') return;
    const where = folder instanceof vscode.Uri ? placeMention({ path: displayPath(folder) }) : undefined;
    await this.say(where === undefined ? t('Create a new file: {0}', description) : t('Create a new file in {0}: {1}', where, description));
  }

  /** Runs an action of the user's own: the one that is named, or one that they pick. */
  private async runCustom([name]: readonly unknown[]): Promise<void> {
    const all = customActions(this.deps.custom());
    if (all.length === 0) {
      tellNoActions();
      return;
    }
    const chosen = all.find((each) => each.name === name) ?? (await pick(all));
    if (chosen === undefined) return;
    const target = targetOf([]);
    if (target === undefined && needsPlace(chosen)) {
      tellNoPlace();
      return;
    }
    await this.say(customPrompt(chosen, target?.place, target?.language ?? ''));
  }
}

/** A problem's message comes from a program that read files: it is attached as data, never part of the user's text. */
function problemBlock(problem: string): UserContent {
  return attachedBlock({ name: 'problem', text: problem.slice(0, MAX_PROBLEM) });
}

async function pick(all: readonly CustomAction[]): Promise<CustomAction | undefined> {
  const items = all.map((action) => ({ label: action.name, detail: action.prompt, action }));
  return (await vscode.window.showQuickPick(items, { placeHolder: t('Select an action'), matchOnDetail: true }))?.action;
}

function tellNoPlace(): void {
  void vscode.window.showInformationMessage(t('Open a file and select the code first.'));
}

function tellNoActions(): void {
  const open = t('Open Settings');
  const words = t('There are no custom actions yet. Add them in the setting gnomon.actions.');
  void vscode.window
    .showInformationMessage(words, open)
    .then((answer) => (answer === open ? vscode.commands.executeCommand('workbench.action.openSettings', 'gnomon.actions') : undefined));
}
