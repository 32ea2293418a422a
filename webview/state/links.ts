import type { Attachment } from 'svelte/attachments';
import { MAX_URL_LENGTH } from '../../src/protocol/limits.js';
import type { PanelMessage } from '../../src/protocol/messages.js';

/**
 * Catches every click on a link inside of an element before the page or VS Code can act on it. Addresses of web pages go
 * to the host, which shows them whole and asks; files of the workspace are opened by it; everything else does nothing.
 */
export function opensLinks(post: (message: PanelMessage) => void): Attachment<HTMLElement> {
  return (element) => {
    const onClick = (event: MouseEvent): void => {
      const link = event.target instanceof Element ? event.target.closest('a') : null;
      if (link === null) return;
      event.preventDefault();
      event.stopPropagation();
      const { file } = link.dataset;
      if (file !== undefined) {
        if (event.type === 'click') post({ type: 'open_file', path: file });
        return;
      }
      const isWeb = link.protocol === 'https:' || link.protocol === 'http:';
      if (event.type === 'click' && isWeb && link.href.length <= MAX_URL_LENGTH) post({ type: 'open_link', url: link.href });
    };
    element.addEventListener('click', onClick);
    element.addEventListener('auxclick', onClick);
    return () => {
      element.removeEventListener('click', onClick);
      element.removeEventListener('auxclick', onClick);
    };
  };
}
