import { useQueryClient, type QueryClient, type QueryKey } from '@tanstack/react-query';
import { useEffect } from 'react';
import { followFeed } from '../../api/follow-feed.ts';
import { keys } from '../../api/query-keys.ts';

/** Looks at the notes again whenever the change feed of the company says that something is new. */
export const useLiveNotes = (companyId: string): void => {
  const client = useQueryClient();
  useEffect(() => {
    const queryKey = keys.notes(companyId);
    return followFeed({
      companyId,
      onNews: () => void lookAgain(client, queryKey),
      // The session is over, or the company is none of ours any more. The queries say which.
      onRefused: () => void client.invalidateQueries({ queryKey }),
    });
  }, [client, companyId]);
};

/**
 * Queries are not asked again while their first answer is under way; they join it. It may have been given
 * before the change, so they are asked once more when it is there.
 */
const lookAgain = async (client: QueryClient, queryKey: QueryKey): Promise<void> => {
  const isFirstUnderWay = client.isFetching({ queryKey, predicate: hasNoAnswer }) > 0;
  await client.invalidateQueries({ queryKey });
  if (isFirstUnderWay) {
    await client.invalidateQueries({ queryKey });
  }
};

const hasNoAnswer = ({ state }: { readonly state: { readonly data: unknown } }): boolean =>
  state.data === undefined;
