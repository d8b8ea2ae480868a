import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { ProblemError } from '@commonplace/client';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { consentQuery, type ConsentRequest } from '../../api/consent-query.ts';
import { isConsentOver } from '../../api/problems.ts';
import { sessionQuery } from '../../api/session-queries.ts';
import { useSignOut } from '../../app/session/use-sign-out.ts';
import { Dialogs } from '../../app/shell/dialogs.tsx';
import { PublicLayout } from '../../app/shell/public-layout.tsx';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { ConsentForm } from './consent-form.tsx';

/** Lets an app use the notes of a company as an agent, or refuses it. */
export const ConsentPage = () => {
  const { uid } = useParams({ from: '/connect/consent/$uid' });
  const { data, error, isPending, refetch } = useQuery(consentQuery(uid));
  // What was decided meanwhile is no longer offered.
  const consent = isConsentOver(error) ? undefined : data;
  return (
    <PublicLayout
      title={consent ? `Connect ${consent.client.host}` : 'Connect an app'}
      text="The app will act as an agent of the company that you choose."
    >
      {error && <Refused error={error} onRetry={() => void refetch()} />}
      {isPending && <Text size="sm">Loading…</Text>}
      {consent && (
        <Stack>
          <SignedInAs restart={consent.restart} />
          <RequestingApp client={consent.client} />
          <ConsentForm uid={uid} consent={consent} />
        </Stack>
      )}
      <Dialogs />
    </PublicLayout>
  );
};

/** Whose rights the connection takes, which nothing else on this page says. */
const SignedInAs = ({ restart }: Pick<ConsentRequest, 'restart'>) => {
  const { data: session } = useSuspenseQuery(sessionQuery);
  const signOut = useSignOut(restart);
  return session.mode === 'authenticated' ? (
    <Group justify="space-between" gap="xs">
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        You are signed in as <b>{session.operator.email}</b>.
      </Text>
      <Button
        size="xs"
        variant="default"
        loading={signOut.isPending}
        onClick={() => signOut.mutate()}
      >
        Use another account
      </Button>
    </Group>
  ) : null;
};

/** The host is known; the name is what the app calls itself. */
const RequestingApp = ({ client }: { readonly client: ConsentRequest['client'] }) => (
  <Stack gap="sm" style={{ overflowWrap: 'anywhere' }}>
    {client.name !== null && (
      <Text size="sm">
        The app calls itself “{client.name}”.{' '}
        {!client.isNamedByHost && 'Nobody has checked that name.'}
      </Text>
    )}
    {client.isLoopback ? (
      <Alert role="note" color="yellow" title="An app on this computer">
        Access goes to {client.redirectHost}, a program on this computer. Any program here can claim
        to be this app: continue only if you started to connect it just now.
      </Alert>
    ) : (
      <Text size="sm">
        Afterwards your browser goes to <b>{client.redirectHost}</b>. Continue only if you started
        to connect it there.
      </Text>
    )}
  </Stack>
);

type RefusedProps = { readonly error: unknown; readonly onRetry: () => void };

const Refused = ({ error, onRetry }: RefusedProps) => {
  const code = error instanceof ProblemError ? error.code : null;
  // What is not an identifier at all is an address that was cut off.
  return isConsentOver(error) || code === 'validation_failed' ? (
    <Alert role="alert" color="yellow">
      This request is over: it was decided, it is older than an hour, or it began in another
      browser. Start again in the app.
    </Alert>
  ) : code === 'consent_of_another_operator' ? (
    <Alert role="alert" color="yellow">
      Another operator opened this request in this browser. Start again in the app.
    </Alert>
  ) : (
    <ErrorAlert error={error} onRetry={onRetry} />
  );
};
