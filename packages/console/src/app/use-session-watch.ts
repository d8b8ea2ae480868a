import { useIdle } from '@mantine/hooks';
import { focusManager, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { sessionQuery } from '../api/session-queries.ts';

const watchMs = 5_000;
const idleMs = 30 * 60_000;

/**
 * Polls the session, so that a session revoked elsewhere leads to the login page. A hidden tab checks
 * when it becomes visible. After half an hour without input a page stops all polling, because the session
 * would never reach its idle timeout otherwise.
 */
export const useSessionWatch = (): void => {
  const { data: session } = useQuery({
    ...sessionQuery,
    refetchInterval: watchMs,
    refetchOnWindowFocus: 'always',
  });
  useLeaveForOtherOperator(session?.operator.id);
  const isIdle = useIdle(idleMs, { initialState: false });
  useEffect(() => {
    focusManager.setFocused(isIdle ? false : undefined);
    return () => focusManager.setFocused(undefined);
  }, [isIdle]);
};

/**
 * Begins again when another operator has signed in in another tab: what is shown here is not theirs. Unsaved text stays in
 * the drafts of the one who wrote it.
 */
const useLeaveForOtherOperator = (operatorId: string | undefined): void => {
  const navigate = useNavigate();
  const [first] = useState(operatorId);
  const isOther = operatorId !== undefined && first !== undefined && operatorId !== first;
  useEffect(() => {
    if (isOther) {
      // Without the page there is nothing that could keep the browser from loading the next one.
      void navigate({ to: '/login', ignoreBlocker: true }).then(() => location.assign('/'));
    }
  }, [isOther, navigate]);
};
