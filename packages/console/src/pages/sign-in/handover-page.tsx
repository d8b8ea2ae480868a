import { Alert, Button, PasswordInput, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useSuspenseQuery } from '@tanstack/react-query';
import { api } from '../../api/api.ts';
import { signInOptionsQuery } from '../../api/sign-in-options-query.ts';
import { useOneTimeToken } from '../../app/session/one-time-token.ts';
import { PublicLayout } from '../../app/shell/public-layout.tsx';
import { usePostSignIn } from '../../app/session/use-post-sign-in.ts';
import { FormError } from '../../components/form-error.tsx';
import { TextLink } from '../../components/links.tsx';
import { passwordProblem } from '../../components/new-account-fields.tsx';

/** The page of the link by which an administrator hands an account to its person. */
export const HandoverPage = () => {
  const token = useOneTimeToken();
  const { data: options } = useSuspenseQuery(signInOptionsQuery);
  return (
    <PublicLayout
      title="Take your account"
      text="An administrator handed this account to you. Nobody else can sign in to it any more."
    >
      {token === '' ? (
        <Alert role="alert" color="yellow">
          This link is incomplete. Open the full link that the administrator gave you, or{' '}
          <TextLink to="/login">sign in</TextLink>.
        </Alert>
      ) : (
        <Stack>
          {options.localLogin && <PasswordForm token={token} />}
          {options.oidc && (
            <Text size="sm">
              You can also take it by signing in with {options.oidc.name}, with the same email.{' '}
              <TextLink to="/login">Sign in</TextLink>
            </Text>
          )}
        </Stack>
      )}
    </PublicLayout>
  );
};

const PasswordForm = ({ token }: { readonly token: string }) => {
  const openConsole = usePostSignIn();
  const form = useForm({
    initialValues: { password: '' },
    validate: { password: passwordProblem },
  });
  const take = useMutation({
    mutationFn: ({ password }: { readonly password: string }) =>
      api.post('/api/auth/handovers/accept', { body: { token, password } }),
    onSuccess: () => openConsole(),
  });
  return (
    <form onSubmit={form.onSubmit((values) => take.mutate(values))}>
      <Stack>
        <FormError form={form} error={take.error} />
        <PasswordInput
          label="New password"
          description="At least 15 characters"
          autoComplete="new-password"
          required
          withAsterisk={false}
          {...form.getInputProps('password')}
        />
        <Button type="submit" loading={take.isPending} fullWidth>
          Set password and sign in
        </Button>
      </Stack>
    </form>
  );
};
