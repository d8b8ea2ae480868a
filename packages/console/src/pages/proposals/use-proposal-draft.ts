import { useEffect, useState } from 'react';
import { discardStored } from '../notes/editor/discard-draft.ts';
import type { DraftPlace } from '../notes/editor/use-draft-place.ts';
import { readProposalDraft, textsOfProposalDrafts } from './proposal-draft.ts';

/** The text of a proposal that was edited on an earlier visit, and where it is kept. */
export const useProposalDraft = ({ key, left }: DraftPlace, mayDecide: boolean) => {
  const [draft, setDraft] = useState(() => readProposalDraft(key));
  const [draftsOfTabs] = useState(() => textsOfProposalDrafts(left));
  const readAgain = (): void => setDraft(readProposalDraft(key));
  // A text that is edited while another operator decides remains as a draft.
  useEffect(() => {
    if (!mayDecide) {
      setDraft(readProposalDraft(key));
    }
  }, [mayDecide, key]);
  return {
    draftKey: key,
    draft,
    draftsOfTabs,
    readAgain,
    discardDraft: (): void => {
      discardStored(key);
      setDraft(null);
    },
  };
};
