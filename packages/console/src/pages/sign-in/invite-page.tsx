import { Alert, Button, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { ProblemError, type Schema } from '@commonplace/client';
import { useMutation, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { api } from '../../api/api.ts';
import { inviteQuery } from '../../api/invite-query.ts';
import { isInvalidLink } from '../../api/problems.ts';
import { signInOptionsQuery } from '../../api/sign-in-options-query.ts';
import { visitorQuery } from '../../api/visitor-query.ts';
import { useOneTimeToken } from '../../app/session/one-time-token.ts';
import { PublicLayout } from '../../app/shell/public-layout.tsx';
import { usePostSignIn } from '../../app/session/use-post-sign-in.ts';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { FailedLoad } from '../../components/failed-load.tsx';
import { ButtonLink } from '../../components/links.tsx';
import { NewAccountFields, passwordProblem } from '../../components/new-account-fields.tsx';
import { PasskeyPlace } from '../../components/passkey-place.tsx';
import { describeGrants } from '../agents/grant-choice.ts';
import { IncompleteLink } from './incomplete-link.tsx';
import { Form } from '../../components/form.tsx';

type Account = { readonly name: string; readonly password: string };

/** The page of an invite link: joins with a new or an existing account. */
export const InvitePage = () => {
  const token = useOneTimeToken();
  const { data: visitor } = useSuspenseQuery(visitorQuery);
  const { data: options } = useSuspenseQuery(signInOptionsQuery);
  const invite = useQuery({ ...inviteQuery(token), enabled: token !== '' });
  const accept = useAccept(token);
  return (
    <PublicLayout
      title={invite.data ? `Join ${invite.data.companyName}` : 'Join a company'}
      text={
        invite.data ? <InviteText invite={invite.data} /> : 'You have been invited to Commonplace.'
      }
    >
      {token === '' ? (
        <IncompleteLink full="of your invite" />
      ) : isInvalidLink(invite.error) ? (
        <InvalidInvite />
      ) : visitor && invite.data && isSameEmail(visitor, invite.data) ? (
        <JoinAs
          name={visitor.name}
          error={accept.error}
          isPending={accept.isPending}
          onJoin={() => accept.mutate(undefined)}
        />
      ) : invite.data?.isUsed ? (
        <UsedInvite email={invite.data.email} />
      ) : (
        <Stack>
          <FailedLoad query={invite} />
          {accept.isError && (
            <AcceptError error={accept.error} hasTriedNew={accept.variables !== undefined} />
          )}
          {visitor && invite.data && <ForAnother email={visitor.email} />}
          {options.localLogin && (
            <NewAccountForm onSubmit={accept.mutate} isPending={accept.isPending} />
          )}
          {options.oidc && (
            <OidcAccept token={token} name={options.oidc.name} isFirst={!options.localLogin} />
          )}
          <HasAccount
            hasSession={visitor !== null}
            isPending={accept.isPending}
            onJoin={() => accept.mutate(undefined)}
          />
        </Stack>
      )}
    </PublicLayout>
  );
};

/** Joins, and opens the company. */
const useAccept = (token: string) => {
  const openConsole = usePostSignIn();
  return useMutation({
    mutationFn: (account?: Account) =>
      api.post('/api/auth/invites/accept', { body: { token, ...account } }),
    onSuccess: ({ data }) => openConsole(`/companies/${data.membership.companyId}`),
  });
};

type JoinAsProps = {
  readonly name: string;
  readonly error: Error | null;
  readonly isPending: boolean;
  readonly onJoin: () => void;
};

/** Whom the invite is for needs no account: there is one. */
const JoinAs = ({ name, error, isPending, onJoin }: JoinAsProps) => (
  <Stack>
    {error && <ErrorAlert error={error} />}
    <Button loading={isPending} onClick={onJoin}>
      Join as {name}
    </Button>
  </Stack>
);

type HasAccountProps = Pick<JoinAsProps, 'isPending' | 'onJoin'> & {
  readonly hasSession: boolean;
};

/** Without a session it leads to the sign-in and back; with one the server says whether it may join. */
const HasAccount = ({ hasSession, isPending, onJoin }: HasAccountProps) =>
  hasSession ? (
    <Button variant="default" disabled={isPending} onClick={onJoin}>
      I already have an account
    </Button>
  ) : (
    <ButtonLink to="/login" search={{ next: '/invite' }} variant="default">
      I already have an account
    </ButtonLink>
  );

const ForAnother = ({ email }: WithEmail) => (
  <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
    You are signed in as <b>{email}</b>. This invite is for another email.
  </Text>
);

type WithEmail = { readonly email: string };

const isSameEmail = (one: WithEmail, other: WithEmail): boolean =>
  one.email.toLowerCase() === other.email.toLowerCase();

const InvalidInvite = () => (
  <Stack>
    <Alert role="alert" color="yellow">
      This invite has expired, or was withdrawn. The person who invited you can send a new one.
    </Alert>
    <ButtonLink to="/login" variant="default">
      Sign in
    </ButtonLink>
  </Stack>
);

const UsedInvite = ({ email }: WithEmail) => (
  <Stack>
    <Alert role="alert" color="yellow" style={{ overflowWrap: 'anywhere' }}>
      This invite was used: the account of {email} has joined.
    </Alert>
    <ButtonLink to="/login" search={{ next: '/invite' }} variant="default">
      Sign in
    </ButtonLink>
  </Stack>
);

/** Who invited whom, as what, and which notes it reaches, unless all. */
const InviteText = ({ invite }: { readonly invite: Schema<'InviteDescription'> }) => (
  <>
    {invite.inviterName ?? 'An owner'} invited <strong>{invite.email}</strong> as{' '}
    <strong>{invite.role}</strong>: {meanings[invite.role]}.
    {invite.grants !== null && ` Access is limited to: ${describeGrants(invite.grants)}.`}
  </>
);

const meanings = {
  owner: 'can change everything, including members and settings',
  operator: 'can change agents, keys, runs and notes',
  viewer: 'can read, but not change anything',
} satisfies Record<Schema<'InviteDescription'>['role'], string>;

type OidcAcceptProps = {
  readonly token: string;
  readonly name: string;
  readonly isFirst: boolean;
};

/** Joins with the identity at the provider whose verified email was invited. */
const OidcAccept = ({ token, name, isFirst }: OidcAcceptProps) => {
  const begin = useMutation({
    mutationFn: () => api.post('/api/auth/invites/oidc', { body: { token } }),
    onSuccess: ({ data }) => location.assign(data.url),
  });
  return (
    <>
      {begin.isError && <ErrorAlert error={begin.error} />}
      <Button
        variant={isFirst ? 'filled' : 'default'}
        loading={begin.isPending || begin.isSuccess}
        onClick={() => begin.mutate()}
      >
        Join with {name}
      </Button>
    </>
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
    <Form isSaving={isPending} onSubmit={form.onSubmit(onSubmit)}>
      <Stack>
        <NewAccountFields form={form} />
        <Button type="submit" loading={isPending} fullWidth>
          Create account and join
        </Button>
        <PasskeyPlace />
      </Stack>
    </Form>
  );
};

type AcceptErrorProps = {
  readonly error: Error;
  /** Whether a new account was refused: then the invited email has one. */
  readonly hasTriedNew: boolean;
};

/** Who has an account signs in to join: links to the login page and back. */
const AcceptError = ({ error, hasTriedNew }: AcceptErrorProps) =>
  error instanceof ProblemError && error.code === 'sign_in_first' ? (
    <Alert
      role="alert"
      color="yellow"
      title={hasTriedNew ? 'There is an account already' : 'Sign in first'}
    >
      <Stack gap="sm" align="start">
        {hasTriedNew
          ? 'The invited email has an account, so none was created. If this invite was used before, that account has joined. Sign in.'
          : 'Sign in with the invited email, then join. Without an account, create one here.'}
        <ButtonLink to="/login" search={{ next: '/invite' }} size="xs">
          Go to sign in
        </ButtonLink>
      </Stack>
    </Alert>
  ) : (
    <ErrorAlert error={error} />
  );
