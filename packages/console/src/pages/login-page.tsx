import { Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { api } from '../api/api.ts';
import { retryText } from '../api/retry-text.ts';
import { PublicFrame } from '../app/public-frame.tsx';
import { useEnter } from '../app/use-enter.ts';
import { ErrorAlert } from '../components/error-alert.tsx';

/** Where operators sign in. */
export const LoginPage = () => {
  const { next } = useSearch({ from: '/login' });
  const enter = useEnter();
  const form = useForm({ initialValues: { email: '', password: '' } });
  const signIn = useMutation({
    mutationFn: (body: typeof form.values) => api.post('/api/auth/login', { body }),
    onSuccess: () => enter(next),
  });
  return (
    <PublicFrame
      title="Sign in"
      text={next === undefined ? undefined : 'Sign in to go on where you were.'}
    >
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
    </PublicFrame>
  );
};
