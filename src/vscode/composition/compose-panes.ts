import { join } from 'node:path';
import * as vscode from 'vscode';
import type { ChatPane } from '../../chat/pane/chat-pane.js';
import type { ChatDeps } from '../../chat/pane/chat-deps.js';
import type { PanelPort } from '../../chat/pane/panel.js';
import { openFirst } from '../../chat/pane/open-first.js';
import { Panes } from '../../chat/pane/panes.js';
import type { SessionTab } from '../chat/pane/session-tabs.js';
import { wholeActivity } from '../../chat/projection/elf-view.js';
import { viewTitle } from '../../chat/pane/view-title.js';
import type { SessionActivity } from '../../chat/sessions/session-activity.js';
import type { Host } from './host.js';
import { Notes } from '../../node/files/notes.js';

/** The note of which conversation the sidebar showed last. */
const CURRENT = 'current-session';

/** Parts for {@link composePanes} beside the host. */
export interface PaneComposition {
  readonly chat: Omit<ChatDeps, 'isShown'>;
  readonly activity: SessionActivity;
  readonly storage: string;
}

/** The places where conversations are shown, and what connects the page of an editor tab. */
export interface ComposedPanes {
  readonly panes: Panes;
  readonly connectTab: (tab: SessionTab, id: string | undefined) => Promise<PanelPort>;
}

/** Builds the places, with the conversation that the sidebar showed last, and keeps what VS Code shows of them up to date. */
export async function composePanes(host: Host, { chat, activity, storage }: PaneComposition): Promise<ComposedPanes> {
  const { conversations, log } = chat;
  const current = new Notes(storage, log);
  const { conversation: first, busy } = await openFirst(conversations, await current.read(CURRENT), log);
  const panes = new Panes({
    chat,
    places: host.places,
    sidebar: host.sidebar,
    first,
    remember: (id) => current.write(CURRENT, id),
    windowFocused: () => vscode.window.state.focused,
  });
  panes.sidebar.sessions.busy.set(busy);
  const tabs = new Set<SessionTab>();
  const shown = new Notes(join(storage, 'tabs'), log);
  await shown.names(Date.now());
  keepUp(host, panes, activity, tabs);
  return { panes, connectTab: (tab, id) => connectTab({ panes, chat, tabs, shown }, tab, id) };
}

interface TabDeps extends Pick<PaneComposition, 'chat'> {
  readonly panes: Panes;
  /** The open tabs. */
  readonly tabs: Set<SessionTab>;
  /** Id of the conversation that each tab showed last, by the name of the tab. */
  readonly shown: Notes;
}

async function connectTab({ panes, chat, tabs, shown }: TabDeps, tab: SessionTab, id: string | undefined): Promise<PanelPort> {
  const { conversation, busy } = await openFirst(chat.conversations, (await shown.read(tab.name)) ?? id, chat.log);
  tabs.add(tab);
  const remember = (now: string): void => shown.write(tab.name, now);
  const pane = panes.addTab(tab, conversation, remember);
  remember(busy?.id ?? conversation.id);
  pane.sessions.busy.set(busy);
  const port = pane.connect(tab.panel.webview);
  return {
    receive: (raw) => port.receive(raw),
    dispose: () => {
      port.dispose();
      tabs.delete(tab);
      shown.remove(tab.name);
      panes.remove(tab);
    },
  };
}

/** Shows in the status bar, in `when` clauses and at the titles what the conversations do. */
function keepUp(host: Host, panes: Panes, activity: SessionActivity, tabs: ReadonlySet<SessionTab>): void {
  const { context, status } = host;
  const setContext = contextKeys();
  const showTitles = (): void => {
    // The sidebar has no header of its own.
    host.sidebar.show(viewTitle(panes.sidebar, activity));
    for (const tab of tabs) {
      const shown = panes.paneOf(tab)?.current;
      if (shown !== undefined) tab.show(shown.view.state.title, activity.stateOf(shown.id) ?? 'idle');
    }
  };
  const look = (): void => {
    const { active } = host.tabs;
    const { state } = panes.active.current.view;
    status.show(wholeActivity(state));
    // What can be stopped is a turn; agents are stopped by themselves.
    setContext('gnomon.running', state.activity !== 'idle');
    setContext('gnomon.hasAgents', state.elves.length > 0);
    setContext('gnomon.hasMessages', hasMessages(panes.active));
    setContext('gnomon.sidebarHasMessages', hasMessages(panes.sidebar));
    setContext('gnomon.tabHasMessages', hasMessages(active === undefined ? undefined : panes.paneOf(active)));
    activity.look();
    showTitles();
  };
  look();
  context.subscriptions.push({ dispose: panes.onDidChange(look) }, vscode.window.onDidChangeWindowState(look), { dispose: activity.onDidChange(showTitles) });
}

function hasMessages(pane: ChatPane | undefined): boolean {
  return pane !== undefined && pane.current.session.messages.length > 0;
}

/** Sets keys for `when` clauses, each only when it changes. */
function contextKeys(): (key: string, value: boolean) => void {
  const set = new Map<string, boolean>();
  return (key, value) => {
    if (set.get(key) === value) return;
    set.set(key, value);
    void vscode.commands.executeCommand('setContext', key, value);
  };
}
