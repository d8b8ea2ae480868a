import { useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { sessionQuery } from '../../../api/session-queries.ts';
import { keysOfTabs } from '../../../api/stored-drafts.ts';
import { useCompanyId } from '../../../api/use-company-id.ts';
import { draftKeyOf, hasChanges, wordsOfDrafts, type DraftName } from './drafts.ts';
import { readOnlyReason } from './left-draft.tsx';
import { LeftDrafts } from './left-drafts.tsx';

/** What was written of a note before the operator's role was changed: it cannot be saved, but copied. */
export const KeptDrafts = (note: Pick<DraftName, 'noteId' | 'newId'>) => {
  const companyId = useCompanyId();
  const { data: session } = useSuspenseQuery(sessionQuery);
  const textKey = draftKeyOf({ ...note, operatorId: session.operator.id, companyId });
  const [drafts] = useState(() =>
    wordsOfDrafts((note.noteId === null ? [textKey] : keysOfTabs(textKey)).filter(hasChanges)),
  );
  return <LeftDrafts drafts={drafts} reason={readOnlyReason} />;
};
