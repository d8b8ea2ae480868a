import { markdownKeymap, markdownLanguage, pasteURLAsLink } from '@codemirror/lang-markdown';
import { Language } from '@codemirror/language';
import { Prec, type Extension } from '@codemirror/state';
import { keymap } from '@codemirror/view';
import { boundParagraphs, type MarkdownExtension } from './bound-paragraphs.ts';

type MarkdownParser = Language['parser'] & {
  readonly configure: (extension: MarkdownExtension) => Language['parser'];
};

/**
 * Markdown as one writes it here. It is what `markdown()` makes but for HTML, which has no look of its own in the editor: parsers of
 * HTML, its styles and its scripts would be a third of the editor's code.
 */
export const writtenMarkdown = (): Extension => [
  new Language(
    markdownLanguage.data,
    (markdownLanguage.parser as MarkdownParser).configure(boundParagraphs),
    [],
    'markdown',
  ),
  pasteURLAsLink,
  Prec.high(keymap.of(markdownKeymap)),
];
