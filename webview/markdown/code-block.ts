/** How long the copy button says what became of it, in milliseconds. */
const COPIED_MS = 1_500;

/** A code block under construction. */
export interface CodeBlock {
  readonly element: HTMLElement;
  /** Where the code goes. */
  readonly code: HTMLElement;
}

/** Makes an empty code block with its language and a button that copies exactly the code. */
export function createCodeBlock(language: string): CodeBlock {
  const pre = document.createElement('pre');
  const code = document.createElement('code');
  pre.append(code);
  return { element: frameCode(pre, language), code };
}

/** Puts a frame with language and copy button around code that is in the page or a fragment. */
export function decorateCode(pre: HTMLElement): void {
  const place = document.createComment('');
  pre.replaceWith(place);
  place.replaceWith(frameCode(pre, pre.dataset['language'] ?? ''));
}

function frameCode(pre: HTMLElement, language: string): HTMLElement {
  const frame = document.createElement('div');
  frame.className = 'code-block';
  const head = document.createElement('div');
  head.className = 'code-head';
  const label = document.createElement('span');
  label.textContent = language;
  head.append(label, copyButton(pre));
  pre.tabIndex = 0;
  frame.append(head, pre);
  return frame;
}

function copyButton(pre: HTMLElement): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy-code';
  button.setAttribute('aria-label', 'Copy code');
  button.textContent = 'Copy';
  button.addEventListener('click', () => {
    navigator.clipboard.writeText(pre.textContent).then(
      () => say(button, 'Copied'),
      () => say(button, 'Could not copy'),
    );
  });
  return button;
}

function say(button: HTMLButtonElement, words: string): void {
  button.textContent = words;
  setTimeout(() => {
    button.textContent = 'Copy';
  }, COPIED_MS);
}
