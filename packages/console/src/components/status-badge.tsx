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
};

/** The state of an agent, a run or a key; always in words, the colour only helps. */
export const StatusBadge = ({ status }: { readonly status: string }) => (
  <Badge variant="light" color={colours[status] ?? 'gray'} miw="max-content">
    {status}
  </Badge>
);
