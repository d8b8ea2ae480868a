import { Text } from '@mantine/core';
import type { Schema } from '@commonplace/client';
import { useCompanyId } from '../../app/use-company-id.ts';
import { TextLink } from '../../components/links.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import classes from './org-chart.module.css';

/** An agent of the chart, with everybody below it. */
export const OrgChartNode = ({ node }: { readonly node: Schema<'OrgChartNode'> }) => {
  const companyId = useCompanyId();
  const { id, name, title, role, status, reports } = node;
  return (
    <li className={classes['node']}>
      <div className={classes['card']}>
        <TextLink
          to="/companies/$companyId/agents/$agentId"
          params={{ companyId, agentId: id }}
          fw={600}
        >
          {name}
        </TextLink>
        <Text size="sm" c="dimmed">
          {title === '' ? role : title}
        </Text>
        {status !== 'active' && <StatusBadge status={status} />}
      </div>
      {reports.length > 0 && (
        <ul className={classes['tree']}>
          {reports.map((report) => (
            <OrgChartNode key={report.id} node={report} />
          ))}
        </ul>
      )}
    </li>
  );
};
