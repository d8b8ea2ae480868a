import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api } from '../../api/api.ts';
import { keys } from '../../api/query-keys.ts';
import { sessionQuery } from '../../api/session-queries.ts';
import { countDraftsOf, removeDraftsOf } from '../../api/stored-drafts.ts';
import { bulkJob } from '../bulk/bulk-job.ts';
import { clearSessionData } from './clear-session-data.ts';
import { confirmLeavingPage } from '../use-leave-guard.ts';

/** Ends the session, here and at the provider that began it. Unsaved work is lost, which is confirmed first. */
export const useSignOut = () => {
  const client = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: async () => {
      const operatorId = client.getQueryData(sessionQuery.queryKey)?.operator.id ?? '';
      if (!(await confirmLeavingPage({ drafts: countDraftsOf(operatorId) }))) {
        return null;
      }
      bulkJob.stop();
      const { data } = await api.post('/api/auth/logout');
      return { operatorId, endSessionUrl: data?.endSessionUrl };
    },
    onSuccess: async (ended) => {
      if (ended === null) {
        return;
      }
      removeDraftsOf(ended.operatorId);
      client.removeQueries({ queryKey: keys.session });
      await navigate({ to: '/login', ignoreBlocker: true });
      clearSessionData(client);
      if (ended.endSessionUrl !== undefined) {
        // The provider sends the browser back to the login page.
        location.assign(ended.endSessionUrl);
      }
    },
  });
};
