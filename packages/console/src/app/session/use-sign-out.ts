import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { apiWithoutDialogs } from '../../api/api.ts';
import { isSignedOut } from '../../api/problems.ts';
import { keys } from '../../api/query-keys.ts';
import { sessionQuery } from '../../api/session-queries.ts';
import { countDraftsOf, removeDraftsOf } from '../../api/stored-drafts.ts';
import { detailOf } from '../../components/error-alert.tsx';
import { bulkJob } from '../bulk/bulk-job.ts';
import { clearSessionData } from './clear-session-data.ts';
import { confirmLeavingPage } from '../use-leave-guard.ts';

/** Names the message among all, so that there is one. */
const failureId = 'sign-out';

/**
 * Ends the session, here and at the provider that began it. Unsaved work is lost, which is confirmed first. Who signs in
 * next comes to `next`.
 */
export const useSignOut = (next?: string) => {
  const client = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    onMutate: () => notifications.hide(failureId),
    mutationFn: async () => {
      const operatorId = client.getQueryData(sessionQuery.queryKey)?.operator.id ?? '';
      if (!(await confirmLeavingPage({ drafts: countDraftsOf(operatorId) }))) {
        return null;
      }
      bulkJob.stop();
      return { operatorId, endSessionUrl: await endSession() };
    },
    onError: (error) =>
      notifications.show({
        id: failureId,
        color: 'red',
        // Who walks away must find it later.
        autoClose: false,
        message: `You may still be signed in: ${detailOf(error)}`,
      }),
    onSuccess: async (ended) => {
      if (ended === null) {
        return;
      }
      removeDraftsOf(ended.operatorId);
      client.removeQueries({ queryKey: keys.session });
      await navigate({
        to: '/login',
        search: next === undefined ? {} : { next },
        ignoreBlocker: true,
      });
      clearSessionData(client);
      if (ended.endSessionUrl !== undefined) {
        // The provider sends the browser back to the login page.
        location.assign(ended.endSessionUrl);
      }
    },
  });
};

/**
 * Returns where to end the session at the provider, if that is possible. A session that is over already, perhaps by an attempt
 * whose response was lost, is signed out too.
 */
const endSession = async (): Promise<string | undefined> => {
  try {
    const { data } = await apiWithoutDialogs.post('/api/auth/logout');
    return data?.endSessionUrl;
  } catch (error) {
    if (!isSignedOut(error)) {
      throw error;
    }
    return undefined;
  }
};
