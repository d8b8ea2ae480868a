import { Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { api } from '../api/api.ts';
import { challengeIn, retryText } from '../api/problems.ts';
import { PublicLayout } from '../app/public-layout.tsx';
import { usePostSignIn } from '../app/use-post-sign-in.ts';
import { ErrorAlert } from '../components/error-alert.tsx';
import { LoginCode } from './login-code.tsx';
import { PasskeyButton } from './passkey-button.tsx';

type Account = { email: string; password: string };

/** The login page: the password, then a code if the account needs one, or a passkey. */
export const LoginPage = () => {
  const { next } = useSearch({ from: '/login' });
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
      <form onSubmit={form.onSubmit((values) => signIn.mutate(values))}>
        <Stack>
          {signIn.isError && (
            <ErrorAlert error={signIn.error}>{retryText(signIn.error)}</ErrorAlert>
          )}
          <AccountFields form={form} />
          <Button type="submit" loading={signIn.isPending} fullWidth>
            Sign in
          </Button>
          <PasskeyButton onSignedIn={onSignedIn} />
        </Stack>
      </form>
    </PublicLayout>
  );
};

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
