import { Badge, Stack, Table, Text } from '@mantine/core';
import type { Schema } from '@commonplace/client';
import { ExactTime } from '../../components/exact-time.tsx';
import { describeBrowser } from '../account/describe-browser.ts';
import { describeMethod } from './describe-sign-in.ts';
import { TableScroll } from '../../components/table-scroll.tsx';

type SignIn = Schema<'SignIn'>;

/** Sign-ins and failed attempts, newest first. On a phone the email stands above what has columns of its own elsewhere. */
export const SignInTable = ({ signIns }: { readonly signIns: readonly SignIn[] }) => (
  <TableScroll isStackedOnPhone={false}>
    <Table verticalSpacing="sm">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Time</Table.Th>
          <Table.Th visibleFrom="sm">Outcome</Table.Th>
          <Table.Th>Email</Table.Th>
          <Table.Th visibleFrom="sm">Method</Table.Th>
          <Table.Th visibleFrom="sm">Address and browser</Table.Th>
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
    <Table.Td visibleFrom="sm">
      <Outcome signIn={signIn} />
    </Table.Td>
    <Table.Td style={{ overflowWrap: 'anywhere' }}>
      {signIn.email}
      {signIn.operatorId === null && (
        <Text size="xs" c="dimmed">
          no account
        </Text>
      )}
      <Stack hiddenFrom="sm" gap={4} mt={4}>
        <Outcome signIn={signIn} />
        <Text size="sm">{describeMethod(signIn.method)}</Text>
        <div>
          <Place signIn={signIn} />
        </div>
      </Stack>
    </Table.Td>
    <Table.Td visibleFrom="sm">{describeMethod(signIn.method)}</Table.Td>
    <Table.Td visibleFrom="sm">
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
