import { Alert, Button, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { api } from '../../api/api.ts';
import { setupTokenQuery } from '../../api/invite-query.ts';
import { isAlreadySetUp, isInvalidLink, isWithoutPasswords } from '../../api/problems.ts';
import { signInOptionsQuery } from '../../api/sign-in-options-query.ts';
import { useOneTimeToken } from '../../app/session/one-time-token.ts';
import { PublicLayout } from '../../app/shell/public-layout.tsx';
import { usePostSignIn } from '../../app/session/use-post-sign-in.ts';
import { EmailInput } from '../../components/email-input.tsx';
import { Form } from '../../components/form.tsx';
import { FormError } from '../../components/form-error.tsx';
import { ButtonLink } from '../../components/links.tsx';
import { NewAccountFields, passwordProblem } from '../../components/new-account-fields.tsx';
import { FailedLoad } from '../../components/failed-load.tsx';
import { PasskeyPlace } from '../../components/passkey-place.tsx';
import { IncompleteLink } from './incomplete-link.tsx';

/** The page of the setup link, which the first start prints: creates the first operator. */
export const SetupPage = () => {
  const token = useOneTimeToken();
  const { data: options } = useSuspenseQuery(signInOptionsQuery);
  const openConsole = usePostSignIn();
  const form = useForm({
    initialValues: { email: '', name: '', password: '' },
    validate: { password: passwordProblem },
  });
  const setUp = useMutation({
    mutationFn: (account: typeof form.values) =>
      api.post('/api/auth/setup', { body: { token, ...account } }),
    onSuccess: () => openConsole(),
  });
  const isRefused = isAlreadySetUp(setUp.error);
  const check = useQuery({ ...setupTokenQuery(token), enabled: token !== '' && !options.isSetUp });
  if (options.isSetUp || isRefused) {
    return <AlreadySetUp isRefused={isRefused} />;
  }
  return (
    <PublicLayout
      title="Set up Commonplace"
      text="Create the first account. It will be an administrator."
    >
      {token === '' ? (
        <IncompleteLink full="that Commonplace printed when it started" />
      ) : isInvalidLink(check.error) || isInvalidLink(setUp.error) ? (
        <ReplacedLink />
      ) : isWithoutPasswords(check.error) ? (
        <NoPasswords />
      ) : check.isLoading ? null : (
        <Form isSaving={setUp.isPending} onSubmit={form.onSubmit((values) => setUp.mutate(values))}>
          <Stack>
            <FailedLoad query={check} />
            <FormError form={form} error={setUp.error} />
            <EmailInput {...form.getInputProps('email')} />
            <NewAccountFields form={form} />
            <Button type="submit" loading={setUp.isPending} fullWidth>
              Create account
            </Button>
            <PasskeyPlace />
          </Stack>
        </Form>
      )}
    </PublicLayout>
  );
};

const ReplacedLink = () => (
  <Alert role="alert" color="yellow">
    This link is not valid any more: each start makes a new one. The newest is at the end of what
    Commonplace printed when it started, in its log.
  </Alert>
);

const NoPasswords = () => (
  <Alert role="alert" color="yellow">
    This instance accepts no passwords. Its server makes the first account:{' '}
    <code>pnpm operator create</code>.
  </Alert>
);

type AlreadySetUpProps = {
  /** The instance was set up by another person after the form was shown. */
  readonly isRefused: boolean;
};

const AlreadySetUp = ({ isRefused }: AlreadySetUpProps) => (
  <PublicLayout title="Already set up" text="The setup link works once, for the first account.">
    <Stack>
      <Text size="sm" role="status">
        {isRefused && 'No account was created. '}
        Sign in with yours, or have an administrator invite you.
      </Text>
      <ButtonLink to="/login">Sign in</ButtonLink>
    </Stack>
  </PublicLayout>
);
