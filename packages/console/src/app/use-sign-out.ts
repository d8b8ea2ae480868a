import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api } from '../api/api.ts';
import { keys } from '../api/query-keys.ts';
import { removeAllDrafts } from '../pages/notes/editor/drafts.ts';
import { clearSessionData } from './clear-session-data.ts';

/** Ends the session, here and at the provider that began it. */
export const useSignOut = () => {
  const client = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: () => api.post('/api/auth/logout'),
    onSuccess: async ({ data }) => {
      removeAllDrafts();
      client.removeQueries({ queryKey: keys.session });
      if (data?.endSessionUrl !== undefined) {
        // The provider sends the browser back to the login page.
        location.assign(data.endSessionUrl);
        return;
      }
      await navigate({ to: '/login' });
      // The page that was left may have written one more.
      removeAllDrafts();
      clearSessionData(client);
    },
  });
};
