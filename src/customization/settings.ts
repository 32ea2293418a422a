import { present } from '../domain/present.js';
import { Signal } from '../concurrency/signal.js';
import { type Candidate, type Choice, chooseValue } from '../config/settings/choose-value.js';
import { FileValues } from '../config/settings/file-values.js';
import {
  ALLOWED_MODELS,
  AUTO_COMPACT_PERCENT,
  BYPASS_ALLOWED,
  BYPASS_SETTING,
  MODE_SETTING,
  MODEL_SETTING,
  NO_MODEL_ALLOWED,
  SETTING_KEYS,
  type SettingKey,
} from '../config/settings/setting-keys.js';
import { CONFIG_LAYERS, type ConfigOrigin, isFromRepository } from '../domain/config/origin.js';
import type { ConfigProblem } from '../domain/config/problem.js';
import { t } from '../domain/l10n.js';
import { type ThinkingEffort, parseThinkingEffort } from '../domain/model/effort.js';
import type { PolicySource } from '../domain/model/routing.js';
import { type PermissionMode, parsePermissionMode } from '../domain/tool/permission.js';
import type { Caps } from '../domain/model/purse.js';
import type { InstructionChoices } from '../node/instructions/instructions.js';
import { type Disposable, together } from '../domain/host/disposable.js';
import type { HostPorts } from '../domain/host/host-ports.js';
import type { Layers } from './layers.js';

/** Name of a model or an output style for new chats, which may not exist. */
export interface NamedBySetting {
  /** Of a model `provider/model`, or as Claude Code names models, such as `opus`. */
  readonly name: string;
  /** Display name of its file; absent for the settings of VS Code. */
  readonly file?: string;
  /** Whether the file is of the workspace, where others may have written it. */
  readonly ofRepository?: boolean;
}

/** The models that a place allows. Those of all places hold together: a model has to be in each of them. */
export interface AllowedModels {
  readonly by: PolicySource;
  /** Display name of the place. */
  readonly place: string;
  /** As `provider/model`, or the names of providers. What is neither names nothing, and limits all the same. */
  readonly names: readonly unknown[];
}

/** The settings that files can have, too, as they count in this window: read afresh at each call, from the files as they were read last. */
export class FileSettings implements Disposable {
  private readonly files = new FileValues();
  private readonly changed = new Signal();
  /** Fires when another value may count, or is refused, or something else is wrong. */
  readonly onDidChange = this.changed.subscribe;
  private readonly listening: Disposable;
  private told = '';

  constructor(
    private readonly ports: Pick<HostPorts, 'settings' | 'trust'>,
    private readonly layers: Layers,
  ) {
    this.listening = together(
      { dispose: layers.onDidChange(() => this.take()) },
      { dispose: ports.settings.onDidChange('gnomon', () => this.tell()) },
      { dispose: ports.trust.onDidGrant(() => this.tell()) },
    );
    this.take();
  }

  /**
   * Resolves when the files are known as they are now: nothing is decided before.
   * @throws Error when they could not be read
   */
  readonly ready = (): Promise<void> => this.layers.ready();

  /** Problems of values in files. */
  get problems(): readonly ConfigProblem[] {
    return this.files.problems;
  }

  /** Effective value of a setting, and the overridden ones. */
  choice(key: SettingKey): Choice {
    const found = this.ports.settings.inspect(key.setting);
    const by = key.setting === MODE_SETTING ? this.bypassDisabledBy() : undefined;
    return chooseValue(key, this.candidates(key, found.globalValue, found.defaultValue), {
      usual: found.defaultValue,
      trusted: this.ports.trust.trusted(),
      ...present({ bypassDisabledBy: by }),
    });
  }

  /** Display name of the place that disables the mode `bypassPermissions` for all chats; `undefined` when it can be used. */
  readonly bypassDisabledBy = (): string | undefined => {
    const { value, origin } = this.choice(keyOf(BYPASS_SETTING));
    return origin === undefined || value === BYPASS_ALLOWED ? undefined : origin.display;
  };

  /** The models that new chats are to have: the first of them that there is. */
  readonly wantedModels = (): readonly NamedBySetting[] => this.named(MODEL_SETTING).filter(({ name }) => name !== '');
  /** The models that may be asked at all, by each place that says so. */
  readonly allowedModels = (): readonly AllowedModels[] =>
    this.choice(keyOf(ALLOWED_MODELS)).permitted.flatMap(({ origin, value }) => {
      const by = origin.layer === 'managed' ? 'organization' : isFromRepository(origin) ? 'workspace' : 'settings';
      return Array.isArray(value) && value.length > 0 ? [{ by, place: origin.display, names: value as readonly unknown[] }] : [];
    });
  /** The mode for new sessions. */
  readonly permissionMode = (): PermissionMode => parsePermissionMode(this.value(MODE_SETTING)) ?? 'ask';
  /** The output styles, of which the first that there is counts; `default` and nothing mean none. */
  readonly outputStyles = (): readonly NamedBySetting[] => this.named('gnomon.outputStyle');
  /** Addition to the system prompt of all chats; empty for none. */
  readonly promptAddition = (): string => this.read('gnomon.systemPromptAddition', '');
  /** Requests to the model for one message at most. */
  readonly maxRounds = (): number => Math.max(1, Math.trunc(this.read('gnomon.maxRounds', 200)));
  /** Limits of one session; 0 or less means unlimited. */
  readonly caps = (): Caps => ({
    ...limit('maxTurns', Math.trunc(this.read('gnomon.maxTurns', 0))),
    ...limit('maxCostUsd', this.read('gnomon.maxCostUsd', 0)),
  });
  /** Percentage of the context window that triggers automatic compaction; 0 for never. */
  readonly autoCompactThreshold = (): number => {
    const percent = Math.trunc(this.read('gnomon.autoCompactThreshold', AUTO_COMPACT_PERCENT));
    return percent <= 0 ? 0 : Math.min(95, Math.max(50, percent));
  };
  /** Thinking effort of new sessions. Unknown values count as the default. */
  readonly thinkingEffort = (): ThinkingEffort => parseThinkingEffort(this.value('gnomon.thinkingEffort')) ?? 'medium';
  /** Whether what is selected in the editor goes with messages, until the user says otherwise in the window. */
  readonly includeSelection = (): boolean => this.read('gnomon.includeSelection', true);
  /** Whether a model improves the titles of sessions. */
  readonly improveTitles = (): boolean => this.read('gnomon.improveTitles', true);
  /** Instruction files to use beside those of the project. */
  readonly instructionChoices = (): InstructionChoices => ({
    own: this.read('gnomon.instructions.user', true),
    otherTools: this.read('gnomon.instructions.otherTools', true),
  });
  /** Address of the Anthropic endpoint, from a setting or the environment; `undefined` for Anthropic itself. */
  readonly anthropicBaseUrl = (): string | undefined => nonEmpty(this.read('gnomon.anthropic.baseUrl', '')) ?? nonEmpty(process.env['ANTHROPIC_BASE_URL']);
  /** Address of the user's SearXNG server; empty for none. */
  readonly searxngUrl = (): string => this.read('gnomon.webSearch.searxngUrl', '').trim();
  /** The user's settings for models and endpoints, not yet checked. */
  readonly customModels = (): unknown => this.value('gnomon.models');
  readonly customProviders = (): unknown => this.value('gnomon.providers');

  dispose(): void {
    this.listening.dispose();
    this.changed.clear();
  }

  private take(): void {
    this.files.take(this.layers.files.filter(({ form }) => form === 'settings'));
    this.tell();
  }

  private tell(): void {
    const now = JSON.stringify([SETTING_KEYS.map((key) => this.choice(key)), this.problems]);
    if (now === this.told) return;
    this.told = now;
    this.changed.emit();
  }

  /** All values for a setting, the strongest first: of the user, VS Code's goes before those of files. */
  private candidates(key: SettingKey, ofVsCode: unknown, usual: unknown): readonly Candidate[] {
    const ofFiles = this.files.candidates(key);
    const own = { origin: originInVsCode(key.setting), value: usable(key, ofVsCode, usual) };
    return CONFIG_LAYERS.flatMap((layer) => [...(layer === own.origin.layer ? [own] : []), ...ofFiles.filter(({ origin }) => origin.layer === layer)]);
  }

  private named(setting: string): readonly NamedBySetting[] {
    return this.choice(keyOf(setting)).permitted.flatMap(({ origin, value }) =>
      typeof value === 'string' ? [{ name: value, ...(origin.file === setting ? {} : { file: origin.display, ofRepository: isFromRepository(origin) }) }] : [],
    );
  }

  private value(setting: string): unknown {
    return this.choice(keyOf(setting)).value;
  }

  private read<T extends string | number | boolean>(setting: string, fallback: T): T {
    const value = this.value(setting);
    return typeof value === typeof fallback ? (value as T) : fallback;
  }
}

/** The user settings of VS Code as the place of a setting. */
export function originInVsCode(setting: string): ConfigOrigin {
  return { layer: 'user', file: setting, display: t('user settings') };
}

/** VS Code passes on what has the wrong type. What is not a known mode counts as the strictest that asks. */
function usable({ setting }: SettingKey, value: unknown, usual: unknown): unknown {
  if (value === undefined || value === null) return undefined;
  if (setting === MODE_SETTING) return parsePermissionMode(value) ?? 'ask';
  // Whoever wrote it wanted to limit which models are asked.
  if (setting === ALLOWED_MODELS && !Array.isArray(value)) return NO_MODEL_ALLOWED;
  return typeof value === typeof usual && Array.isArray(value) === Array.isArray(usual) ? value : undefined;
}

function keyOf(setting: string): SettingKey {
  const key = SETTING_KEYS.find((each) => each.setting === setting);
  if (key === undefined) throw new Error(`Files cannot have the setting ${setting}`);
  return key;
}

/** A limit as a setting has it: 0 or less means none. */
export function limit<Key extends string>(key: Key, value: number): { readonly [K in Key]?: number } {
  const none: { [K in Key]?: number } = {};
  if (value > 0) none[key] = value;
  return none;
}

function nonEmpty(value: string | undefined): string | undefined {
  return value === undefined || value.trim() === '' ? undefined : value.trim();
}
