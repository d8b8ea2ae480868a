import { ProblemError, type Schema } from '@commonplace/client';

const hasCode = (error: unknown, ...codes: readonly string[]): boolean =>
  error instanceof ProblemError && codes.includes(error.code);

/** Whether there is no session, or it has ended. A wrong password is a different problem. */
export const isSignedOut = (error: unknown): boolean =>
  hasCode(error, 'credential_required', 'session_expired', 'invalid_token');

/** Whether the operator must set up a second factor before anything else. */
export const mustEnrol = (error: unknown): boolean =>
  hasCode(error, 'second_factor_enrolment_required');

/** Whether only a next step is wanted, which the form says in its own words: a code, or a sign-in before an invite. */
export const isNextStep = (error: unknown): boolean =>
  hasCode(error, 'second_factor_required', 'sign_in_first');

/** The challenge of a sign-in whose password was right, if it needs a code. */
export const challengeIn = (error: unknown): string | null => {
  const { challenge } = hasCode(error, 'second_factor_required')
    ? (error as ProblemError).problem
    : {};
  return typeof challenge === 'string' ? challenge : null;
};

/** Whether there is no such entity, or no longer. */
export const isNotFound = (error: unknown): boolean => hasCode(error, 'not_found');

/** Whether the company has no such entity. */
export const isNotInCompany = (error: unknown): boolean =>
  hasCode(error, 'not_found', 'cross_company');

/** Whether it belongs to a company of others, or to one that the operator was a member of. */
export const isForeignCompany = (error: unknown): boolean => hasCode(error, 'cross_company');

/** Whether a link was used, has expired, or was replaced. */
export const isInvalidLink = (error: unknown): boolean => hasCode(error, 'invalid_one_time_token');

/** Whether the instance has an administrator already. */
export const isAlreadySetUp = (error: unknown): boolean => hasCode(error, 'already_set_up');

/** Whether the instance accepts no passwords. */
export const isWithoutPasswords = (error: unknown): boolean =>
  hasCode(error, 'local_login_disabled');

/** Whether the note exists but was deleted. */
export const isDeleted = (error: unknown): boolean => hasCode(error, 'note_deleted');

/** Whether the note has another version than the one that the request was about. */
export const isChangedSince = (error: unknown): boolean => hasCode(error, 'precondition_failed');

/** Whether an app requests something else than what its consent page shows. */
export const isConsentChanged = (error: unknown): boolean => hasCode(error, 'consent_changed');

/** Whether the request of an app was decided, or is too old. */
export const isConsentOver = (error: unknown): boolean => hasCode(error, 'consent_expired');

/** Whether the operator's role, or that the company is archived, does not allow it. */
export const isWriteRefused = (error: unknown): boolean =>
  hasCode(error, 'role_insufficient', 'company_archived');

/** Whether the operator reaches only some folders, and what was requested is not in them, or is about all notes. */
export const isNotGranted = (error: unknown): boolean => hasCode(error, 'folder_not_granted');

/** The newest version of a note that a write was refused for. */
export const currentNoteIn = (error: unknown): Schema<'NoteData'> | undefined =>
  error instanceof ProblemError
    ? (error.problem['current'] as Schema<'NoteData'> | undefined)
    : undefined;

/** When to retry after a 429, for display; null for any other error. */
export const retryText = (error: unknown): string | null => {
  if (!(error instanceof ProblemError) || error.status !== 429) {
    return null;
  }
  const seconds = error.retryAfterSeconds;
  if (seconds === null) {
    return 'Too many attempts. Try again later.';
  }
  return seconds < 90
    ? `Too many attempts. Try again in ${seconds} seconds.`
    : `Too many attempts. Try again in ${Math.ceil(seconds / 60)} minutes.`;
};

/** After how many seconds the server, which had too many requests, takes the same one again; null if it does not say. */
export const requestedPause = (error: unknown): number | null =>
  error instanceof ProblemError && error.status === 429 ? error.retryAfterSeconds : null;

/** The pause after which pages load again what the server was not available for. */
export const unavailableRetryMs = 5_000;

/** The `refetchInterval` of every query: what the server was not available for is loaded again. */
export const retryUnavailable = ({
  state: { status, error },
}: {
  readonly state: { readonly status: string; readonly error: unknown };
}): number | false => (status === 'error' && isUnavailable(error) ? unavailableRetryMs : false);

/** Whether the server did not respond, or says that it is unavailable for now. */
export const isUnavailable = (error: unknown): boolean =>
  error instanceof ProblemError
    ? [429, 502, 503, 504].includes(error.status)
    : error instanceof TypeError ||
      (error instanceof DOMException && error.name === 'TimeoutError');
