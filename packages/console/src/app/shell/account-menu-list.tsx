import { Menu, Text } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { IconLogout, IconUser } from '@tabler/icons-react';
import { sessionQuery } from '../../api/session-queries.ts';
import { AccountButton } from './account-button.tsx';
import { useSignOut } from '../session/use-sign-out.ts';
import { useTakeOver, type TakeOver } from '../../on-demand/use-take-over.ts';

/** The account menu and what it opens: name, account page and sign-out. In local trusted mode there is no sign-out. */
export const AccountMenuList = ({ takeOver }: { readonly takeOver: TakeOver }) => {
  const { data: session } = useSuspenseQuery(sessionQuery);
  const signOut = useSignOut();
  const { name, email } = session.operator;
  return (
    <Menu position="bottom-end" width={240} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <AccountButton ref={useTakeOver<HTMLButtonElement>(takeOver)} />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text component="div" size="sm" fw={600} c="bright" truncate>
            {name}
          </Text>
          <Text component="div" size="xs" truncate>
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
