import { Badge, Table, Text } from '@mantine/core';
import type { Schema } from '@commonplace/client';
import { RelativeTime } from '../../components/relative-time.tsx';
import { describeBrowser } from '../account/describe-browser.ts';
import { describeMethod } from './describe-sign-in.ts';
import { TableScroll } from '../../components/table-scroll.tsx';

type SignIn = Schema<'SignIn'>;

/** Sign-ins and failed attempts, newest first. */
export const SignInTable = ({ signIns }: { readonly signIns: readonly SignIn[] }) => (
  <TableScroll minWidth={720}>
    <Table verticalSpacing="sm">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Time</Table.Th>
          <Table.Th>Outcome</Table.Th>
          <Table.Th>Email</Table.Th>
          <Table.Th>Method</Table.Th>
          <Table.Th>Address and browser</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {signIns.map((signIn) => (
          <SignInRow key={signIn.id} signIn={signIn} />
        ))}
      </Table.Tbody>
    </Table>
  </TableScroll>
);

const SignInRow = ({ signIn }: { readonly signIn: SignIn }) => {
  const { at, outcome, email, operatorId, method, reason, address, userAgent } = signIn;
  return (
    <Table.Tr>
      <Table.Td>
        <RelativeTime at={at} />
        <Text size="xs" c="dimmed">
          {exact.format(new Date(at))}
        </Text>
      </Table.Td>
      <Table.Td>
        <Badge variant="light" color={outcome === 'success' ? 'teal' : 'red'} miw="max-content">
          {outcome}
        </Badge>
        {reason !== null && (
          <Text size="xs" c="dimmed" maw={220}>
            The passkey’s counter went back: a copy of it may be in use.
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        {email}
        {operatorId === null && (
          <Text size="xs" c="dimmed">
            no account
          </Text>
        )}
      </Table.Td>
      <Table.Td>{describeMethod(method)}</Table.Td>
      <Table.Td>
        {address ?? 'Unknown address'}
        <Text size="xs" c="dimmed">
          {describeBrowser(userAgent)}
        </Text>
      </Table.Td>
    </Table.Tr>
  );
};

const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
