/** What a person can do about a refusal of single sign-on, by its code. */
export const signInProblems: Readonly<Record<string, string>> = {
  oidc_attempt_invalid:
    'This sign-in took too long, was used already, or began in another browser. Start again.',
  oidc_refused: 'The identity provider did not confirm the sign-in. Try again.',
  oidc_email_unverified:
    'Your identity provider has not verified your email address. Verify it there, then try again.',
  oidc_not_linked:
    'No account is linked to this identity. Get an invite, or sign in another way and link the identity in your account.',
  oidc_account_exists:
    'There is an account with your email address. Sign in to it another way, then link the identity in your account.',
  oidc_unavailable: 'The identity provider does not respond as it should. Try again in a moment.',
  invite_for_another_email:
    'The invite is for another email address than that of your identity. Use the one that was invited.',
  invalid_one_time_token: 'The invite was used, was withdrawn or has expired. Request a new one.',
  already_member: 'You are a member of this company already. Sign in.',
  invalid_credentials: 'The account is disabled or has changed. Contact an administrator.',
  identity_linked: 'This identity is linked to another account.',
  identity_limit: 'Your account has 20 identities already. Unlink one first.',
  session_expired: 'Your session ended before the identity was linked. Sign in and try again.',
  reauthentication_required:
    'Your sign-in is too long ago to link an identity. Confirm that it is you, then try again.',
  second_factor_enrolment_required:
    'This instance requires a second factor. Sign in with one, at the provider or with a passkey, then open the invite, or link the identity, again.',
  validation_failed: 'The link to this sign-in was not valid. Sign in here instead.',
  not_found: 'Single sign-on is not set up on this instance.',
  busy: 'Too many people sign in at this moment. Try again in a moment.',
  service_unavailable: 'Commonplace does not respond. Try again in a moment.',
  login_throttled: 'Too many sign-ins from your network. Try again in a minute.',
  local_trusted: 'This instance runs in local trusted mode: there is nothing to sign in to.',
};
