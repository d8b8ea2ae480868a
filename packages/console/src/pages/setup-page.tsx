import { Alert, Button, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { api } from '../api/api.ts';
import { useOneTimeToken } from '../app/one-time-token.ts';
import { PublicFrame } from '../app/public-frame.tsx';
import { useEnter } from '../app/use-enter.ts';
import { ErrorAlert } from '../components/error-alert.tsx';
import { TextLink } from '../components/links.tsx';
import { NewAccountFields, passwordProblem } from '../components/new-account-fields.tsx';

/** Where the link leads that is printed at the first start: makes the first operator. */
export const SetupPage = () => {
  const token = useOneTimeToken();
  const enter = useEnter();
  const form = useForm({
    initialValues: { email: '', name: '', password: '' },
    validate: { password: passwordProblem },
  });
  const setUp = useMutation({
    mutationFn: (account: typeof form.values) =>
      api.post('/api/auth/setup', { body: { token, ...account } }),
    onSuccess: () => enter(),
  });
  return (
    <PublicFrame
      title="Set up Commonplace"
      text="Make the first account. It administers this instance."
    >
      {token === '' ? (
        <Alert role="alert" color="yellow">
          This address has no token. Open the whole link that was printed when Commonplace started,
          or <TextLink to="/login">sign in</TextLink>.
        </Alert>
      ) : (
        <form onSubmit={form.onSubmit((values) => setUp.mutate(values))}>
          <Stack>
            {setUp.isError && <ErrorAlert error={setUp.error} />}
            <TextInput
              label="Email"
              type="email"
              autoComplete="username"
              required
              withAsterisk={false}
              {...form.getInputProps('email')}
            />
            <NewAccountFields form={form} />
            <Button type="submit" loading={setUp.isPending} fullWidth>
              Create account
            </Button>
          </Stack>
        </form>
      )}
    </PublicFrame>
  );
};
