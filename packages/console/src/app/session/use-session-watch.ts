import type { Schema } from '@commonplace/client';
import { useIdle } from '@mantine/hooks';
import { focusManager, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { reloadCompanies } from '../../api/company-queries.ts';
import { keys } from '../../api/query-keys.ts';
import { sessionQuery } from '../../api/session-queries.ts';

const watchMs = 5_000;
const idleMs = 30 * 60_000;

/**
 * Polls the session, so that a session revoked elsewhere leads to the login page. A hidden tab checks
 * when it becomes visible. After half an hour without input a page stops all polling, because the session
 * would never reach its idle timeout otherwise.
 *
 * Returns whether the page still belongs to the operator it was opened by. If not, it may show nothing.
 */
export const useSessionWatch = (): boolean => {
  const { data: session } = useQuery({
    ...sessionQuery,
    refetchInterval: watchMs,
    refetchOnWindowFocus: 'always',
  });
  const isOther = useLeaveForOtherOperator(session?.operator.id);
  useReloadOfMemberships(session?.memberships);
  const isIdle = useIdle(idleMs, { initialState: false });
  useEffect(() => {
    focusManager.setFocused(isIdle ? false : undefined);
    return () => focusManager.setFocused(undefined);
  }, [isIdle]);
  return !isOther;
};

/**
 * Begins again when another operator has signed in in another tab: what is shown here is not theirs. Unsaved text stays in
 * the drafts of the one who wrote it.
 */
const useLeaveForOtherOperator = (operatorId: string | undefined): boolean => {
  const [first] = useState(operatorId);
  const isOther = operatorId !== undefined && first !== undefined && operatorId !== first;
  useEffect(() => {
    if (isOther) {
      // The page is gone by now, and with it what would keep the browser from loading the next one.
      location.assign('/');
    }
  }, [isOther]);
  return isOther;
};

type Memberships = Schema<'CurrentSession'>['memberships'];

/**
 * Loads the companies again when the operator joined or left one, or was removed, and the notes of those in which they reach
 * other folders now.
 */
const useReloadOfMemberships = (memberships?: Memberships): void => {
  const client = useQueryClient();
  const router = useRouter();
  const last = useRef(memberships);
  useEffect(() => {
    const before = last.current;
    last.current = memberships;
    if (!memberships || !before || memberships === before) {
      return;
    }
    void reloadCompanies(client);
    // What is loaded again and is the same stays the same object.
    const changed = memberships.filter((membership) => !before.includes(membership));
    for (const { companyId } of changed) {
      void client.invalidateQueries({ queryKey: keys.notes(companyId) });
    }
    if (changed.some(({ companyId }) => before.every((each) => each.companyId !== companyId))) {
      // The page of a company that the operator joined could not be loaded before.
      void router.invalidate();
    }
  }, [client, router, memberships]);
};
