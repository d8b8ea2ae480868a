import { Button, Text, VisuallyHidden } from '@mantine/core';
import type { Schema } from '@commonplace/client';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useControls } from 'react-zoom-pan-pinch';
import { useCompanyId } from '../../api/use-company-id.ts';
import { NameLink } from '../../components/links.tsx';
import { Name } from '../../components/name.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { OrgChartLevel } from './org-chart-level.tsx';
import classes from './org-chart.module.css';

type OrgChartNodeProps = {
  readonly node: Schema<'OrgChartNode'>;
  /** How many levels from here are expanded initially; if infinite, none can be collapsed. */
  readonly levels: number;
};

/** An agent of the chart with all its reports. */
export const OrgChartNode = ({ node, levels }: OrgChartNodeProps) => {
  const companyId = useCompanyId();
  const { id, name, title, role, status, reports } = node;
  const { card, isOpen, toggle } = useExpansion(levels > 1);
  return (
    <li className={classes['node']}>
      <div className={classes['card']} ref={card}>
        <NameLink
          to="/companies/$companyId/agents/$agentId"
          params={{ companyId, agentId: id }}
          fw={600}
          name={name}
        />
        <Text size="sm" c="dimmed">
          <Name>{title === '' ? role : title}</Name>
        </Text>
        {status !== 'active' && <StatusBadge status={status} />}
        {reports.length > 0 && levels !== Number.POSITIVE_INFINITY && (
          <ExpandButton name={name} count={reports.length} isOpen={isOpen} onClick={toggle} />
        )}
      </div>
      {reports.length > 0 && isOpen && (
        <OrgChartLevel nodes={reports}>
          {(report) => <OrgChartNode key={report.id} node={report} levels={levels - 1} />}
        </OrgChartLevel>
      )}
    </li>
  );
};

type ExpandButtonProps = {
  readonly name: string;
  readonly count: number;
  readonly isOpen: boolean;
  readonly onClick: () => void;
};

const ExpandButton = ({ name, count, isOpen, onClick }: ExpandButtonProps) => {
  const Chevron = isOpen ? IconChevronDown : IconChevronRight;
  return (
    <Button
      size="compact-sm"
      variant="subtle"
      mt={4}
      leftSection={<Chevron size={14} aria-hidden />}
      aria-expanded={isOpen}
      onClick={onClick}
    >
      {count === 1 ? '1 report' : `${count} reports`}
      <VisuallyHidden>{` of ${name}`}</VisuallyHidden>
    </Button>
  );
};

/** Expands and collapses the reports of a card. The chart grows to both sides; the card keeps its position. */
const useExpansion = (isOpenInitially: boolean) => {
  const [isOpen, setIsOpen] = useState(isOpenInitially);
  const card = useRef<HTMLDivElement>(null);
  const { instance, setTransform } = useControls();
  const toggle = (): void => {
    const before = card.current?.getBoundingClientRect();
    flushSync(() => setIsOpen(!isOpen));
    const after = card.current?.getBoundingClientRect();
    // On a phone nothing is moved: it would be when the phone is turned.
    if (before && after && !instance.setup.disabled) {
      const { positionX, positionY, scale } = instance.state;
      void setTransform(
        positionX + before.left - after.left,
        positionY + before.top - after.top,
        scale,
        0,
      );
    }
  };
  return { card, isOpen, toggle };
};
