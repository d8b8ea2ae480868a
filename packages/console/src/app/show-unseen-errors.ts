import { notifications } from '@mantine/notifications';
import type { MutationCache } from '@tanstack/react-query';
import { isCancelled } from '../api/passkeys.ts';
import { isNextStep, isSignedOut } from '../api/problems.ts';
import { detailOf } from '../components/error-alert.tsx';
import { isShown } from '../components/shown-errors.ts';

/** Long enough for a page to render. */
const renderedMs = 1_000;

/**
 * Shows the errors of mutations that nothing displays: their page or dialog may be gone, or displays none. An `onError` that
 * says itself what failed marks the error as shown, as `detailOf` does.
 */
export const showUnseenErrors = (mutations: MutationCache): void => {
  mutations.subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'error') {
      return;
    }
    const { error } = event.action;
    if (isFailure(error)) {
      setTimeout(() => {
        if (!isShown(error)) {
          notifications.show({ color: 'red', message: `An action failed: ${detailOf(error)}` });
        }
      }, renderedMs);
    }
  });
};

/** What was stopped by the operator is none, and the end of a session leads to the login page. */
const isFailure = (error: Error): boolean =>
  !isSignedOut(error) && !isNextStep(error) && !isCancelled(error);
