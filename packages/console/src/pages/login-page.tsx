import { Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import type { Schema } from '@commonplace/client';
import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { api } from '../api/api.ts';
import { challengeIn, retryText } from '../api/problems.ts';
import { sessionQuery } from '../api/session-queries.ts';
import { signInOptionsQuery } from '../api/sign-in-options-query.ts';
import { PublicLayout } from '../app/public-layout.tsx';
import { safeNext } from '../app/safe-next.ts';
import { usePostSignIn } from '../app/use-post-sign-in.ts';
import { ErrorAlert } from '../components/error-alert.tsx';
import { TextLink } from '../components/links.tsx';
import { SignInProblem } from '../components/sign-in-problem.tsx';
import { LoginCode } from './login-code.tsx';
import { PasskeyButton } from './passkey-button.tsx';

type Account = { email: string; password: string };

/**
 * The login page: what this instance offers of password, single sign-on and passkeys; a code follows if the
 * account needs one.
 */
export const LoginPage = () => {
  const { next, error } = useSearch({ from: '/login' });
  const { data: options } = useSuspenseQuery(signInOptionsQuery);
  // Only somebody whose new sign-in was refused sees this page with a session.
  const hasSession = useQueryClient().getQueryData(sessionQuery.queryKey) !== undefined;
  const openConsole = usePostSignIn();
  const onSignedIn = () => openConsole(next);
  const form = useForm<Account>({ initialValues: { email: '', password: '' } });
  const signIn = useMutation({
    mutationFn: (body: Account) => api.post('/api/auth/login', { body }),
    onSuccess: onSignedIn,
  });
  const challenge = challengeIn(signIn.error);
  if (challenge !== null) {
    const onBack = () => {
      form.reset();
      signIn.reset();
    };
    return (
      <PublicLayout title="Enter your code">
        <LoginCode challenge={challenge} onSignedIn={onSignedIn} onBack={onBack} />
      </PublicLayout>
    );
  }
  return (
    <PublicLayout title="Sign in" text={next === undefined ? undefined : 'Sign in to continue.'}>
      <Stack>
        {error !== undefined && <SignInProblem code={error} />}
        {hasSession && <TextLink to="/">Go on with the session you have</TextLink>}
        {!options.localLogin && <SingleSignOn options={options} next={next} />}
        {options.localLogin && (
          <form onSubmit={form.onSubmit((values) => signIn.mutate(values))}>
            <Stack>
              {signIn.isError && (
                <ErrorAlert error={signIn.error}>{retryText(signIn.error)}</ErrorAlert>
              )}
              <AccountFields form={form} />
              <Button type="submit" loading={signIn.isPending} fullWidth>
                Sign in
              </Button>
            </Stack>
          </form>
        )}
        {options.localLogin && <SingleSignOn options={options} next={next} />}
        <PasskeyButton onSignedIn={onSignedIn} />
      </Stack>
    </PublicLayout>
  );
};

type SingleSignOnProps = {
  readonly options: Schema<'SignInOptions'>;
  readonly next: string | undefined;
};

/** Leads to the provider, if there is one. */
const SingleSignOn = ({ options: { localLogin, oidc }, next }: SingleSignOnProps) =>
  oidc && (
    <Button
      component="a"
      href={`/api/auth/oidc/start?${new URLSearchParams({ returnTo: safeNext(next) }).toString()}`}
      variant={localLogin ? 'default' : 'filled'}
      fullWidth
    >
      {oidc.name}
    </Button>
  );

const AccountFields = ({ form }: { readonly form: UseFormReturnType<Account> }) => (
  <>
    <TextInput
      label="Email"
      type="email"
      autoComplete="username"
      required
      withAsterisk={false}
      data-autofocus
      {...form.getInputProps('email')}
    />
    <PasswordInput
      label="Password"
      autoComplete="current-password"
      required
      withAsterisk={false}
      {...form.getInputProps('password')}
    />
  </>
);
