import { Alert, Button, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { ProblemError } from '@commonplace/client';
import { useMutation } from '@tanstack/react-query';
import { api } from '../api/api.ts';
import { useOneTimeToken } from '../app/one-time-token.ts';
import { PublicFrame } from '../app/public-frame.tsx';
import { useEnter } from '../app/use-enter.ts';
import { ErrorAlert } from '../components/error-alert.tsx';
import { ButtonLink, TextLink } from '../components/links.tsx';
import { NewAccountFields, passwordProblem } from '../components/new-account-fields.tsx';

type Account = { readonly name: string; readonly password: string };

/** Where an invite leads: somebody new makes an account, everybody else joins with theirs. */
export const InvitePage = () => {
  const token = useOneTimeToken();
  const enter = useEnter();
  const accept = useMutation({
    mutationFn: (account?: Account) =>
      api.post('/api/auth/invites/accept', { body: { token, ...account } }),
    onSuccess: ({ data }) => enter(`/companies/${data.membership.companyId}`),
  });
  return (
    <PublicFrame title="Join a company" text="You were invited to work in Commonplace.">
      {token === '' ? (
        <Alert role="alert" color="yellow">
          This address has no token. Open the whole link of your invite, or{' '}
          <TextLink to="/login">sign in</TextLink>.
        </Alert>
      ) : (
        <Stack>
          {accept.isError && <Refusal error={accept.error} />}
          <NewAccountForm onSubmit={accept.mutate} isPending={accept.isPending} />
          <Button
            variant="default"
            disabled={accept.isPending}
            onClick={() => accept.mutate(undefined)}
          >
            I have an account already
          </Button>
        </Stack>
      )}
    </PublicFrame>
  );
};

type NewAccountFormProps = {
  readonly onSubmit: (account: Account) => void;
  readonly isPending: boolean;
};

const NewAccountForm = ({ onSubmit, isPending }: NewAccountFormProps) => {
  const form = useForm({
    initialValues: { name: '', password: '' },
    validate: { password: passwordProblem },
  });
  return (
    <form onSubmit={form.onSubmit(onSubmit)}>
      <Stack>
        <NewAccountFields form={form} />
        <Button type="submit" loading={isPending} fullWidth>
          Create account and join
        </Button>
      </Stack>
    </form>
  );
};

/** An existing account joins only while it is signed in: to the login, and back to this invite. */
const Refusal = ({ error }: { readonly error: Error }) =>
  error instanceof ProblemError && error.code === 'sign_in_first' ? (
    <Alert role="alert" color="yellow" title="Sign in first">
      <Stack gap="sm" align="start">
        This invite is for somebody who has an account. Sign in with it, then join.
        <ButtonLink to="/login" search={{ next: '/invite' }} size="xs">
          Go to sign in
        </ButtonLink>
      </Stack>
    </Alert>
  ) : (
    <ErrorAlert error={error} />
  );
