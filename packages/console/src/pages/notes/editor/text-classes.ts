import { tagHighlighter, tags } from '@lezer/highlight';

/** The parts of a Markdown text, as classes of the stylesheet of the editor. */
export const textClasses = tagHighlighter([
  { tag: tags.heading1, class: 'tok-heading1' },
  { tag: tags.heading2, class: 'tok-heading2' },
  { tag: tags.heading, class: 'tok-heading' },
  { tag: tags.strong, class: 'tok-strong' },
  { tag: tags.emphasis, class: 'tok-emphasis' },
  { tag: tags.strikethrough, class: 'tok-strikethrough' },
  { tag: tags.link, class: 'tok-link' },
  { tag: tags.url, class: 'tok-url' },
  { tag: tags.monospace, class: 'tok-monospace' },
  { tag: tags.quote, class: 'tok-quote' },
  { tag: [tags.meta, tags.processingInstruction, tags.contentSeparator], class: 'tok-meta' },
]);
