import { useIdle } from '@mantine/hooks';
import { focusManager, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { sessionQuery } from '../api/session-queries.ts';

const watchMs = 5_000;
const awayMs = 30 * 60_000;

/**
 * Asks now and then whether the session still lives, also while one only looks: when it was ended
 * elsewhere, the 401 leads to the login. A hidden tab asks as soon as it is seen again. A page that
 * nobody touches for half an hour stops asking for anything, or its session would never idle out.
 */
export const useSessionWatch = (): void => {
  useQuery({ ...sessionQuery, refetchInterval: watchMs, refetchOnWindowFocus: 'always' });
  const isAway = useIdle(awayMs, { initialState: false });
  useEffect(() => {
    focusManager.setFocused(isAway ? false : undefined);
    return () => focusManager.setFocused(undefined);
  }, [isAway]);
};
