import { useEffect, useEffectEvent, useState } from 'react';
import { keysOfTabs } from '../../../api/stored-drafts.ts';
import { listTaken, takeForTab } from '../../../api/tab-lock.ts';

/** Where a tab keeps its draft of a text. */
export type DraftPlace = {
  readonly key: string;
  /** Whether another tab has the text open too. */
  readonly isElsewhere: boolean;
  /** The keys of further drafts of the text, which no tab had open. */
  readonly left: readonly string[];
};

type Taken = DraftPlace & { readonly release: () => void };

/** A tab that ends sends nothing to the others. */
const lookMs = 1_000;

/**
 * A place for the draft of a text that no other tab has: that of a draft that was left, if there is one. It is the key of the text
 * or, where that is taken, one below it. Null: not known yet, which takes a moment, or there is no text.
 */
export const useDraftPlace = (
  textKey: string | null,
  isDraft: (key: string) => boolean,
): DraftPlace | null => {
  const [place, setPlace] = useState<DraftPlace | null>(null);
  const begin = useEffectEvent((key: string) => take(key, isDraft));
  useEffect(() => {
    if (textKey === null) {
      return undefined;
    }
    const taking = begin(textKey);
    let isMounted = true;
    void taking.then((taken) => isMounted && setPlace(taken));
    return () => {
      isMounted = false;
      void taking.then(({ release }) => release());
    };
  }, [textKey]);
  const own = place?.key;
  useEffect(() => {
    if (own === undefined || textKey === null) {
      return undefined;
    }
    const timer = setInterval(async () => {
      const isElsewhere = (await listElsewhere(textKey, own)).length > 0;
      setPlace(
        (last) => last && (last.isElsewhere === isElsewhere ? last : { ...last, isElsewhere }),
      );
    }, lookMs);
    return () => clearInterval(timer);
  }, [textKey, own]);
  return place;
};

const take = async (textKey: string, isDraft: (key: string) => boolean): Promise<Taken> => {
  const stored = keysOfTabs(textKey).filter(isDraft);
  for (const place of [...stored, textKey, null]) {
    const key = place ?? `${textKey}.${crypto.randomUUID()}`;
    const release = await takeForTab(key);
    if (release) {
      const elsewhere = await listElsewhere(textKey, key);
      const left = stored.filter((each) => each !== key && !elsewhere.includes(each));
      return { key, isElsewhere: elsewhere.length > 0, left, release };
    }
  }
  throw new Error('A place of a new name is always free.');
};

/** The places of a text that other tabs have. */
const listElsewhere = async (textKey: string, own: string): Promise<readonly string[]> =>
  [...(await listTaken())].filter(
    (key) => key !== own && (key === textKey || key.startsWith(`${textKey}.`)),
  );
