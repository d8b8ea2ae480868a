import { EditorView } from '@codemirror/view';
import { tables } from '@joplin/turndown-plugin-gfm';
import TurndownService from 'turndown';

/** Larger pages take noticeable time to convert; their text is pasted instead. */
const htmlCharactersMax = 500_000;

/**
 * Pasted HTML with a table or an image becomes Markdown; everything else is pasted as text, as in any editor. The
 * document that the library parses is inert: it runs no scripts and loads no images.
 */
export const pasteAsMarkdown = (onImageFile: () => void) =>
  EditorView.domEventHandlers({
    paste: ({ clipboardData }, view) => {
      const html = clipboardData?.getData('text/html') ?? '';
      if (/<(?:table|img)\b/i.test(html) && html.length <= htmlCharactersMax) {
        view.dispatch(view.state.replaceSelection(markdownOf(html)), {
          userEvent: 'input.paste',
          scrollIntoView: true,
        });
        return true;
      }
      const hasText = clipboardData?.types.includes('text/plain') ?? false;
      if (!hasText && isImage(clipboardData)) {
        onImageFile();
        return true;
      }
      return false;
    },
  });

const isImage = (data: DataTransfer | null): boolean =>
  [...(data?.items ?? [])].some(({ type }) => type.startsWith('image/'));

const markdownOf = (html: string): string => {
  const converter = new TurndownService({
    headingStyle: 'atx',
    bulletListMarker: '-',
    codeBlockStyle: 'fenced',
  });
  converter.use(tables);
  converter.remove(['script', 'style', 'noscript']);
  // An address in the document itself, such as `data:`, would make the note as large as the image.
  converter.addRule('image', {
    filter: 'img',
    replacement: (_, node) => {
      const { alt, src } = node as HTMLImageElement;
      return /^https?:/.test(src) ? `![${alt}](${src})` : alt;
    },
  });
  return converter.turndown(html);
};
