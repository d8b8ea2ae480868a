import { ProblemError, type ApiClient } from '@commonplace/client';
import { createPrompt, withPrompt } from './prompt.ts';

/** The dialog in which the operator confirms who they are. */
export const reauthentication = createPrompt();

const needsConfirmation = (error: unknown): boolean =>
  error instanceof ProblemError && error.code === 'reauthentication_required';

/** Makes a client that opens the dialog when a change needs a recent sign-in, and then repeats the change. */
export const withReauthentication = (client: ApiClient): ApiClient =>
  withPrompt(client, needsConfirmation, reauthentication);
