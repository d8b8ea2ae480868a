import { useState } from 'react';
import { listTaken } from '../../../api/tab-lock.ts';
import { discardStored } from './discard-draft.ts';
import { draftKeyOf, type NamedDraft } from './drafts.ts';
import { LeftDraft } from './left-draft.tsx';
import { wordsOf } from './words-of.ts';

type LeftDraftsProps = {
  readonly drafts: readonly NamedDraft[];
  /** Why they are not in an editor. */
  readonly reason: string;
  readonly title?: string;
};

/** Drafts of a note that no editor goes on with, each to be copied until it is given up. */
export const LeftDrafts = ({ drafts, ...shown }: LeftDraftsProps) => {
  const [discarded, setDiscarded] = useState<readonly string[]>([]);
  return drafts
    .map(({ name, draft }) => ({ key: draftKeyOf(name), draft }))
    .filter(({ key }) => !discarded.includes(key))
    .map(({ key, draft }) => (
      <LeftDraft
        key={key}
        {...shown}
        text={wordsOf(draft)}
        onDiscard={() => {
          setDiscarded([...discarded, key]);
          void discardLeft(key);
        }}
      />
    ));
};

/** By now another tab may have opened the note and gone on with the draft. */
const discardLeft = async (key: string): Promise<void> => {
  const taken = await listTaken().catch(() => new Set<string>());
  if (!taken.has(key)) {
    discardStored(key);
  }
};
