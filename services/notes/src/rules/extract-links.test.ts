import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { extractLinks } from './extract-links.ts';

const id = '0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b';

const targetsOf = (content: string) =>
  extractLinks(content).map(({ title, targetId }) => title ?? targetId);

describe('the links of a note', () => {
  it('are titles, titles with a text, ids, and Markdown links to notes', () => {
    const content = `See [[Plan]], [[Risks of it|the risks]], [[${id.toUpperCase()}]]
and [the other](/notes/${id.replace('0190', '0191')}#top "title").`;
    expect(targetsOf(content)).toEqual(['Plan', 'Risks of it', id, id.replace('0190', '0191')]);
  });

  it('are found in tables, where the bar before the text is escaped', () => {
    expect(targetsOf('| a |\n| - |\n| [[Plan\\|the plan]] |\n')).toEqual(['Plan']);
  });

  it('count each target once, whatever the case and the spaces of its title', () => {
    expect(targetsOf('[[Plan B]] [[plan  b]] [[PLAN B|b]]')).toEqual(['Plan B']);
  });

  it.each([
    ['a fence', '```\n[[No]]\n```'],
    ['a fence of tildes in a quote', '> ~~~ md\n> [[No]]\n> ~~~'],
    ['a fence without an end', '````\n```\n[[No]]'],
    ['a code span', 'a `[[No]]` b'],
    ['a code span of two backticks', 'a ``[[No]] ` [[No]]`` b'],
    ['a code span over two lines', 'a `x\n[[No]]` b'],
    ['indented code', 'a\n\n    [[No]]\n'],
    ['an escape', 'a \\[[No]]'],
    ['an empty title', '[[ ]]'],
    ['a link elsewhere', `[a](https://example.com/notes/${id})`],
  ])('are not found in %s', (_where, content) => {
    expect(targetsOf(`${content}\n\n[[Yes]]\n`).filter((target) => target !== 'Yes')).toEqual([]);
  });

  it.each([
    ['after a fence', '```\n`\n```\n[[Yes]]'],
    ['in a list, however deep', '- a\n\n    - [[Yes]]'],
    ['after a backtick that opens nothing', 'a ` b [[Yes]]'],
    ['after a code span of another paragraph', '`\n\n[[Yes]] `'],
  ])('are found %s', (_where, content) => {
    expect(targetsOf(content)).toEqual(['Yes']);
  });

  it('say where they start in Unicode characters', () => {
    expect(extractLinks('🦓🦓 [[Plan]]')).toMatchObject([{ title: 'Plan', charOffset: 3 }]);
  });

  it('are at most 500, of any text, in the order of the text', () => {
    const part = fc.oneof(
      fc.constantFrom('[[', ']]', '|', '`', '``', '\n', '\n\n', '```\n', '    ', '> ', '- ', '\\'),
      fc.constantFrom('[[a]]', `](/notes/${id})`, '[x', '~~~\n'),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 60 }), (parts) => {
        const offsets = extractLinks(parts.join('')).map(({ charOffset }) => charOffset);
        expect(offsets).toEqual(offsets.toSorted((a, b) => a - b));
      }),
    );
    const many = Array.from({ length: 900 }, (_, index) => `[[n${index}]]`).join(' ');
    expect(extractLinks(many)).toHaveLength(500);
  });

  it('take linear time to find in texts full of marks', () => {
    for (const mark of ['[', '[[', ']', '[[a', '`', '` `` ', '[a](/notes/', '> ```\n', '[[a|b']) {
      const content = `[[Start]] ${mark.repeat(400_000 / mark.length)}`;
      expect(extractLinks(content).length).toBeLessThan(10);
    }
  });

  it('take linear time to find in texts of many paragraphs', () => {
    for (const paragraph of ['a\n\n', 'Š\n\n', '恠\n\n', '- Š\n\n', '> Š\n\n']) {
      const content = `[[Start]]\n\n${paragraph.repeat(400_000 / paragraph.length)}`;
      expect(extractLinks(content)).toHaveLength(1);
    }
  });
});
