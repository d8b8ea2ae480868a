import type { QueryClient } from '@tanstack/react-query';
import { redirect } from '@tanstack/react-router';
import { companiesQuery } from '../api/company-queries.ts';
import { isSignedOut, mustEnrol } from '../api/problems.ts';
import { beginAs } from '../app/session/begin-as.ts';
import { nextOf } from '../app/session/safe-next.ts';
import { sessionQuery } from '../api/session-queries.ts';

/** Loads the session and its companies; without a session it redirects to the login, and from there back to `href`. */
export const requireSession = async (queryClient: QueryClient, href: string): Promise<void> => {
  try {
    const [session] = await Promise.all([
      queryClient.ensureQueryData(sessionQuery),
      queryClient.ensureQueryData(companiesQuery),
    ]);
    beginAs(session.operator.id);
  } catch (error) {
    if (isSignedOut(error)) {
      redirect({ to: '/login', search: nextOf(href), throw: true });
    }
    if (mustEnrol(error)) {
      redirect({ to: '/enrol', search: nextOf(href), throw: true });
    }
    throw error;
  }
};
