import { Badge, Code, Table, Text } from '@mantine/core';
import type { Schema } from '@commonplace/client';
import { TableScroll } from '../../components/table-scroll.tsx';

type ServiceState = Schema<'ServiceState'>;

/** The services behind the gateway, which responds itself. */
export const ServiceTable = ({ services }: { readonly services: readonly ServiceState[] }) => (
  <TableScroll label="Services" minWidth={280} isStackedOnPhone={false}>
    <Table>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Service</Table.Th>
          <Table.Th>State</Table.Th>
          <Table.Th>Newest migration</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {services.map(({ name, isReady, reason, migration }) => (
          <Table.Tr key={name}>
            <Table.Th scope="row">{name}</Table.Th>
            <Table.Td>
              <Badge variant="light" color={isReady ? 'teal' : 'red'} miw="max-content">
                {isReady ? 'ready' : 'not ready'}
              </Badge>
              {reason !== null && (
                <Text size="sm" mt={4}>
                  {reason}
                </Text>
              )}
            </Table.Td>
            <Table.Td>
              {migration === null ? (
                'unknown'
              ) : (
                <Code style={{ overflowWrap: 'anywhere' }}>{migration}</Code>
              )}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </TableScroll>
);
