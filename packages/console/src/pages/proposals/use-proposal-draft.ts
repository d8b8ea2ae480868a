import { useEffect, useState } from 'react';
import { discardStored } from '../notes/editor/discard-draft.ts';
import { useDraftKey } from '../notes/editor/use-draft-key.ts';
import { readProposalDraft } from './proposal-draft.ts';

/** The text of a proposal that was edited on an earlier visit, and where it is kept. */
export const useProposalDraft = (proposalId: string, mayDecide: boolean) => {
  const key = useDraftKey({ kind: 'proposal', id: proposalId });
  const [draft, setDraft] = useState(() => readProposalDraft(key));
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
    readAgain,
    discardDraft: (): void => {
      discardStored(key);
      setDraft(null);
    },
  };
};
