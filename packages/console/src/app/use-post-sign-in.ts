import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { safeNext } from './safe-next.ts';

/** Clears all data of a previous session and opens `next`, else the home page. */
export const usePostSignIn = (): ((next?: string) => void) => {
  const client = useQueryClient();
  const router = useRouter();
  return (next) => {
    client.clear();
    router.history.push(safeNext(next));
  };
};
