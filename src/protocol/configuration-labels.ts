import type { ConfigurationAction, ConfigurationDetails, ConfigurationSectionId } from './configuration.js';
import { t } from './l10n.js';

/** The heading of a section. */
export function sectionTitle(id: ConfigurationSectionId): string {
  return {
    settings: t('Settings'),
    files: t('Settings files'),
    rules: t('Permission rules'),
    hooks: t('Hooks'),
    agents: t('Agents'),
    skills: t('Skills'),
    commands: t('Slash commands'),
    styles: t('Output styles'),
  }[id];
}

/** Label of an action button. It ends with dots where VS Code shows a dialog first. */
export function actionLabel(action: ConfigurationAction): string {
  return {
    approve_hook: t('Approve…'),
    revoke_hook: t('Revoke Approval…'),
    open_scripts: t('Open Script'),
    review_rules: t('Review…'),
    pin_skill: t('Pin'),
    unpin_skill: t('Unpin'),
  }[action];
}

/** Label for the state of a field. */
export function fieldWord(state: ConfigurationDetails['fields'][number]['state']): string {
  return { used: t('Used'), ignored: t('Ignored'), refused: t('Refused') }[state];
}
