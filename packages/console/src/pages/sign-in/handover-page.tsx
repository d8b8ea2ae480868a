import { Alert, Button, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { api } from '../../api/api.ts';
import { handoverQuery } from '../../api/invite-query.ts';
import { isInvalidLink } from '../../api/problems.ts';
import { signInOptionsQuery } from '../../api/sign-in-options-query.ts';
import { useOneTimeToken } from '../../app/session/one-time-token.ts';
import { PublicLayout } from '../../app/shell/public-layout.tsx';
import { usePostSignIn } from '../../app/session/use-post-sign-in.ts';
import { Form } from '../../components/form.tsx';
import { FormError } from '../../components/form-error.tsx';
import { ButtonLink, TextLink } from '../../components/links.tsx';
import { passwordProblem } from '../../components/new-account-fields.tsx';
import { FailedLoad } from '../../components/failed-load.tsx';
import { PasskeyPlace } from '../../components/passkey-place.tsx';
import { IncompleteLink } from './incomplete-link.tsx';
import { PasswordField } from '../../components/password-field.tsx';

/** The page of the link by which an administrator hands an account to its person. */
export const HandoverPage = () => {
  const token = useOneTimeToken();
  const { data: options } = useSuspenseQuery(signInOptionsQuery);
  const handover = useQuery({ ...handoverQuery(token), enabled: token !== '' });
  const email = handover.data?.email ?? null;
  return (
    <PublicLayout
      title="Take your account"
      text={
        email === null ? (
          'An administrator handed an account to you.'
        ) : (
          <>
            An administrator handed the account of <strong>{email}</strong> to its person. Nobody
            else can sign in to it any more.
          </>
        )
      }
    >
      {token === '' ? (
        <IncompleteLink full="that the administrator gave you" />
      ) : isInvalidLink(handover.error) ? (
        <InvalidHandover />
      ) : handover.isLoading ? null : (
        <Stack>
          <FailedLoad query={handover} />
          {options.localLogin && <PasswordForm token={token} email={email} />}
          <PasskeyPlace />
          {options.oidc && (
            <Text size="sm">
              You can also take it by signing in with {options.oidc.name}, with the same email.{' '}
              <TextLink to="/login" inherit>
                Sign in
              </TextLink>
            </Text>
          )}
        </Stack>
      )}
    </PublicLayout>
  );
};

const InvalidHandover = () => (
  <Stack>
    <Alert role="alert" color="yellow">
      This link was used, has expired, or was replaced. An administrator can give you a new one.
    </Alert>
    <ButtonLink to="/login" variant="default">
      Sign in
    </ButtonLink>
  </Stack>
);

type PasswordFormProps = {
  readonly token: string;
  /** Null while it is not known. */
  readonly email: string | null;
};

const PasswordForm = ({ token, email }: PasswordFormProps) => {
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
    <Form isSaving={take.isPending} onSubmit={form.onSubmit((values) => take.mutate(values))}>
      <Stack>
        <FormError form={form} error={take.error} />
        {email !== null && (
          // Managers of passwords store it with the new one.
          <TextInput label="Email" type="email" autoComplete="username" value={email} readOnly />
        )}
        <PasswordField
          label="New password"
          description="At least 15 characters"
          autoComplete="new-password"
          {...form.getInputProps('password')}
        />
        <Button type="submit" loading={take.isPending} fullWidth>
          Set password and sign in
        </Button>
      </Stack>
    </Form>
  );
};
