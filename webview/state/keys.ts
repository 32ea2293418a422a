import { t } from '../../src/protocol/l10n.js';

/** Whether a key is an Enter that was meant as one: no line break, and not the end of an input method's composition. */
export function isPlainEnter(event: KeyboardEvent): boolean {
  // 229 is what some input methods report for the Enter that ends a composition.
  // oxlint-disable-next-line typescript/no-deprecated -- there is no other sign of it
  return event.key === 'Enter' && !event.shiftKey && !event.isComposing && event.keyCode !== 229;
}

/** Label of the key that presses the main button: the command key on a Mac, Ctrl elsewhere. */
export function mainKey(): string {
  return navigator.platform.startsWith('Mac') ? '⌘↩' : `${t('Ctrl')}+↵`;
}

/** Label of the key that sends a message to the running turn. */
export function nowKey(): string {
  return navigator.platform.startsWith('Mac') ? '⌥↩' : `${t('Alt')}+↵`;
}

/** Whether a key is Ctrl+Enter, or Cmd+Enter on a Mac, that went down just now. */
export function isMainKey(event: KeyboardEvent): boolean {
  return event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey && !event.repeat && !event.isComposing;
}
