import type { Schema } from '@commonplace/client';
import { TextLink } from '../../components/links.tsx';

type RunLinkProps = { readonly run: Pick<Schema<'Run'>, 'companyId' | 'id'> };

/** A link to a run, by the end of its id. */
export const RunLink = ({ run: { companyId, id } }: RunLinkProps) => (
  <TextLink
    to="/companies/$companyId/runs/$runId"
    params={{ companyId, runId: id }}
    ff="monospace"
    size="sm"
    title={id}
    aria-label={`Run ${id.slice(-8)}`}
  >
    {id.slice(-8)}
  </TextLink>
);
