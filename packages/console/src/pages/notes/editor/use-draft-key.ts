import { useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { sessionQuery } from '../../../api/session-queries.ts';
import { draftPrefix } from '../../../api/stored-drafts.ts';
import { useCompanyId } from '../../../api/use-company-id.ts';

type Subject = { readonly kind: 'conflict' | 'proposal'; readonly id: string };

/** Under which the operator's draft of a text that is no note is stored. Who wrote it keeps it, also if another operator signs in in another tab. */
export const useDraftKey = ({ kind, id }: Subject): string => {
  const companyId = useCompanyId();
  const { data: session } = useSuspenseQuery(sessionQuery);
  const [operatorId] = useState(session.operator.id);
  return `${draftPrefix}${operatorId}.${companyId}.${kind}.${id}`;
};
