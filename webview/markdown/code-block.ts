import { codePath } from '../../src/protocol/code-path.js';
import { t } from '../../src/protocol/l10n.js';
import { present } from '../../src/protocol/present.js';
import { oneTabStop } from '../state/toolbar.js';
import { type IconName, ICONS } from '../ui/icons.js';
import { type CodeAction, CODE_ACTION } from './code-action.js';

/** Milliseconds for which the copy button shows its result. */
const COPIED_MS = 1_500;
const SVG = 'http://www.w3.org/2000/svg';

/** A code block under construction. */
export interface CodeBlock {
  readonly element: HTMLElement;
  /** Where the code goes. */
  readonly code: HTMLElement;
}

/** Makes an empty code block with its language and buttons for exactly its code. @param info the info string after the language. */
export function createCodeBlock(language: string, info: string): CodeBlock {
  const pre = document.createElement('pre');
  const code = document.createElement('code');
  pre.append(code);
  return { element: frameCode(pre, language, info), code };
}

/** Puts a frame with language and buttons around code that is in the page or a fragment. */
export function decorateCode(pre: HTMLElement): void {
  const place = document.createComment('');
  pre.replaceWith(place);
  place.replaceWith(frameCode(pre, pre.dataset['language'] ?? '', pre.dataset['info'] ?? ''));
}

function frameCode(pre: HTMLElement, language: string, info: string): HTMLElement {
  const frame = document.createElement('div');
  frame.className = 'code-block';
  const head = document.createElement('div');
  head.className = 'code-head';
  const label = document.createElement('span');
  label.textContent = info === '' ? language : `${language} ${info}`;
  head.append(label, toolbar(pre, { language, info }));
  pre.tabIndex = 0;
  // What scrolls and can be reached needs a name.
  pre.setAttribute('role', 'group');
  pre.setAttribute('aria-label', t('Code'));
  frame.append(head, pre);
  return frame;
}

function toolbar(pre: HTMLElement, about: { readonly language: string; readonly info: string }): HTMLElement {
  const tools = document.createElement('div');
  tools.className = 'code-tools';
  tools.setAttribute('role', 'toolbar');
  tools.setAttribute('aria-label', t('Code block actions'));
  const act = (action: CodeAction['action']): void => {
    const text = pre.textContent;
    const path = action === 'apply' ? codePath(about, text) : undefined;
    const detail: CodeAction = { action, text, ...present({ path }) };
    tools.dispatchEvent(new CustomEvent(CODE_ACTION, { bubbles: true, detail }));
  };
  const insert = iconButton(t('Insert at Cursor'), 'insert', () => act('insert'));
  const apply = iconButton(t('Apply to File'), 'apply', () => act('apply'));
  tools.append(insert, apply, copyButton(pre));
  oneTabStop(tools);
  return tools;
}

function iconButton(name: string, icon: IconName, press: () => void): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.title = name;
  button.setAttribute('aria-label', name);
  button.append(iconElement(icon));
  button.addEventListener('click', press);
  return button;
}

function iconElement(icon: IconName): SVGElement {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', '0 0 16 16');
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS(SVG, 'path');
  path.setAttribute('d', ICONS[icon]);
  svg.append(path);
  return svg;
}

function copyButton(pre: HTMLElement): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy-code';
  button.setAttribute('aria-label', t('Copy Code'));
  button.textContent = t('Copy');
  button.addEventListener('click', () => {
    navigator.clipboard.writeText(pre.textContent).then(
      () => say(button, t('Copied')),
      () => say(button, t('Copy failed')),
    );
  });
  return button;
}

function say(button: HTMLButtonElement, words: string): void {
  button.textContent = words;
  setTimeout(() => {
    button.textContent = t('Copy');
  }, COPIED_MS);
}
