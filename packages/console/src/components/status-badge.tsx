import { Badge } from '@mantine/core';

const colours: Readonly<Record<string, string>> = {
  active: 'teal',
  paused: 'yellow',
  terminated: 'gray',
  running: 'blue',
  succeeded: 'teal',
  failed: 'red',
  cancelled: 'gray',
  expired: 'orange',
  revoked: 'gray',
  accepted: 'teal',
  rejected: 'red',
  superseded: 'gray',
};

/** The status of an agent, run or key, as text; the colour is only a hint. */
export const StatusBadge = ({ status }: { readonly status: string }) => (
  <Badge variant="light" color={colours[status] ?? 'gray'} miw="max-content">
    {status}
  </Badge>
);
