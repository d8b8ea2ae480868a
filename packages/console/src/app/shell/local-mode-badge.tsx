import { Badge, type BadgeProps } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { sessionQuery } from '../../api/session-queries.ts';

/** Warns that any program on this machine acts as the operator. */
export const LocalModeBadge = (props: Pick<BadgeProps, 'hiddenFrom' | 'visibleFrom'>) => {
  const { data: session } = useSuspenseQuery(sessionQuery);
  return session.mode === 'local_trusted' ? (
    <Badge
      {...props}
      color="yellow"
      variant="light"
      miw={40}
      title="Any program on this machine acts as the operator, without signing in."
    >
      Local trusted mode
    </Badge>
  ) : null;
};
