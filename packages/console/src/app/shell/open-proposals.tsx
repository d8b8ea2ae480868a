import { Badge, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { openProposalsQuery } from '../../api/open-proposals-query.ts';

/** The number of open proposals; nothing if there are none. */
export const OpenProposals = ({ companyId }: { readonly companyId: string }) => {
  const { data: open = 0 } = useQuery(openProposalsQuery(companyId));
  return open === 0 ? null : (
    <Badge size="sm" circle={open < 10}>
      {open}
      <VisuallyHidden>&nbsp;open</VisuallyHidden>
    </Badge>
  );
};
