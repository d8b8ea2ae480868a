import { useState } from 'react';
import { discardStored } from './discard-draft.ts';
import { draftKeyOf, type NamedDraft } from './drafts.ts';
import { LeftDraft } from './left-draft.tsx';

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
          discardStored(key);
          setDiscarded([...discarded, key]);
        }}
      />
    ));
};

/** Its text, below the title if that was changed. */
const wordsOf = ({ base, text: { title, content } }: NamedDraft['draft']): string =>
  title === base.title ? content : `${title}\n\n${content}`;
