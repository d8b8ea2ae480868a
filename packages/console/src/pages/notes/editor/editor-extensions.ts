import { autocompletion, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { syntaxHighlighting } from '@codemirror/language';
import { search, searchKeymap } from '@codemirror/search';
import { EditorState, type Extension } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import { cspNonce } from '../../../app/csp-nonce.ts';
import { completeNoteLinks, type FindTitles } from './complete-note-links.ts';
import { fixedWidthLines } from './fixed-width-lines.ts';
import { emphasis, insertLink, strong } from './markdown-commands.ts';
import { writtenMarkdown } from './markdown-language.ts';
import { pasteAsMarkdown } from './paste-as-markdown.ts';
import type { FileReport } from './read-dropped-files.ts';
import { textClasses } from './text-classes.ts';

export type EditorOptions = {
  /** The accessible name. */
  readonly label: string;
  /** Is called for every change, so it must be quick. */
  readonly onChange: () => void;
  /** Is called when files were pasted or dropped. */
  readonly onFiles: (report: FileReport) => void;
  readonly findTitles: FindTitles;
};

const completionDelayMs = 150;

/** The words of find and replace; those of the library are in lower case. */
const searchPhrases = {
  next: 'Next',
  previous: 'Previous',
  all: 'Select all',
  'match case': 'Match case',
  regexp: 'Regular expression',
  'by word': 'Whole words',
  replace: 'Replace',
  'replace all': 'Replace all',
  close: 'Close',
};

/** The extensions of the Markdown editor. Tab is not bound, so that it leaves the field. */
export const editorExtensions = (options: EditorOptions): Extension[] => [
  // Other line breaks are characters like any other, so that a saved note keeps them.
  EditorState.lineSeparator.of('\n'),
  EditorView.clipboardInputFilter.of((text) => text.replaceAll(/\r\n?/g, '\n')),
  EditorView.cspNonce.of(cspNonce),
  EditorView.lineWrapping,
  // A line of Arabic or Hebrew begins at the right, whatever the lines around it do.
  EditorView.perLineTextDirection.of(true),
  EditorView.contentAttributes.of({
    'aria-label': options.label,
    spellcheck: 'true',
    // Editable content has the focus anyway; checkers of accessibility look for the attribute.
    tabindex: '0',
  }),
  history(),
  search({ top: true }),
  EditorState.phrases.of(searchPhrases),
  writtenMarkdown(),
  syntaxHighlighting(textClasses),
  fixedWidthLines,
  autocompletion({
    override: [completeNoteLinks(options.findTitles)],
    activateOnTypingDelay: completionDelayMs,
    icons: false,
  }),
  pasteAsMarkdown(options.onFiles),
  keymap.of([
    { key: 'Mod-b', run: strong },
    { key: 'Mod-i', run: emphasis },
    { key: 'Mod-Shift-k', run: insertLink },
    ...completionKeymap,
    ...defaultKeymap,
    ...historyKeymap,
    ...searchKeymap,
  ]),
  EditorView.updateListener.of(({ docChanged }) => {
    if (docChanged) {
      options.onChange();
    }
  }),
];
