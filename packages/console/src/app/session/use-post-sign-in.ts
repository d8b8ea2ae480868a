import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { clearSessionData } from './clear-session-data.ts';
import { isOutsideConsole, safeNext } from './safe-next.ts';

/** Clears all data of a previous session and opens `next`, else the home page. */
export const usePostSignIn = (): ((next?: string) => void) => {
  const client = useQueryClient();
  const router = useRouter();
  return (next) => {
    clearSessionData(client);
    const path = safeNext(next);
    if (isOutsideConsole(path)) {
      location.assign(path);
    } else {
      router.history.push(path);
    }
  };
};
