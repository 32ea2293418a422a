import { present } from '../../domain/present.js';
import { type ConfigOrigin, isFromRepository } from '../../domain/config/origin.js';
import type { FieldReport } from '../../domain/config/problem.js';
import { t } from '../../domain/l10n.js';
import { JsonDocument } from '../../text/json-document.js';
import { shownName } from '../../text/key-path.js';
import { nearestName } from '../nearest-name.js';
import { fieldsOf, GROUPS, type SettingsField, valueOfField } from './read-settings.js';
import { KEYS_BY_NAME, MODE_SETTING, onlyNarrows, type SettingKey } from './setting-keys.js';

type Fate = Omit<FieldReport, 'field' | 'line'>;

/** Fields that are no settings and that Gnomon reads nevertheless. */
const READ: ReadonlySet<string> = new Set([
  '$schema',
  'hooks',
  'disableAllHooks',
  'allowedHttpHookUrls',
  'permissions.allow',
  'permissions.ask',
  'permissions.deny',
]);

/**
 * Fields of the settings of Claude Code that are not settings of Gnomon (code.claude.com/docs/en/settings; the schema
 * claude-code-settings.json of SchemaStore of July 2026). They are known so that none of them is taken for a mistake.
 */
const CLAUDE_FIELDS: ReadonlySet<string> = new Set(
  `
    advisorModel agent agentPushNotifEnabled allowAllClaudeAiMcps allowManagedHooksOnly allowManagedMcpServersOnly allowManagedPermissionRulesOnly
    allowedChannelPlugins allowedMcpServers alwaysThinkingEnabled apiKeyHelper askUserQuestionTimeout attribution autoConnectIde autoInstallIdeExtension
    autoMemoryDirectory autoMemoryEnabled autoMode autoScrollEnabled autoUpdates autoUpdatesChannel availableModels awaySummaryEnabled awsAuthRefresh
    awsCredentialExport axScreenReader blockedMarketplaces browserExternalPageTools channelsEnabled claudeMd claudeMdExcludes cleanupPeriodDays
    companyAnnouncements defaultShell deniedMcpServers diffTool disableAgentView disableArtifact disableAutoMode disableBrowserExternalNavigation
    disableBundledSkills disableClaudeAiConnectors disableDeepLinkRegistration disableMobileSimulatorTools disableRemoteControl disableSideloadFlags
    disableSkillShellExecution disableWorkflows disabledMcpjsonServers editorMode emojiCompletionEnabled enableAllProjectMcpServers enableArtifact
    enabledMcpjsonServers enabledPlugins enforceAvailableModels env externalEditorContext extraKnownMarketplaces fallbackModel fastMode
    fastModePerSessionOptIn feedbackSurveyRate fileCheckpointingEnabled fileSuggestion footerLinksRegexes forceLoginGatewayUrl forceLoginMethod
    forceLoginOrgUUID forceRemoteSettingsRefresh gcpAuthRefresh httpHookAllowedEnvVars includeCoAuthoredBy includeGitInstructions inputNeededNotifEnabled
    language managedMcpServers minimumVersion modelOverrides otelHeadersHelper parentSettingsBehavior permissionExplainerEnabled plansDirectory
    pluginConfigs pluginSuggestionMarketplaces pluginTrustMessage policyHelper preferredNotifChannel prefersReducedMotion processWrapper prUrlTemplate
    remoteControlAtStartup requireCoworkFullVmSandbox requiredMaximumVersion requiredMinimumVersion respectGitignore respondToBashCommands sandbox
    showClearContextOnPlanAccept showThinkingSummaries showTurnDuration skillListingBudgetFraction skillListingMaxDescChars skillOverrides
    skipDangerousModePermissionPrompt skipWebFetchPreflight skippedMarketplaces skippedPlugins spinnerTipsEnabled spinnerTipsOverride spinnerVerbs
    sshConfigs sshHostAllowlist statusLine strictKnownMarketplaces strictPluginOnlyCustomization subagentStatusLine syntaxHighlightingDisabled
    teammateDefaultModel teammateMode terminalProgressBarEnabled theme tui useAutoModeDuringPlan verbose viewMode vimInsertModeRemaps voice voiceEnabled
    wheelScrollAccelerationEnabled workflowKeywordTriggerEnabled workflowSizeGuideline worktree wslInheritsWindowsSettings
    permissions.additionalDirectories permissions.disableAutoMode
  `
    .trim()
    .split(/\s+/),
);

/**
 * Fields that could lead a key, a request, or a program of the user elsewhere. From a workspace they are refused by name, even where
 * Gnomon has nothing like them, so that the user learns what it tries.
 */
const POWERFUL_FIELDS: ReadonlySet<string> = new Set([
  'apiKeyHelper',
  'autoMemoryDirectory',
  'awsAuthRefresh',
  'awsCredentialExport',
  'enableAllProjectMcpServers',
  'enabledMcpjsonServers',
  'env',
  'extraKnownMarketplaces',
  'fileSuggestion',
  'forceLoginGatewayUrl',
  'forceLoginMethod',
  'forceLoginOrgUUID',
  'gcpAuthRefresh',
  'http.proxy',
  'httpProxy',
  'httpsProxy',
  'otelHeadersHelper',
  'policyHelper',
  'processWrapper',
  'proxy',
  'sandbox',
  'skipDangerousModePermissionPrompt',
  'sshConfigs',
  'sshHostAllowlist',
  'statusLine',
  'subagentStatusLine',
]);

/**
 * Fields of Claude Code that restrict what may be done, or say where a program or a request goes, and that Gnomon has nothing like: a run that is
 * told to keep to them must not go on without them.
 */
const RESTRICTING_FIELDS: ReadonlySet<string> = new Set(
  `
    allowManagedHooksOnly allowManagedMcpServersOnly allowManagedPermissionRulesOnly allowedMcpServers availableModels claudeMdExcludes
    deniedMcpServers disableSideloadFlags disableSkillShellExecution disabledMcpjsonServers enforceAvailableModels forceLoginGatewayUrl
    forceLoginMethod forceLoginOrgUUID forceRemoteSettingsRefresh httpHookAllowedEnvVars managedMcpServers minimumVersion parentSettingsBehavior
    policyHelper processWrapper requireCoworkFullVmSandbox requiredMaximumVersion requiredMinimumVersion respectGitignore sandbox skillOverrides
    sshHostAllowlist strictKnownMarketplaces strictPluginOnlyCustomization
  `
    .trim()
    .split(/\s+/),
);

/** Names that a mistaken one is compared with; those of objects first, so that `permission` is like `permissions` and not like a field in it. */
const KNOWN: readonly string[] = [...GROUPS, ...KEYS_BY_NAME.keys(), ...READ, ...CLAUDE_FIELDS];
/** Prefix of the names of VS Code settings. */
const PREFIX = 'gnomon.';
/** Fields that are reported; a hostile file could have any number. */
const MAX_FIELDS = 100;

/**
 * Handling of the fields of a settings file in the form of Claude Code (code.claude.com/docs/en/settings), by their names with dots
 * between objects in each other; each name once. None for a file that is not valid JSON.
 */
export function settingsFields(text: string, origin: ConfigOrigin): readonly FieldReport[] {
  const document = new JsonDocument(origin.file, text, { lenient: true });
  const byName = new Map<string, FieldReport>();
  for (const field of fieldsOf(document.root)) {
    const line = document.lineOf(field.nameNode);
    // The last one of a name is the one that counts.
    byName.set(field.name, { field: shownName(field.name), ...fateOf(field, origin), ...present({ line }) });
    if (byName.size >= MAX_FIELDS) break;
  }
  return [...byName.values()];
}

/** A field that Gnomon does not follow. */
export interface UnfollowedField {
  readonly field: string;
  /** Whether it restricts what may be done, or could, as nobody knows it. */
  readonly couldRestrict: boolean;
  /** Why it is not followed, a sentence for the user. */
  readonly note: string;
}

/** The fields of settings that have a value and are not followed, whatever their number; none for a text that is not valid JSON. */
export function unfollowedFields(text: string, origin: ConfigOrigin): readonly UnfollowedField[] {
  return fieldsOf(new JsonDocument(origin.file, text, { lenient: true }).root).flatMap((field): readonly UnfollowedField[] => {
    const { state, note = '' } = fateOf(field, origin);
    if (state === 'used' || field.value.type === 'null' || KEYS_BY_NAME.has(field.name)) return [];
    const isKnown = CLAUDE_FIELDS.has(field.name) || field.name.startsWith('env.');
    return [{ field: shownName(field.name), couldRestrict: !isKnown || RESTRICTING_FIELDS.has(field.name), note }];
  });
}

function fateOf(field: SettingsField, origin: ConfigOrigin): Fate {
  const { name, value } = field;
  const key = KEYS_BY_NAME.get(name);
  const isOfWorkspace = isFromRepository(origin);
  if (key !== undefined) return fateOfSetting(key, field, origin);
  if (READ.has(name)) return fateOfRead(field, isOfWorkspace);
  if (isOfWorkspace && (POWERFUL_FIELDS.has(name) || name.startsWith('env.')))
    return { state: 'refused', note: t('A workspace cannot set this. It could lead your keys or programs elsewhere.') };
  if (isOfWorkspace && name === 'permissions.additionalDirectories') return { state: 'refused', note: t('A workspace cannot give access to other folders.') };
  if (GROUPS.has(name) && name !== 'env')
    return value.type === 'null'
      ? { state: 'ignored', note: t('It has no value.') }
      : { state: 'refused', note: t('“{0}” must be an object in braces.', name) };
  if (CLAUDE_FIELDS.has(name) || name.startsWith('env.'))
    return { state: 'ignored', note: t('Gnomon has nothing like it, or sets it in the settings of VS Code only.') };
  return { state: 'ignored', ...unknown(name) };
}

function fateOfSetting(key: SettingKey, field: SettingsField, origin: ConfigOrigin): Fate {
  const { value, problem, note } = valueOfField(key, field, origin);
  if (problem !== undefined) return { state: 'refused', note: problem };
  if (isFromRepository(origin) && key.workspace === 'never')
    return { state: 'refused', note: t('A workspace cannot set this. It could lead your keys or programs elsewhere.') };
  if (onlyNarrows(origin) && key.workspace === 'never')
    return { state: 'refused', note: t('{0} is of another program. Set this in {1}.', origin.display, '~/.gnomon/settings.json') };
  if (isFromRepository(origin) && key.setting === MODE_SETTING && value === 'bypassPermissions')
    return { state: 'refused', note: t('A workspace cannot bypass permissions.') };
  if (value === undefined) return { state: 'ignored', note: note ?? t('It has no value.') };
  return { state: 'used', ...noteOf(note ?? conditionOf(key, origin)) };
}

/** When a value counts that is usable. */
function conditionOf({ workspace, strictestCounts }: SettingKey, origin: ConfigOrigin): string | undefined {
  if (strictestCounts === true) return undefined;
  if (onlyNarrows(origin) && workspace === 'stricter') return t('Where it is not less strict than what you have set.');
  return isFromRepository(origin) ? t('Once the workspace is trusted.') : undefined;
}

function fateOfRead({ name, value }: SettingsField, isOfWorkspace: boolean): Fate {
  if (isOfWorkspace && name === 'allowedHttpHookUrls')
    return { state: 'refused', note: t('A workspace cannot limit the addresses of hooks. Set this in {0}.', '~/.gnomon/settings.json') };
  if (isOfWorkspace && name === 'disableAllHooks' && value.value === true)
    return { state: 'refused', note: t('A workspace cannot switch off hooks. Set this in {0}.', '~/.gnomon/settings.json') };
  return {
    state: 'used',
    ...noteOf(isOfWorkspace && name === 'permissions.allow' ? t('Once the workspace is trusted and you have approved the list.') : undefined),
  };
}

function noteOf(note: string | undefined): { readonly note?: string } {
  return note === undefined ? {} : { note };
}

function unknown(name: string): Pick<Fate, 'note' | 'meant'> {
  const inVsCode = name.startsWith(PREFIX) ? name : `${PREFIX}${name}`;
  const inFiles = [...KEYS_BY_NAME].find(([, { setting }]) => setting === inVsCode)?.[0];
  const meant = inFiles ?? nearestName(inVsCode.slice(PREFIX.length), KNOWN);
  return meant === undefined
    ? { note: t('Gnomon does not know this field.') }
    : { note: t('Gnomon does not know this field. Did you mean “{0}”?', meant), meant };
}
