import { Alert, Button, Stack } from '@mantine/core';
import type { Schema } from '@commonplace/client';
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { sessionQuery } from '../../api/session-queries.ts';
import { signInOptionsQuery } from '../../api/sign-in-options-query.ts';
import { PublicLayout } from '../../app/shell/public-layout.tsx';
import { partingMessage } from '../../app/session/parting-message.ts';
import { isOutsideConsole, safeNext } from '../../app/session/safe-next.ts';
import { usePostSignIn } from '../../app/session/use-post-sign-in.ts';
import { TextLink } from '../../components/links.tsx';
import { SignInProblem } from '../../components/sign-in-problem.tsx';
import { LoginCode } from '../../components/login-code.tsx';
import { PasskeyButton } from '../../components/passkey-button.tsx';
import { PasskeyPlace } from '../../components/passkey-place.tsx';
import { PasswordSignIn } from '../../components/password-sign-in.tsx';

/**
 * The login page: what this instance offers of password, single sign-on and passkeys; a code follows if the
 * account needs one.
 */
export const LoginPage = () => {
  const { next, error } = useSearch({ from: '/login' });
  const { data: options } = useSuspenseQuery(signInOptionsQuery);
  // Only after a refused sign-in is this page shown with a session. One that has ended may still be cached.
  const isKnown = useQueryClient().getQueryData(sessionQuery.queryKey) !== undefined;
  const hasSession = isKnown && error !== undefined;
  const openConsole = usePostSignIn();
  const onSignedIn = () => openConsole(next);
  const [challenge, setChallenge] = useState<string | null>(null);
  if (challenge !== null) {
    const onBack = () => setChallenge(null);
    return (
      <PublicLayout title="Enter your code">
        <LoginCode challenge={challenge} onSignedIn={onSignedIn} onBack={onBack} />
      </PublicLayout>
    );
  }
  return (
    <PublicLayout title="Sign in" text={reasonFor(next)}>
      <Stack>
        <PartingMessage />
        {!options.isSetUp && (
          <Alert role="status">
            This instance has no administrator yet. Its log has the setup link, or says why there is
            none.
          </Alert>
        )}
        {error !== undefined && <SignInProblem code={error} />}
        {hasSession && (
          <TextLink to={safeNext(next)} reloadDocument={isOutsideConsole(safeNext(next))}>
            Go on with the session you have
          </TextLink>
        )}
        {!options.localLogin && (
          <SingleSignOn options={options} next={next} isFirst={!isRefusedAgain(error)} />
        )}
        {options.localLogin && (
          <PasswordSignIn onSignedIn={onSignedIn} onChallenge={setChallenge} />
        )}
        {options.localLogin && <SingleSignOn options={options} next={next} isFirst={false} />}
        <PasskeyButton onSignedIn={onSignedIn} />
        <PasskeyPlace />
      </Stack>
    </PublicLayout>
  );
};

/** Why one has to sign in, which those who come from an app have not seen yet. */
const reasonFor = (next: string | undefined): string | undefined =>
  next?.startsWith('/connect/')
    ? 'An app wants to connect. Sign in to decide about it.'
    : next === '/invite'
      ? 'Sign in with the invited email. You can join then.'
      : next === undefined
        ? undefined
        : 'Sign in to continue.';

/** What the page before had to say. It is known once that page is gone. */
const PartingMessage = () => {
  const [message, setMessage] = useState<string | null>(null);
  useEffect(() => {
    const taken = partingMessage.take();
    if (taken !== null) {
      setMessage(taken);
    }
  }, []);
  return (
    message !== null && (
      <Alert role="status" color="yellow">
        {message}
      </Alert>
    )
  );
};

type SingleSignOnProps = {
  readonly options: Schema<'SignInOptions'>;
  readonly next: string | undefined;
  /** Whether it is the main way in. */
  readonly isFirst: boolean;
};

/** The provider would confirm the same person again, and be refused again: the way in is another one. */
const isRefusedAgain = (code: string | undefined): boolean =>
  code === 'oidc_account_exists' || code === 'oidc_not_linked' || code === 'invalid_credentials';

/** Leads to the provider, if there is one. */
const SingleSignOn = ({ options: { oidc }, next, isFirst }: SingleSignOnProps) =>
  oidc && (
    <Button
      component="a"
      href={`/api/auth/oidc/start?${new URLSearchParams({ returnTo: safeNext(next) }).toString()}`}
      variant={isFirst ? 'filled' : 'default'}
      fullWidth
    >
      {oidc.name}
    </Button>
  );
