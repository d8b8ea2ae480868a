import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/api.ts';
import { sessionQuery } from '../../api/session-queries.ts';
import { endBulkJob } from '../bulk/end-bulk-job.ts';

/**
 * After a sign-in on an open page: goes on only as the operator whose page it is, because nothing on it may be saved for
 * another one, for whom the console begins again.
 */
export const useSamePerson = (onSamePerson: () => void) => {
  const client = useQueryClient();
  // As the dialog opened: the page polls the session, so later it may be that of another person.
  const [before] = useState(() => client.getQueryData(sessionQuery.queryKey)?.operator);
  const check = useMutation({
    // Not by the cache: a poll that began without a session may be on its way.
    mutationFn: () => api.get('/api/auth/session'),
    onSuccess: ({ data }) => {
      client.setQueryData(sessionQuery.queryKey, data);
      if (data.operator.id === before?.id) {
        onSamePerson();
      } else {
        endBulkJob();
        location.assign('/');
      }
    },
  });
  return { email: before?.email ?? '', goOn: check.mutate, error: check.error };
};
