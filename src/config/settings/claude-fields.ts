/**
 * Fields of the settings of Claude Code that are not settings of Gnomon (code.claude.com/docs/en/settings; the schema
 * claude-code-settings.json of SchemaStore of July 2026). They are known so that none of them is taken for a mistake.
 */
export const CLAUDE_FIELDS: ReadonlySet<string> = new Set(
  `advisorModel agent agentPushNotifEnabled allowAllClaudeAiMcps allowManagedHooksOnly allowManagedMcpServersOnly allowManagedPermissionRulesOnly allowedChannelPlugins
  allowedMcpServers alwaysThinkingEnabled apiKeyHelper askUserQuestionTimeout attribution autoConnectIde autoInstallIdeExtension autoMemoryDirectory autoMemoryEnabled autoMode
  autoScrollEnabled autoUpdates autoUpdatesChannel availableModels awaySummaryEnabled awsAuthRefresh awsCredentialExport axScreenReader blockedMarketplaces browserExternalPageTools channelsEnabled
  claudeMd claudeMdExcludes cleanupPeriodDays companyAnnouncements defaultShell deniedMcpServers diffTool disableAgentView disableArtifact disableAutoMode disableBrowserExternalNavigation
  disableBundledSkills disableClaudeAiConnectors disableDeepLinkRegistration disableMobileSimulatorTools disableRemoteControl disableSideloadFlags disableSkillShellExecution disableWorkflows
  disabledMcpjsonServers editorMode emojiCompletionEnabled enableAllProjectMcpServers enableArtifact enabledMcpjsonServers enabledPlugins enforceAvailableModels env externalEditorContext
  extraKnownMarketplaces fallbackModel fastMode fastModePerSessionOptIn feedbackSurveyRate fileCheckpointingEnabled fileSuggestion footerLinksRegexes forceLoginGatewayUrl forceLoginMethod
  forceLoginOrgUUID forceRemoteSettingsRefresh gcpAuthRefresh httpHookAllowedEnvVars includeCoAuthoredBy includeGitInstructions inputNeededNotifEnabled language managedMcpServers minimumVersion
  modelOverrides otelHeadersHelper parentSettingsBehavior permissionExplainerEnabled plansDirectory pluginConfigs pluginSuggestionMarketplaces pluginTrustMessage policyHelper preferredNotifChannel
  prefersReducedMotion processWrapper prUrlTemplate remoteControlAtStartup requireCoworkFullVmSandbox requiredMaximumVersion requiredMinimumVersion respectGitignore respondToBashCommands sandbox
  showClearContextOnPlanAccept showThinkingSummaries showTurnDuration skillListingBudgetFraction skillListingMaxDescChars skillOverrides skipDangerousModePermissionPrompt skipWebFetchPreflight
  skippedMarketplaces skippedPlugins spinnerTipsEnabled spinnerTipsOverride spinnerVerbs sshConfigs sshHostAllowlist statusLine strictKnownMarketplaces strictPluginOnlyCustomization
  subagentStatusLine syntaxHighlightingDisabled teammateDefaultModel teammateMode terminalProgressBarEnabled theme tui useAutoModeDuringPlan verbose viewMode vimInsertModeRemaps voice voiceEnabled
  wheelScrollAccelerationEnabled workflowKeywordTriggerEnabled workflowSizeGuideline worktree wslInheritsWindowsSettings permissions.additionalDirectories permissions.disableAutoMode`.split(
    /\s+/,
  ),
);

/**
 * Fields that could lead a key, a request, or a program of the user elsewhere. From a workspace they are refused by name, even where
 * Gnomon has nothing like them, so that the user learns what it tries.
 */
export const POWERFUL_FIELDS: ReadonlySet<string> = new Set([
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
