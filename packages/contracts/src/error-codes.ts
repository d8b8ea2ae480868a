/**
 * The table of errors: every `code` a problem may have, its HTTP status and its title.
 *
 * Clients may depend on codes; titles and details are for people and may change.
 * The status mapping follows docs/contract.md section 3 and RFC 9110.
 */
export const errorCodes = {
  /** A parameter, query or body does not match its schema; `errors` lists every path. */
  validation_failed: { status: 400, title: 'The request is not valid' },
  /** The body is not JSON, not UTF-8, or nested deeper than 256 levels. */
  malformed_json: { status: 400, title: 'The body is not valid JSON' },
  /** A target that two parsers could understand differently: encoded slashes, dot segments, NUL. */
  ambiguous_target: { status: 400, title: 'The request target is ambiguous' },
  /** The received bytes are no HTTP request. */
  malformed_request: { status: 400, title: 'The request is malformed' },
  /** A header that must be single or well-formed is not. */
  malformed_header: { status: 400, title: 'A header is malformed' },
  /** The caller belongs to several companies and named none. */
  company_required: { status: 400, title: 'Name a company with X-Company-Id' },
  /** No credential on a route that needs one. */
  credential_required: { status: 401, title: 'A credential is required' },
  /** An invalid bearer (RFC 6750). */
  invalid_token: { status: 401, title: 'The bearer token is not valid' },
  /** A session cookie without an active session. */
  session_expired: { status: 401, title: 'The session has ended' },
  /** Login: unknown email or wrong password, deliberately the same response. */
  invalid_credentials: { status: 401, title: 'Email or password is wrong' },
  /** The password is right; `challenge` is for `POST /api/auth/login/second-factor`. */
  second_factor_required: { status: 401, title: 'A code is required' },
  invalid_code: { status: 401, title: 'The code is wrong' },
  /** Also for a passkey that is unknown, of a disabled account, or whose counter went back. */
  invalid_passkey: { status: 401, title: 'The passkey was not accepted' },
  /** The challenge of a sign-in is unknown, used, expired, or of another network. */
  challenge_expired: { status: 401, title: 'Start signing in again' },
  /** The invite is for an existing account; sign in as it first. */
  sign_in_first: { status: 401, title: 'Sign in to accept this invite' },
  /** Passwords are switched off (`LOCAL_LOGIN=off`). */
  local_login_disabled: { status: 403, title: 'Sign in with single sign-on' },
  /** The attempt is of another browser, older than ten minutes, or was used. */
  oidc_attempt_invalid: { status: 400, title: 'This sign-in has expired or was used' },
  /** The person or the provider declined, or its response is not valid. */
  oidc_refused: { status: 403, title: 'The identity provider did not confirm the sign-in' },
  /** Accounts are created for verified emails only. */
  oidc_email_unverified: {
    status: 403,
    title: 'The identity provider has not verified the email',
  },
  /** Nobody invited or linked this identity. */
  oidc_not_linked: { status: 403, title: 'No account is linked to this identity' },
  /** The account is never taken over; its operator links the identity. */
  oidc_account_exists: { status: 409, title: 'Link the identity in the account first' },
  /** The verified email of the identity is not that of the invite. */
  invite_for_another_email: { status: 403, title: 'The invite is for another email' },
  identity_linked: { status: 409, title: 'The identity is linked to another account' },
  identity_limit: { status: 409, title: 'The account already has 20 identities' },
  last_sign_in_method: { status: 409, title: 'An account must keep a way to sign in' },
  /** The logout token of the provider is not valid, expired, or was used. */
  invalid_logout_token: { status: 400, title: 'The logout token is not valid' },
  oidc_unavailable: { status: 503, title: 'The identity provider is unavailable' },
  /** The setup or invite token is unknown, used or expired. */
  invalid_one_time_token: { status: 401, title: 'The one-time token is not valid' },
  /** A request to a service without the gateway's signed identity. */
  identity_required: { status: 401, title: 'A signed identity is required' },
  /** The entity or company belongs to another company. */
  cross_company: { status: 403, title: 'The entity belongs to another company' },
  /** The operator's role in the company does not allow this. */
  role_insufficient: { status: 403, title: 'Your role does not allow this' },
  /** Only operators may do this. */
  operator_only: { status: 403, title: 'Only operators may do this' },
  /** Only agents may do this. */
  agent_only: { status: 403, title: 'Only agents may do this' },
  /** The consent page was shown to another operator first. */
  consent_of_another_operator: { status: 403, title: 'Another operator began this consent' },
  /** Only instance administrators may do this. */
  administrator_only: { status: 403, title: 'Only administrators may do this' },
  /** The operator last proved who they are more than 15 minutes ago: `POST /api/auth/reauthenticate`. */
  reauthentication_required: { status: 403, title: 'Confirm that it is you' },
  /** This instance requires a second factor and the operator has none: it may only set one up. */
  second_factor_enrolment_required: { status: 403, title: 'Set up a second factor first' },
  /** An agent may do this only for itself, or only with its API key or its own run's token. */
  not_own_agent: { status: 403, title: 'An agent may do this only for itself' },
  /** The credential of the agent lacks the scope of the route; the problem names it in `scope`. */
  insufficient_scope: { status: 403, title: 'The credential lacks a scope' },
  /** The grants of the credential do not reach the folder. */
  folder_not_granted: { status: 403, title: 'The folder is not granted' },
  /** Changes here are proposals, and this is none that a proposal can say: a deletion, for instance. */
  proposal_not_possible: { status: 403, title: 'This cannot be proposed' },
  /** Changes here are proposals, and the client of a synchronisation does not say that it knows them. */
  proposals_only: { status: 403, title: 'Changes here are proposals' },
  /** A proposal is decided by somebody else. */
  own_proposal: { status: 403, title: 'The proposal is your own' },
  /** A run token cannot do this; the agent's API key can. */
  key_required: { status: 403, title: 'Use the API key of the agent' },
  /** A browser on another site sent this request. */
  cross_site_request: { status: 403, title: 'The request comes from another site' },
  /** Local trusted mode: the request came through a proxy or tunnel. */
  forwarded_request: {
    status: 403,
    title: 'Forwarded requests are rejected in local trusted mode',
  },
  /** No such entity, in any company. */
  not_found: { status: 404, title: 'Not found' },
  /** The note existed and is a tombstone now. */
  note_deleted: { status: 404, title: 'The note was deleted' },
  /** No route has this path. */
  route_not_found: { status: 404, title: 'No such route' },
  method_not_allowed: { status: 405, title: 'Method not allowed' },
  not_acceptable: { status: 406, title: 'Not acceptable' },
  request_timeout: { status: 408, title: 'The request took too long to arrive' },
  agent_paused: { status: 409, title: 'The agent is paused' },
  agent_terminated: { status: 409, title: 'The agent is terminated' },
  company_archived: { status: 409, title: 'The company is archived' },
  budget_exhausted: { status: 409, title: 'The budget of the month is exhausted' },
  embeddings_not_configured: {
    status: 409,
    title: 'This server has no service for search by meaning',
  },
  agent_limit: { status: 409, title: 'The company has reached its limit of agents' },
  run_limit: { status: 409, title: 'The agent has reached its limit of running runs' },
  run_finished: { status: 409, title: 'The run has already ended' },
  last_owner: { status: 409, title: 'A company must keep an owner' },
  key_limit: { status: 409, title: 'The agent already has 10 active keys' },
  connection_limit: { status: 409, title: 'The agent already has 50 active connections' },
  /** The connection was ended, or has expired: the client needs a new consent. */
  connection_ended: { status: 409, title: 'The connection has ended' },
  invite_limit: { status: 409, title: 'The company already has 1000 open invites' },
  key_not_live: { status: 409, title: 'The key is revoked, expired or replaced' },
  already_member: { status: 409, title: 'Already a member of this company' },
  operator_exists: { status: 409, title: 'An operator with this email already exists' },
  second_factor_exists: { status: 409, title: 'An authenticator app is set up already' },
  second_factor_not_configured: {
    status: 409,
    title: 'This instance has no SECOND_FACTOR_SECRETS',
  },
  passkeys_unavailable: { status: 409, title: 'This instance has no name for passkeys' },
  passkey_limit: { status: 409, title: 'You already have 20 passkeys' },
  already_set_up: { status: 409, title: 'The first operator already exists' },
  /** A handover is for accounts of others. */
  own_account: { status: 409, title: 'Not for your own account' },
  last_administrator: { status: 409, title: 'An instance must keep an administrator' },
  local_trusted: { status: 409, title: 'Not available in local trusted mode' },
  /** A `mutationId` or an `Idempotency-Key` identifies one change. */
  mutation_id_reused: { status: 409, title: 'This mutationId was used for another change' },
  /** An edit does not fit the present content; `edit` is its index, beside `found` or `candidates`. */
  edit_not_applicable: { status: 409, title: 'The edit does not fit the note' },
  /** Several notes have this title in this folder; `candidates` names them. */
  ambiguous: { status: 409, title: 'More than one note matches' },
  /** A note of this title is in the folder already; `existing` is its id. */
  title_exists: { status: 409, title: 'The folder has a note of this title' },
  /** What others wrote meanwhile overlaps: `current` is the note, `proposed` what was proposed. */
  proposal_conflict: { status: 409, title: 'The note has changed where the proposal changes it' },
  /** `state` says what became of it. */
  proposal_decided: { status: 409, title: 'The proposal is no longer open' },
  /** 1,000 open proposals of a company, 100 of an agent. */
  proposal_limit: { status: 409, title: 'There are too many open proposals' },
  job_finished: { status: 409, title: 'The job has already ended' },
  /** The app requests something else than what the consent page showed; read it again. */
  consent_changed: { status: 409, title: 'What the app requests has changed' },
  /** The consent is of another browser, was given or refused already, or is older than an hour. */
  consent_expired: { status: 410, title: 'Start connecting again in the app' },
  /** The sync cursor cannot be used any more: pull again without one. */
  cursor_expired: { status: 410, title: 'The cursor has expired' },
  precondition_failed: { status: 412, title: 'The precondition failed' },
  body_too_large: { status: 413, title: 'The body is too large' },
  target_too_long: { status: 414, title: 'The request target is too long' },
  unsupported_media_type: { status: 415, title: 'The body must be application/json' },
  expectation_failed: { status: 417, title: 'The expectation cannot be met' },
  misdirected_request: { status: 421, title: 'The request was sent to the wrong host' },
  manager_cycle: { status: 422, title: 'The chain of command would form a cycle' },
  manager_not_in_company: { status: 422, title: 'The manager is not an agent of this company' },
  manager_terminated: { status: 422, title: 'The manager is terminated' },
  chain_too_deep: { status: 422, title: 'The chain of command would be deeper than 32' },
  weak_password: { status: 422, title: 'The password is too weak' },
  rate_limited: { status: 429, title: 'Too many requests' },
  login_throttled: { status: 429, title: 'Too many sign-in attempts' },
  headers_too_large: { status: 431, title: 'The headers are too large' },
  unexpected_failure: { status: 500, title: 'An unexpected error occurred' },
  bad_upstream: { status: 502, title: 'A service sent an invalid response' },
  service_unavailable: { status: 503, title: 'The service is temporarily unavailable' },
  busy: { status: 503, title: 'The server is too busy; retry later' },
  upstream_timeout: { status: 504, title: 'A service did not respond in time' },
} as const satisfies Record<string, { status: number; title: string }>;

/** A stable snake_case name of an error. */
export type ErrorCode = keyof typeof errorCodes;
