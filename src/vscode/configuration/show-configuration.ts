import * as os from 'node:os';
import { isAbsolute, sep } from 'node:path';
import * as vscode from 'vscode';
import { BUILT_IN_NAMES } from '../../config/commands/command-name.js';
import { chooseCommands } from '../../config/commands/choose-commands.js';
import { type Report, type ReportSection, type ShortFolder, reportOf } from '../../config/report/report.js';
import { settingsFields } from '../../config/settings/settings-fields.js';
import { t } from '../../domain/l10n.js';
import type { WindowAgents } from '../agent/window-agents.js';
import type { WindowCommands } from '../config/window-commands.js';
import type { WindowLayers } from '../config/window-layers.js';
import type { WindowSettings } from '../config/window-settings.js';
import type { WindowHooks } from '../hook/window-hooks.js';
import type { WindowStyles } from '../output-style/window-styles.js';
import type { WindowPermissions } from '../permission/create-permissions.js';
import { showingText } from '../skill/show-skills.js';
import type { WindowSkills } from '../skill/window-skills.js';
import { foldersOfWindow } from '../workspace/folders.js';
import { setSettings } from './set-settings.js';

/** The scheme of the report as a document. */
const SCHEME = 'gnomon-configuration';
const ADDRESS = vscode.Uri.from({ scheme: SCHEME, path: '/Gnomon Configuration' });

/** What is reported. */
export interface ConfigurationDeps {
  readonly extension: vscode.ExtensionContext['extension'];
  readonly layers: WindowLayers;
  readonly settings: WindowSettings;
  readonly permissions: Pick<WindowPermissions, 'book' | 'trust'>;
  readonly hooks: WindowHooks;
  readonly agents: WindowAgents;
  readonly styles: WindowStyles;
  readonly skills: WindowSkills;
  readonly commands: WindowCommands;
}

/** Shows what is configured and from where, as a document that keeps up with the files while it is open. */
export class ConfigurationReport implements vscode.TextDocumentContentProvider, vscode.DocumentLinkProvider, vscode.Disposable {
  private readonly deps: ConfigurationDeps;
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changed.event;
  private readonly registered: vscode.Disposable;
  private latest: Report = { text: '', links: [] };

  constructor(deps: ConfigurationDeps) {
    this.deps = deps;
    const stops = [deps.layers.onDidRead(() => this.update()), deps.agents.onDidChange(() => this.update()), deps.skills.onDidChange(() => this.update()), deps.commands.onDidChange(() => this.update()), deps.hooks.onDidChange(() => this.update())];
    const stop = (): void => stops.forEach((each) => each());
    this.registered = vscode.Disposable.from(this.changed, vscode.workspace.registerTextDocumentContentProvider(SCHEME, this), vscode.languages.registerDocumentLinkProvider({ scheme: SCHEME }, this), vscode.workspace.onDidChangeConfiguration((event) => event.affectsConfiguration('gnomon') && this.update()), { dispose: stop });
  }

  /** Opens it with everything read again. */
  async show(): Promise<void> {
    await Promise.all([this.deps.layers.read(), this.deps.agents.read(), this.deps.styles.read(), this.deps.skills.ready(), this.deps.commands.read()]);
    this.update();
    await vscode.window.showTextDocument(ADDRESS, { preview: false });
  }

  async provideTextDocumentContent(): Promise<string> {
    const { layers, agents, styles, skills, permissions } = this.deps;
    await Promise.all([layers.ready(), agents.ready(), styles.ready(), skills.ready()]);
    const intro = permissions.trust.trusted()
      ? [t('What Gnomon takes from which file. Of values that several files have, the strongest file counts: managed, then yours in this workspace, then this workspace, then yours.')]
      : [t('This workspace is not trusted: its hooks, agents, commands, skills, and allow rules are not used. What it denies counts.')];
    this.latest = reportOf([this.settings(), this.files(), this.rules(), await this.hooks(), this.agents(), this.skills(), this.commands(), await this.styles()], intro, shortFolders());
    return this.latest.text;
  }

  /** The places that are named, as far as they are files on this machine. */
  provideDocumentLinks(document: vscode.TextDocument): vscode.DocumentLink[] {
    const { text, links } = this.latest;
    if (document.getText() !== text) return [];
    return links.filter(({ file }) => isAbsolute(file)).map(({ start, end, file, line }) => {
      const target = vscode.Uri.file(file).with({ fragment: line === undefined ? '' : `L${line}` });
      return new vscode.DocumentLink(new vscode.Range(document.positionAt(start), document.positionAt(end)), target);
    });
  }

  dispose(): void {
    this.registered.dispose();
  }

  private update(): void {
    this.changed.fire(ADDRESS);
  }

  private settings(): ReportSection {
    return { title: t('Settings'), empty: t('All settings are as they come.'), items: setSettings(this.deps.settings, this.deps.extension), problems: this.deps.settings.problems };
  }

  private files(): ReportSection {
    const { files } = this.deps.layers;
    const items = files.map((file) => ({
      name: file.origin.display,
      origin: file.origin,
      state: 'problem' in file ? file.problem : (file.notice ?? t('read')),
      ...('problem' in file || file.form !== 'settings' ? {} : { fields: settingsFields(file.text, file.origin) }),
    }));
    return { title: t('Settings files'), empty: t('There are none. They are looked for at {0}.', '.gnomon/settings.json, .claude/settings.json, ~/.gnomon/settings.json'), items, problems: [] };
  }

  private rules(): ReportSection {
    const { entries, problems } = this.deps.permissions.book.listing();
    const states = { holds: t('counts'), unreadable: t('cannot be read, so everything it may be about asks'), needs_consent: t('not approved yet') };
    const items = entries.map(({ rule, source, state }) => ({ name: `${rule.effect} ${rule.text}`, state: `${states[state]} (${source.label})` }));
    return { title: t('Permission rules'), empty: t('There are none.'), items, problems: problems.map((message) => ({ file: '', key: '', message })) };
  }

  private async hooks(): Promise<ReportSection> {
    const { hooks, permissions } = this.deps;
    const trusted = permissions.trust.trusted();
    const states = { approved: t('in use'), new: t('waits for your approval'), changed: t('changed since you approved it, and waits for you') };
    const items = (await hooks.list()).map(({ hook, standing }) => ({
      name: [hook.event, ...(hook.matcher === undefined ? [] : [hook.matcher]), hook.handler.type === 'http' ? hook.handler.url : hook.handler.command].join(' '),
      origin: hook.origin,
      state: trusted ? (hook.broken ?? states[standing.state]) : t('not used: the workspace is not trusted'),
    }));
    return { title: t('Hooks'), empty: t('There are none.'), items, problems: hooks.problems };
  }

  private agents(): ReportSection {
    const { agents, problems } = this.deps.agents;
    const items = agents.map(({ name, agent, overridden }) => ({ name, origin: agent.origin, state: agent.description, overridden, fields: agent.fields }));
    return { title: t('Agents'), empty: t('There are none.'), items, problems };
  }

  private async styles(): Promise<ReportSection> {
    const { styles } = this.deps;
    const chosen = (await styles.chosen())?.name;
    const items = styles.styles.map(({ name, description, origin, fields }) => ({ name, origin, state: name === chosen ? t('chosen. {0}', description) : description, fields }));
    return { title: t('Output styles'), empty: t('There are none.'), items, problems: styles.problems };
  }

  private commands(): ReportSection {
    const { commands } = this.deps;
    const choice = chooseCommands(commands.all, BUILT_IN_NAMES);
    const items = choice.commands.map(({ name, command, overridden }) => ({
      name: `/${name}`,
      origin: command.origin,
      state: commands.counts(command) ? command.description : t('not used: the workspace is not trusted'),
      overridden,
      fields: command.fields,
    }));
    return { title: t('Slash commands'), empty: t('There are none.'), items, problems: [...commands.problems, ...choice.problems] };
  }

  private skills(): ReportSection {
    const { choice, plan, problems } = this.deps.skills.found;
    const items = choice.skills.map(({ name, qualifiedName, skill, overridden }) => ({ name, origin: skill.origin, state: showingText(plan.showing.get(qualifiedName)), overridden, fields: skill.fields }));
    return { title: t('Skills'), empty: t('There are none.'), items, problems };
  }
}

function shortFolders(): readonly ShortFolder[] {
  return [...foldersOfWindow().map((path) => ({ path: `${path}${sep}`, short: '' })), { path: `${os.homedir()}${sep}`, short: `~${sep}` }];
}
