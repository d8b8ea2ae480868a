import type { Schema } from '@commonplace/client';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { keys } from '../api/query-keys.ts';
import { reloadWhenSettled } from '../api/reload-when-settled.ts';
import { detailOf } from './error-alert.tsx';
import { pauseConfirmed, resumeAgent, type Outcome } from './pause-agent.tsx';
import { shownMs } from './show-with-undo.tsx';

type Agent = Pick<Schema<'Agent'>, 'companyId' | 'id' | 'name'>;
type StatusChange = {
  readonly agent: Agent;
  readonly verb: 'pause' | 'resume';
};

/** Pauses or resumes an agent, and says what came of it, in the same way on every page. */
export const useAgentStatus = () => {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ agent, verb }: StatusChange): Promise<Outcome> =>
      verb === 'pause' ? pauseConfirmed(agent) : resumeAgent(agent),
    onSuccess: (message) => {
      if (message !== null) {
        // What has links stays long enough to reach them.
        const autoClose = typeof message === 'string' ? {} : { autoClose: shownMs };
        notifications.show({ message, ...autoClose });
      }
    },
    onError: (error, { agent }) => {
      notifications.show({ color: 'red', message: `${agent.name}: ${detailOf(error)}` });
    },
    // Also one whose response was lost may be paused.
    onSettled: reloadWhenSettled(({ agent }: StatusChange) =>
      client.invalidateQueries({ queryKey: keys.company(agent.companyId) }),
    ),
  });
};
