import { useIdle } from '@mantine/hooks';
import { focusManager, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { sessionQuery } from '../api/session-queries.ts';

const watchMs = 5_000;
const idleMs = 30 * 60_000;

/**
 * Polls the session, so that a session revoked elsewhere leads to the login page. A hidden tab checks
 * when it becomes visible. After half an hour without input a page stops all polling, because the session
 * would never reach its idle timeout otherwise.
 */
export const useSessionWatch = (): void => {
  useQuery({ ...sessionQuery, refetchInterval: watchMs, refetchOnWindowFocus: 'always' });
  const isIdle = useIdle(idleMs, { initialState: false });
  useEffect(() => {
    focusManager.setFocused(isIdle ? false : undefined);
    return () => focusManager.setFocused(undefined);
  }, [isIdle]);
};
