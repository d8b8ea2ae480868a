import { Badge, Tooltip } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { sessionQuery } from '../api/session-queries.ts';

/** Reminds of what the mode means: any program on this machine is the operator. */
export const LocalModeBadge = () => {
  const { data: session } = useSuspenseQuery(sessionQuery);
  return session.mode === 'local_trusted' ? (
    <Tooltip label="Any program on this machine is the operator; nobody signs in.">
      <Badge color="yellow" variant="light" miw={40}>
        Local trusted mode
      </Badge>
    </Tooltip>
  ) : null;
};
