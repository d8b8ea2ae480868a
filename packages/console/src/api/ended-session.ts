import type { ApiClient } from '@commonplace/client';
import { isSignedOut } from './problems.ts';
import { createPrompt, withPrompt } from './prompt.ts';
import { unsavedWork } from './unsaved-work.ts';

/** After the session has ended, the dialog for signing in on the page with the operator's unsaved work. */
export const endedSession = createPrompt();

const mayContinue = (error: unknown): boolean => isSignedOut(error) && unsavedWork.exists();

/** Makes a client that opens the dialog when a change of unsaved work finds no session, and then repeats the change. */
export const withSignIn = (client: ApiClient): ApiClient =>
  withPrompt(client, mayContinue, endedSession);
