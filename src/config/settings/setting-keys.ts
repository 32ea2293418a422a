import { isFromRepository, type ConfigOrigin } from '../../domain/config/origin.js';
import { THINKING_EFFORTS } from '../../domain/model/effort.js';
import { narrowMode } from '../../domain/tool/narrow-mode.js';
import { PERMISSION_MODES, parsePermissionMode } from '../../domain/tool/permission.js';
import type { SettingShape } from './setting-problems.js';

/** A setting that files can have, too. */
export interface SettingKey {
  /** As VS Code names it, such as `gnomon.model`. */
  readonly setting: string;
  /** As files name it, with dots between objects in each other; of several, the first counts. */
  readonly names: readonly [string, ...string[]];
  readonly shape: SettingShape;
  /**
   * Rights of a workspace: set it once it is trusted; make it stricter, even before; or nothing, because it decides where
   * messages, keys, or requests go. Files of other programs may not do the latter either.
   */
  readonly workspace: 'trusted' | 'stricter' | 'never';
  /** Whether a value permits nothing that another one does not; for those that a workspace may make stricter. */
  readonly isAsStrict?: (value: unknown, than: unknown) => boolean;
  /** Whether the strictest value counts, whatever layer it is from, as a deny rule does; with {@link isAsStrict}. */
  readonly strictestCounts?: true;
  /** Whether the lists of all layers hold, each for itself: what is effective is what all of them name. */
  readonly allHold?: true;
}

/** A number of which less permits less. */
const isLower = (value: unknown, than: unknown): boolean => Number(value) <= Number(than);
/** A limit; 0 is unlimited. */
const isLowerLimit = (value: unknown, than: unknown): boolean => Number(value) > 0 && (Number(than) <= 0 || isLower(value, than));
/** Something that `true` permits. */
const isOff = (value: unknown, than: unknown): boolean => value === false || than === true;
const isStricterMode = (value: unknown, than: unknown): boolean => {
  const mode = parsePermissionMode(value);
  return mode !== undefined && narrowMode(parsePermissionMode(than) ?? 'ask', mode) === mode;
};

/** The setting for the permission mode of new chats. */
export const MODE_SETTING = 'gnomon.permissionMode';
/** The setting for whether chats may have the mode that bypasses permissions. */
export const BYPASS_SETTING = 'gnomon.bypassPermissionsMode';
/** The value with which they may. Whatever else a place says takes the mode away. */
export const BYPASS_ALLOWED = 'allow';
const isAsStrictOnBypass = (value: unknown, than: unknown): boolean => value !== BYPASS_ALLOWED || than === BYPASS_ALLOWED;
/** Percentage of the context window at which a chat is compacted by default: the same as in `package.json`. */
export const AUTO_COMPACT_PERCENT = 85;
/** The switch of Claude Code for summaries, which Gnomon has as a percentage. */
export const AUTO_COMPACT_SWITCH = 'autoCompactEnabled';
/** The setting for the model of new chats. */
export const MODEL_SETTING = 'gnomon.model';
/** The setting for the models that may be asked at all. */
export const ALLOWED_MODELS = 'gnomon.allowedModels';
/** A list that names no model, so that none is allowed. */
export const NO_MODEL_ALLOWED: readonly string[] = [''];
/** As each list takes something away, none permits more. */
const alwaysNarrows = (): boolean => true;

/**
 * The settings that files can have, too. Names that Claude Code has (code.claude.com/docs/en/settings) mean what they mean there; the
 * others are those of VS Code without `gnomon.` before them. Shapes are those of `package.json`.
 */
export const SETTING_KEYS: readonly SettingKey[] = [
  // Other than in VS Code, a model may be named as in Claude Code, such as `opus`.
  { setting: MODEL_SETTING, names: ['model'], shape: { type: 'string', pattern: '^[^\\n\\r\\t]{0,500}$' }, workspace: 'trusted' },
  {
    setting: MODE_SETTING,
    names: ['permissions.defaultMode'],
    shape: { type: 'string', enum: PERMISSION_MODES },
    workspace: 'stricter',
    isAsStrict: isStricterMode,
  },
  {
    setting: BYPASS_SETTING,
    names: ['permissions.disableBypassPermissionsMode'],
    shape: { type: 'string', enum: [BYPASS_ALLOWED, 'disable'] },
    workspace: 'stricter',
    isAsStrict: isAsStrictOnBypass,
    strictestCounts: true,
  },
  { setting: ALLOWED_MODELS, names: ['allowedModels'], shape: { type: 'array' }, workspace: 'stricter', isAsStrict: alwaysNarrows, allHold: true },
  { setting: 'gnomon.thinkingEffort', names: ['thinkingEffort', 'effortLevel'], shape: { type: 'string', enum: THINKING_EFFORTS }, workspace: 'trusted' },
  { setting: 'gnomon.outputStyle', names: ['outputStyle'], shape: { type: 'string', pattern: '^[^:/\\\\\\n\\r\\t]{0,64}$' }, workspace: 'trusted' },
  { setting: 'gnomon.systemPromptAddition', names: ['systemPromptAddition'], shape: { type: 'string', pattern: '^[^]{0,20000}$' }, workspace: 'trusted' },
  { setting: 'gnomon.maxRounds', names: ['maxRounds'], shape: { type: 'integer', minimum: 1, maximum: 1000 }, workspace: 'stricter', isAsStrict: isLower },
  { setting: 'gnomon.maxTurns', names: ['maxTurns'], shape: { type: 'integer', minimum: 0 }, workspace: 'stricter', isAsStrict: isLowerLimit },
  { setting: 'gnomon.maxCostUsd', names: ['maxCostUsd'], shape: { type: 'number', minimum: 0 }, workspace: 'stricter', isAsStrict: isLowerLimit },
  {
    setting: 'gnomon.autoCompactThreshold',
    names: ['autoCompactThreshold', AUTO_COMPACT_SWITCH],
    shape: { type: 'integer', minimum: 0, maximum: 95 },
    workspace: 'trusted',
  },
  // What is selected in the editor goes to a model with it, and titles cost requests.
  { setting: 'gnomon.includeSelection', names: ['includeSelection'], shape: { type: 'boolean' }, workspace: 'stricter', isAsStrict: isOff },
  { setting: 'gnomon.improveTitles', names: ['improveTitles'], shape: { type: 'boolean' }, workspace: 'stricter', isAsStrict: isOff },
  { setting: 'gnomon.instructions.otherTools', names: ['instructions.otherTools'], shape: { type: 'boolean' }, workspace: 'trusted' },
  { setting: 'gnomon.instructions.user', names: ['instructions.user'], shape: { type: 'boolean' }, workspace: 'never' },
  {
    setting: 'gnomon.anthropic.baseUrl',
    names: ['anthropic.baseUrl'],
    shape: { type: 'string', pattern: '^\\s*$|^\\s*[Hh][Tt][Tt][Pp][Ss]?://\\S+\\s*$' },
    workspace: 'never',
  },
  { setting: 'gnomon.webSearch.searxngUrl', names: ['webSearch.searxngUrl'], shape: { type: 'string', pattern: '^(https?://.+)?$' }, workspace: 'never' },
  { setting: 'gnomon.providers', names: ['providers'], shape: { type: 'object' }, workspace: 'never' },
  { setting: 'gnomon.models', names: ['models'], shape: { type: 'array' }, workspace: 'never' },
];

/** By their names in files. */
export const KEYS_BY_NAME: ReadonlyMap<string, SettingKey> = new Map(SETTING_KEYS.flatMap((key) => key.names.map((name) => [name, key])));

/** A file whose values the user has given to another program, and not to Gnomon: what it permits is not meant for Gnomon. */
const OF_ANOTHER_PROGRAM = '~/.claude/settings.json';

/** Whether what is at a place may only make settings stricter, because the user has not written it for Gnomon. */
export function onlyNarrows(origin: Pick<ConfigOrigin, 'layer' | 'display'>): boolean {
  return isFromRepository(origin) || origin.display === OF_ANOTHER_PROGRAM;
}
