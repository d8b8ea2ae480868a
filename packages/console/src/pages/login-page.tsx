import { Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { api } from '../api/api.ts';
import { retryText } from '../api/problems.ts';
import { PublicLayout } from '../app/public-layout.tsx';
import { usePostSignIn } from '../app/use-post-sign-in.ts';
import { ErrorAlert } from '../components/error-alert.tsx';

/** The login page. */
export const LoginPage = () => {
  const { next } = useSearch({ from: '/login' });
  const openConsole = usePostSignIn();
  const form = useForm({ initialValues: { email: '', password: '' } });
  const signIn = useMutation({
    mutationFn: (body: typeof form.values) => api.post('/api/auth/login', { body }),
    onSuccess: () => openConsole(next),
  });
  return (
    <PublicLayout title="Sign in" text={next === undefined ? undefined : 'Sign in to continue.'}>
      <form onSubmit={form.onSubmit((values) => signIn.mutate(values))}>
        <Stack>
          {signIn.isError && (
            <ErrorAlert error={signIn.error}>{retryText(signIn.error)}</ErrorAlert>
          )}
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
          <Button type="submit" loading={signIn.isPending} fullWidth>
            Sign in
          </Button>
        </Stack>
      </form>
    </PublicLayout>
  );
};
