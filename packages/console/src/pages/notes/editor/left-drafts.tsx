import { useState } from 'react';
import { discardLeft } from './discard-draft.ts';
import { LeftDraft } from './left-draft.tsx';

type LeftDraftsProps = {
  readonly drafts: readonly { readonly key: string; readonly text: string }[];
  /** Why they are not in an editor. */
  readonly reason: string;
  readonly title?: string;
};

/** Drafts that no editor goes on with, each to be copied until it is given up. */
export const LeftDrafts = ({ drafts, ...shown }: LeftDraftsProps) => {
  const [discarded, setDiscarded] = useState<readonly string[]>([]);
  const discard = async (key: string): Promise<void> => {
    await discardLeft(key);
    setDiscarded((before) => [...before, key]);
  };
  return drafts
    .filter(({ key }) => !discarded.includes(key))
    .map(({ key, text }) => (
      <LeftDraft key={key} {...shown} text={text} onDiscard={() => void discard(key)} />
    ));
};

/** Further drafts of a text that is open: those of tabs that were closed. */
export const DraftsOfTabs = ({ drafts }: Pick<LeftDraftsProps, 'drafts'>) => (
  <LeftDrafts
    title="You have another unsaved draft"
    drafts={drafts}
    reason="You wrote it in another tab, and did not save it. Copy what you need, and discard it."
  />
);
