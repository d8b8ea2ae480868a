import { Badge, Button, Group, Paper, Stack, Text } from '@mantine/core';
import type { Schema } from '@commonplace/client';
import { notifications } from '@mantine/notifications';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/api.ts';
import { keys } from '../../api/query-keys.ts';
import { unlessGone } from '../../api/unless-gone.ts';
import { ownSessionsQuery } from '../../api/session-queries.ts';
import { reloadWhenSettled } from '../../api/reload-when-settled.ts';
import { confirm } from '../../components/confirm.tsx';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { latestError } from '../../components/latest-error.ts';
import { TextLink } from '../../components/links.tsx';
import { ListBody } from '../../components/list-body.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { shortTime } from '../../components/short-time.ts';
import { describeBrowser } from './describe-browser.ts';
import { SectionTitle } from '../../components/section-title.tsx';

type Session = Schema<'Session'>;

/** The operator's sessions, each of which can be ended. */
export const OwnSessions = ({ email }: { readonly email: string }) => {
  const query = useInfiniteQuery(ownSessionsQuery);
  const { revoke, revokeOthers } = useRevocation();
  const error = latestError(revoke, revokeOthers);
  return (
    <Paper className="panel" withBorder p="lg">
      <Stack>
        <Group justify="space-between">
          <SectionTitle>Sessions</SectionTitle>
          <Group gap="md">
            <TextLink to="/instance/activity" size="sm">
              Account changes
            </TextLink>
            <TextLink to="/sign-ins" search={{ email }} size="sm">
              Sign-in history
            </TextLink>
          </Group>
        </Group>
        {error && <ErrorAlert error={error} />}
        <ListBody query={query} found={{ noun: 'session' }} empty={null}>
          {(sessions) => (
            <>
              {sessions.map((session) => (
                <SessionRow key={session.id} session={session} onRevoke={revoke.mutate} />
              ))}
              {sessions.length > 1 && (
                <Group>
                  <Button
                    variant="default"
                    loading={revokeOthers.isPending}
                    onClick={() =>
                      confirm({
                        title: 'End all other sessions?',
                        text: 'You will be signed out everywhere except here.',
                        confirm: 'End other sessions',
                        onConfirm: () => revokeOthers.mutate(),
                      })
                    }
                  >
                    End all other sessions
                  </Button>
                </Group>
              )}
            </>
          )}
        </ListBody>
      </Stack>
    </Paper>
  );
};

const methods: Readonly<Record<Session['signInMethod'], string>> = {
  password: 'with a password',
  passkey: 'with a passkey',
  oidc: 'by single sign-on',
};

type SessionRowProps = { readonly session: Session; readonly onRevoke: (session: Session) => void };

/** What distinguishes a session from others of the same browser. */
const nameOf = ({ userAgent, address, createdAt }: Session): string =>
  `${describeBrowser(userAgent)}, ${address ?? 'unknown address'}, signed in ${shortTime(createdAt)}`;

const SessionRow = ({ session, onRevoke }: SessionRowProps) => {
  const browser = describeBrowser(session.userAgent);
  const name = nameOf(session);
  const confirmEnd = (): void =>
    confirm({
      title: `End the session of ${name}?`,
      text: 'It is signed out within a second.',
      confirm: 'End session',
      onConfirm: () => onRevoke(session),
    });
  return (
    <Group justify="space-between" wrap="nowrap">
      <div>
        <Group gap="xs">
          <Text fw={600} size="sm">
            {browser}
          </Text>
          {session.current && <Badge variant="light">This session</Badge>}
        </Group>
        <Text size="sm" c="dimmed">
          {session.address ?? 'Unknown address'}, signed in {methods[session.signInMethod]}, last
          seen <RelativeTime at={session.lastSeenAt} />
        </Text>
      </div>
      {!session.current && (
        <Button
          size="xs"
          variant="default"
          flex="none"
          aria-label={`End the session of ${name}`}
          onClick={confirmEnd}
        >
          End
        </Button>
      )}
    </Group>
  );
};

const useRevocation = () => {
  const client = useQueryClient();
  const onSettled = reloadWhenSettled<unknown>(() =>
    client.invalidateQueries({ queryKey: keys.ownSessions }),
  );
  const revoke = useMutation({
    mutationFn: ({ id: sessionId }: Session) =>
      unlessGone(api.delete('/api/auth/sessions/{sessionId}', { params: { path: { sessionId } } })),
    onSuccess: (_data, session) =>
      notifications.show({ message: `The session of ${nameOf(session)} has ended.` }),
    onSettled,
  });
  const revokeOthers = useMutation({
    mutationFn: () => api.delete('/api/auth/sessions'),
    onSuccess: () => notifications.show({ message: 'Your other sessions have ended.' }),
    onSettled,
  });
  return { revoke, revokeOthers };
};
