import { describe, expect, it } from '@jest/globals';
import { wikiLinkParts } from './wiki-link-parts.ts';

const titlesOf = (text: string, source = text) =>
  wikiLinkParts(text, source).flatMap(({ title }) => title ?? []);

describe('a text', () => {
  it('is split at links by title, with their own text if they have one', () => {
    expect(
      wikiLinkParts(
        'See [[ Plan ]] and [[Risks|the risks]].',
        'See [[ Plan ]] and [[Risks|the risks]].',
      ),
    ).toEqual([
      { text: 'See ', title: null },
      { text: 'Plan', title: 'Plan' },
      { text: ' and ', title: null },
      { text: 'the risks', title: 'Risks' },
      { text: '.', title: null },
    ]);
  });

  it('has no links without a title or an end, over several lines, or where it is escaped', () => {
    expect(titlesOf('[[ ]] [[a [[|b]] [[a\nb]] [c]')).toEqual([]);
    expect(titlesOf('[[No]] [[Yes]]', '\\[[No]] [[Yes]]')).toEqual(['Yes']);
    expect(titlesOf('\\[[Yes]]', '\\\\[[Yes]]')).toEqual(['Yes']);
  });

  it('has links whose text stands after an escaped bar, as tables need it', () => {
    expect(wikiLinkParts('[[Plan|the plan]] x', '[[Plan\\|the plan]] x')).toEqual([
      { text: 'the plan', title: 'Plan' },
      { text: ' x', title: null },
    ]);
    expect(titlesOf('[[Plan|a|b]]', '[[Plan\\|a\\|b]]')).toEqual(['Plan']);
  });

  it('keeps all of its characters, and links the part of it that is a link', () => {
    expect(wikiLinkParts('[[[a]]] [[b]', '[[[a]]] [[b]')).toEqual([
      { text: '[', title: null },
      { text: 'a', title: 'a' },
      { text: '] [[b]', title: null },
    ]);
  });
});
