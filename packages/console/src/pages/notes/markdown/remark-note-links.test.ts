import { describe, expect, it } from '@jest/globals';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import Markdown from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { remarkNoteLinks, type MarkdownNode } from './remark-note-links.ts';

const text = (value: string): MarkdownNode => ({ type: 'text', value });

const transformed = (...children: MarkdownNode[]): readonly MarkdownNode[] => {
  const paragraph: MarkdownNode = { type: 'paragraph', children };
  remarkNoteLinks()({ type: 'root', children: [paragraph] }, { value: '' });
  return paragraph.children ?? [];
};

const linkTo = (title: string) => ({
  type: 'noteLink',
  data: { hName: 'a', hProperties: { dataNoteTitle: title } },
  children: [text(title)],
});

describe('links by title', () => {
  it('are nodes of their own, also within other marks', () => {
    expect(transformed(text('a [[b]]'), { type: 'strong', children: [text('[[c]]')] })).toEqual([
      text('a '),
      linkTo('b'),
      { type: 'strong', children: [linkTo('c')] },
    ]);
  });

  it.each([
    ['code', { type: 'inlineCode', value: '[[b]]' }],
    ['other links', { type: 'link', url: 'https://example.org', children: [text('[[b]]')] }],
  ])('are not in %s', (_, node) => {
    expect(transformed(structuredClone(node))).toEqual([node]);
  });

  it('are found in tables, where the bar before their text is escaped', () => {
    const html = renderToStaticMarkup(
      createElement(Markdown, {
        remarkPlugins: [remarkGfm, remarkNoteLinks],
        children: '| a | b |\n|---|---|\n| [[Plan\\|the plan]] | [[Risks]] |',
      }),
    );
    expect(html).toContain('<td><a data-note-title="Plan">the plan</a></td>');
    expect(html).toContain('<td><a data-note-title="Risks">Risks</a></td>');
  });

  it('are found in trees of any depth', () => {
    const leaf: MarkdownNode = { type: 'emphasis', children: [text('[[b]]')] };
    let tree = leaf;
    for (let depth = 0; depth < 50_000; depth += 1) {
      tree = { type: 'emphasis', children: [tree] };
    }
    remarkNoteLinks()(tree, { value: '' });
    expect(leaf.children).toEqual([linkTo('b')]);
  });
});
