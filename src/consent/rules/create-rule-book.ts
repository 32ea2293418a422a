import { join } from 'node:path';
import type { Disposable } from '../../domain/host/disposable.js';
import type { Log } from '../../domain/log.js';
import type { PermissionRules } from '../create-permissions.js';
import { ConsentPrompt } from './consent-prompt.js';
import { Consents, RULE_CONSENTS } from './consents.js';
import { createFileRuleSettings } from './file-rule-settings.js';
import { FileRules } from './file-rules.js';
import { NarrowedRules } from './narrowed-rules.js';
import { ProblemWarnings } from './problem-warnings.js';
import type { RuleCheck } from './rule-entries.js';
import { type RuleSettings, isFile } from './rule-source.js';
import { type SettingsFile, SettingsFiles } from './settings-files.js';
import { SettingsRuleBook } from './settings-rule-book.js';
import type { Layers } from '../../customization/layers.js';
import { createWriteLock } from '../../customization/write-lock.js';
import type { Approvals } from '../../domain/host/approvals.js';
import type { HostPorts } from '../../domain/host/host-ports.js';

/** The rules in the settings of the program that Gnomon runs in. */
export interface HostRules {
  readonly settings: RuleSettings;
  /** The files that these settings are in, as far as they are known: a mistake in one would leave rules out. */
  readonly files: () => readonly SettingsFile[];
  /** Calls back when a file was saved in an editor. Returns how to stop that. */
  readonly onDidSave: (listener: (path: string) => void) => () => void;
  /** Opens the settings that have rules. */
  readonly open: () => Promise<void>;
  /** Shows the user the rules that there are. */
  readonly show: () => PromiseLike<unknown>;
  /** Whether an editor has changes of a file that are not saved. */
  readonly isUnsaved: (path: string) => boolean;
}

/** Services that the rule book uses. */
export interface RuleBookOptions {
  readonly ports: Pick<HostPorts, 'folders' | 'trust' | 'settings' | 'dialogs' | 'memory'>;
  readonly host: HostRules;
  /** Absolute path of the folder for what is kept of the user, whatever the workspace. */
  readonly globalStorage: string;
  readonly layers: Layers;
  readonly approvals: Approvals;
  readonly check: RuleCheck;
  readonly log: Log;
}

/** The rules in all settings. Keeps up with them, with trust, and with the folders that come and go. */
export function createRuleBook(options: RuleBookOptions): PermissionRules & Disposable {
  const { ports, host, layers, approvals, log } = options;
  const { folders, trust, dialogs } = ports;
  const files = new SettingsFiles(host.files);
  const ofFiles = new FileRules();
  // They may have been read before: nothing is decided without the rules in them.
  ofFiles.take(layers.files);
  const book = bookOf(options, files, ofFiles);
  const consent = new ConsentPrompt(book, dialogs);
  const tell = tellOf(options, book, consent);
  const refresh = async (): Promise<void> => {
    // What the settings say counts at once; what their files show follows.
    book.forget();
    await layers.ready().catch((error: unknown) => log.error('The rules of settings files are not known', error));
    if (await files.check()) book.forget();
    tell();
  };
  const again = (): void => void refresh();
  const stops = [
    layers.onDidChange(() => {
      ofFiles.take(layers.files);
      book.forget();
      tell();
    }),
    ports.settings.onDidChange('gnomon.permissions', again),
    host.onDidSave((path) => {
      if (files.includes(path)) again();
    }),
    folders.onDidChange(again),
    approvals.onDidChange(() => {
      book.forget();
      tell();
    }),
    trust.onDidGrant(again),
  ];
  return { book, consent, refresh, dispose: () => stops.forEach((stop) => stop()) };
}

/** The book over the host's own settings and those of files. */
function bookOf({ ports, host, globalStorage, layers, approvals, check, log }: RuleBookOptions, files: SettingsFiles, ofFiles: FileRules): SettingsRuleBook {
  const inFiles = createFileRuleSettings({
    sources: ofFiles.sources,
    read: () => layers.read(),
    folders: ports.folders.paths,
    isUnsaved: host.isUnsaved,
    lock: createWriteLock(join(globalStorage, 'locks'), log),
    log,
  });
  const settings: RuleSettings = {
    sources: () => [...host.settings.sources(), ...inFiles.sources()],
    change: (source, ...rest) => (isFile(source) ? inFiles : host.settings).change(source, ...rest),
  };
  return new SettingsRuleBook({
    settings,
    consents: new Consents(approvals.of(RULE_CONSENTS)),
    trust: ports.trust,
    check,
    damage: () => [...files.damage(), ...ofFiles.damage()],
    ready: async () => {
      await Promise.all([layers.ready(), approvals.ready()]);
    },
  });
}

/** Tells the user what is wrong with rules, and asks about those that wait. */
function tellOf({ ports, host, log }: RuleBookOptions, book: SettingsRuleBook, consent: ConsentPrompt): () => void {
  const warnings = new ProblemWarnings(ports.dialogs, host.open);
  const narrowed = new NarrowedRules(ports.dialogs, ports.memory.global, host.show);
  const fail = (error: unknown): void => log.error('A question about permission rules failed', error);
  return () => {
    warnings.show(book.listing().problems).catch(fail);
    narrowed.show(book.listing()).catch(fail);
    // Where nothing can be approved, there is nothing to ask.
    if (ports.trust.trusted()) consent.askAll().catch(fail);
  };
}
