import { type CodeColors, CODE_KINDS } from '../../src/protocol/code-kinds.js';
import { type Rgba, over, parseColor, readableColor } from './readable-color.js';

let colors: CodeColors = {};
let watching = false;

/** Gives code the colors of the user's theme, as far as they can be read on the blocks of code; the others are those of the page. */
export function showCodeColors(next: CodeColors): void {
  colors = next;
  draw();
  if (watching) return;
  watching = true;
  // VS Code changes these with the theme, at another time than the host reports it.
  const observer = new MutationObserver(draw);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['style'] });
  observer.observe(document.body, { attributes: true, attributeFilter: ['class'] });
}

function draw(): void {
  const { style } = document.body;
  const { background, plain } = blockColors();
  for (const kind of CODE_KINDS) {
    const color = parseColor(colors[kind] ?? '');
    if (color === undefined || background === undefined || plain === undefined) {
      style.removeProperty(`--hl-${kind}`);
      style.removeProperty(`--hl-${kind}-share`);
    } else {
      style.setProperty(`--hl-${kind}`, readableColor(color, background, plain));
      style.setProperty(`--hl-${kind}-share`, '100%');
    }
  }
}

/** The colors of a block of code as the browser works them out: of what is behind its text, and of plain text. */
function blockColors(): { readonly background: Rgba | undefined; readonly plain: Rgba | undefined } {
  const block = document.createElement('div');
  block.hidden = true;
  block.className = 'code-block-colors';
  document.body.append(block);
  const { backgroundColor, color } = getComputedStyle(block);
  const [top, bottom] = [parseColor(backgroundColor), parseColor(getComputedStyle(document.body).backgroundColor)];
  block.remove();
  return { background: top === undefined || bottom === undefined ? undefined : over(top, bottom), plain: parseColor(color) };
}
