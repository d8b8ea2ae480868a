import { posix } from 'node:path';
import { withoutCodeBlocks } from './without-code-blocks.ts';

/** A link to a heading that the page does not have. */
type DeadAnchor = { readonly page: string; readonly link: string };

/** Finds links of a page to headings that are not there, of itself or of other pages. */
export const findDeadAnchors = (
  page: string,
  text: string,
  readPage: (file: string) => string,
): readonly DeadAnchor[] =>
  [...withoutCodeBlocks(text).matchAll(/\]\((?!\w+:)([^)\s#]*)#([^)\s]+)\)/g)].flatMap(
    ([, path = '', anchor = '']) => {
      const file = path === '' ? page : posix.join(posix.dirname(page), path);
      const isDead = file.endsWith('.md') && !anchorsOf(readPage(file)).has(anchor);
      return isDead ? [{ page, link: `${path}#${anchor}` }] : [];
    },
  );

/** Headings as GitHub names them: lower case, letters and digits, hyphens for blanks. */
const anchorsOf = (text: string): ReadonlySet<string> =>
  new Set(
    [...withoutCodeBlocks(text).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) =>
      heading
        .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .trim()
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}_\- ]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
