import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { safeNext } from './safe-next.ts';

/** Goes in after a session began: nothing of whoever was here before is kept. */
export const useEnter = (): ((next?: string) => void) => {
  const client = useQueryClient();
  const router = useRouter();
  return (next) => {
    client.clear();
    router.history.push(safeNext(next));
  };
};
