import { Avatar, Menu, Text, UnstyledButton } from '@mantine/core';
import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { IconLogout, IconUser } from '@tabler/icons-react';
import { api } from '../api/api.ts';
import { keys } from '../api/query-keys.ts';
import { sessionQuery } from '../api/session-queries.ts';
import { removeAllDrafts } from '../pages/notes/editor/drafts.ts';
import { clearSessionData } from './clear-session-data.ts';

/** Name, account page and sign-out. In local trusted mode there is no sign-out. */
export const AccountMenu = () => {
  const { data: session } = useSuspenseQuery(sessionQuery);
  const signOut = useSignOut();
  const { name, email } = session.operator;
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <UnstyledButton aria-label="Account menu">
          <Avatar color="lamp" size={34} radius="xl" alt="" />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text size="sm" fw={600} c="bright" truncate>
            {name}
          </Text>
          <Text size="xs" truncate>
            {email}
          </Text>
        </Menu.Label>
        <Menu.Divider />
        <Menu.Item component={Link} to="/account" leftSection={<IconUser size={16} aria-hidden />}>
          Account &amp; sessions
        </Menu.Item>
        {session.mode === 'authenticated' && (
          <Menu.Item
            leftSection={<IconLogout size={16} aria-hidden />}
            onClick={() => signOut.mutate()}
          >
            Sign out
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
};

const useSignOut = () => {
  const client = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: () => api.post('/api/auth/logout'),
    onSuccess: async ({ data }) => {
      removeAllDrafts();
      client.removeQueries({ queryKey: keys.session });
      if (data?.endSessionUrl !== undefined) {
        // The provider sends the browser back to the login page.
        location.assign(data.endSessionUrl);
        return;
      }
      await navigate({ to: '/login' });
      // The page that was left may have written one more.
      removeAllDrafts();
      clearSessionData(client);
    },
  });
};
