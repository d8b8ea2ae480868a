import { useEffect, useState } from 'react';
import { listTaken, takeForTab } from '../../../api/tab-lock.ts';
import { draftKeyOf, listDraftsOf, type DraftName, type NamedDraft } from './drafts.ts';

/** Where a tab keeps its draft of a note. */
export type DraftPlace = {
  readonly name: DraftName;
  /** Whether another tab edits the note too. */
  readonly isElsewhere: boolean;
  /** Further drafts of the note, which no tab has open. */
  readonly left: readonly NamedDraft[];
};

type Taken = DraftPlace & { readonly release: () => void };

/**
 * A place for the draft of a note that no other tab has: that of a draft that was left, if there is one. Null: not known yet,
 * which takes a moment.
 */
export const useDraftPlace = ({ operatorId, companyId, noteId }: DraftName): DraftPlace | null => {
  const [place, setPlace] = useState<DraftPlace | null>(null);
  useEffect(() => {
    const taking = take({ operatorId, companyId, noteId });
    let isMounted = true;
    void taking.then((taken) => isMounted && setPlace(taken));
    return () => {
      isMounted = false;
      void taking.then(({ release }) => release());
    };
  }, [operatorId, companyId, noteId]);
  return place;
};

const take = async (note: DraftName): Promise<Taken> => {
  const stored = listDraftsOf(note);
  for (const place of [...stored.map((each) => each.name), note, null]) {
    const name = place ?? { ...note, tabId: crypto.randomUUID() };
    // A browser that gives no locks keeps one draft.
    const release = await takeForTab(draftKeyOf(name)).catch(() => () => undefined);
    if (release) {
      const own = draftKeyOf(name);
      const elsewhere = [...(await listTaken().catch(() => new Set<string>()))].filter(
        (key) => key !== own && key.startsWith(draftKeyOf(note)),
      );
      const left = stored
        .map((each) => ({ ...each, key: draftKeyOf(each.name) }))
        .filter(({ key }) => key !== own && !elsewhere.includes(key));
      return { name, isElsewhere: elsewhere.length > 0, left, release };
    }
  }
  throw new Error('A place of a new name is always free.');
};
