import { Badge, Table, Text } from '@mantine/core';
import type { Schema } from '@commonplace/client';
import { ExactTime } from '../../components/exact-time.tsx';
import { describeBrowser } from '../account/describe-browser.ts';
import { describeMethod } from './describe-sign-in.ts';
import { TableScroll } from '../../components/table-scroll.tsx';

type SignIn = Schema<'SignIn'>;

/** Sign-ins and failed attempts, newest first. */
export const SignInTable = ({ signIns }: { readonly signIns: readonly SignIn[] }) => (
  <TableScroll label="Sign-ins">
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

type SignInProps = { readonly signIn: SignIn };

const SignInRow = ({ signIn }: SignInProps) => (
  <Table.Tr style={{ verticalAlign: 'top' }}>
    <Table.Td>
      <ExactTime at={signIn.at} />
    </Table.Td>
    <Table.Td>
      <Outcome signIn={signIn} />
    </Table.Td>
    <Table.Td style={{ overflowWrap: 'anywhere' }}>
      {signIn.email}
      {signIn.operatorId === null && (
        <Text size="xs" c="dimmed">
          no account
        </Text>
      )}
    </Table.Td>
    <Table.Td>{describeMethod(signIn.method)}</Table.Td>
    <Table.Td>
      <Place signIn={signIn} />
    </Table.Td>
  </Table.Tr>
);

const Outcome = ({ signIn: { outcome, reason } }: SignInProps) => (
  <div>
    <Badge variant="light" color={outcome === 'success' ? 'teal' : 'red'} miw="max-content">
      {outcome}
    </Badge>
    {reason !== null && (
      <Text size="xs" c="dimmed" maw={220}>
        The passkey’s counter went back: a copy of it may be in use.
      </Text>
    )}
  </div>
);

const Place = ({ signIn: { address, userAgent } }: SignInProps) => (
  <>
    {address ?? 'Unknown address'}
    <Text size="xs" c="dimmed">
      {describeBrowser(userAgent)}
    </Text>
  </>
);
