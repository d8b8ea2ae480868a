import { apiOf } from '../../../api/api.ts';
import type { FoundTitle } from './complete-note-links.ts';

const titlesMax = 10;

type Search = {
  readonly companyId: string;
  readonly typed: string;
  readonly signal: AbortSignal;
};

/** Titles of notes that match what was typed; of the last changed notes if nothing was. Never fails. */
export const findNoteTitles = async ({
  companyId,
  typed,
  signal,
}: Search): Promise<readonly FoundTitle[]> => {
  try {
    const { data } = await apiOf(companyId).get('/api/notes', {
      params: {
        query: {
          limit: titlesMax,
          archived: false,
          // A copy is no note to link to, also where its title is another one.
          conflicts: 'exclude' as const,
          ...(typed === '' ? {} : { q: typed, match: 'prefix' as const }),
        },
      },
      signal,
    });
    const byTitle = new Map<string, FoundTitle>();
    for (const { title, folder } of data.items) {
      if (isLinkable(title) && !byTitle.has(title)) {
        byTitle.set(title, { title, folder });
      }
    }
    return [...byTitle.values()];
  } catch {
    return [];
  }
};

/** A link cannot hold these characters. */
const isLinkable = (title: string): boolean => title !== '' && !/[[\]|\n]/.test(title);
