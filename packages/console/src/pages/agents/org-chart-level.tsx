import { Button } from '@mantine/core';
import type { Schema } from '@commonplace/client';
import { useState } from 'react';
import classes from './org-chart.module.css';

type Node = Schema<'OrgChartNode'>;

type OrgChartLevelProps = {
  readonly nodes: readonly Node[];
  readonly label?: string;
  readonly children: (node: Node) => React.ReactNode;
};

const pageSize = 30;

/** The agents of one level: the first ones, and more on request. */
export const OrgChartLevel = ({ nodes, label, children }: OrgChartLevelProps) => {
  const [shown, setShown] = useState(pageSize);
  const hidden = nodes.length - shown;
  return (
    <ul className={classes['tree']} aria-label={label}>
      {nodes.slice(0, shown).map(children)}
      {hidden > 0 && (
        <li className={classes['node']}>
          <Button variant="default" onClick={() => setShown(shown + pageSize)}>
            {`Show ${Math.min(hidden, pageSize)} of ${hidden} more`}
          </Button>
        </li>
      )}
    </ul>
  );
};
