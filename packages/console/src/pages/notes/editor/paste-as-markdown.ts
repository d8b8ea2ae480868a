import { EditorView } from '@codemirror/view';
import { tables } from '@joplin/turndown-plugin-gfm';
import TurndownService from 'turndown';
import { readDroppedFiles, type FileReport } from './read-dropped-files.ts';

/** Larger pages take noticeable time to convert; their text is pasted instead. */
const htmlCharactersMax = 500_000;

/** An image whose address is in the page's own memory or in the HTML itself would be nothing but its description. */
const hasTableOrImage = /<(?:table\b|img\b[^<>]*?\ssrc\s*=\s*["']?(?:https?:)?\/\/)/i;

const oneImage: FileReport = {
  added: [],
  assumed: [],
  images: ['image'],
  tooLarge: [],
  notText: [],
  unreadable: [],
};

/**
 * Pasted or dropped HTML with a table or an image with an address becomes Markdown; everything else is inserted as text, as in any editor. Of files
 * the text is added, and `onFiles` says so. The document that the library parses is inert: it runs no scripts and loads no images.
 */
export const pasteAsMarkdown = (onFiles: (report: FileReport) => void) => {
  const take = (data: DataTransfer | null, view: EditorView, place: Place): boolean => {
    const html = data?.getData('text/html') ?? '';
    if (html.length <= htmlCharactersMax && hasTableOrImage.test(html)) {
      insert(view, markdownOf(html), place);
      return true;
    }
    if (!data || !isOfFiles(data)) {
      const isNothing = /<img\b/i.test(html) && data?.getData('text/plain') === '';
      if (isNothing) {
        // The editor would replace what is selected with nothing.
        onFiles(oneImage);
      }
      return isNothing;
    }
    void readDroppedFiles([...data.files]).then(({ text, ...report }) => {
      if (!view.dom.isConnected) {
        return;
      }
      if (text !== '') {
        insert(view, text, place);
      }
      onFiles(report);
    });
    return true;
  };
  return EditorView.domEventHandlers({
    paste: ({ clipboardData }, view) => take(clipboardData, view, null),
    drop: ({ dataTransfer, clientX: x, clientY: y }, view) =>
      take(dataTransfer, view, view.posAtCoords({ x, y }, false)),
  });
};

/** Where a text was dropped; null: it replaces what is selected. */
type Place = number | null;

const insert = (view: EditorView, text: string, place: Place): void => {
  const { state } = view;
  // The text may be shorter since.
  const at = place === null ? null : Math.min(place, state.doc.length);
  view.dispatch(
    at === null
      ? state.replaceSelection(text)
      : { changes: { from: at, insert: text }, selection: { anchor: at + text.length } },
    { userEvent: at === null ? 'input.paste' : 'input.drop', scrollIntoView: true },
  );
};

/** Files alone. One of a page comes with its address, which is text. */
const isOfFiles = ({ types, files }: DataTransfer): boolean =>
  files.length > 0 && !types.some((type) => type === 'text/plain' || type === 'text/uri-list');

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
