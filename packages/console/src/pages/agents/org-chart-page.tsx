import { Button, Group, Paper } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { Schema } from '@commonplace/client';
import { useSuspenseQuery } from '@tanstack/react-query';
import { IconSitemap } from '@tabler/icons-react';
import {
  TransformComponent,
  TransformWrapper,
  useControls,
  type ReactZoomPanPinchRef,
} from 'react-zoom-pan-pinch';
import { orgChartQuery } from '../../api/agent-queries.ts';
import { useCompanyId } from '../../api/use-company-id.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { openLevels } from './open-levels.ts';
import { OrgChartLevel } from './org-chart-level.tsx';
import { OrgChartNode } from './org-chart-node.tsx';
import classes from './org-chart.module.css';

/** The org chart, which can be panned and zoomed; for screen readers it is a nested list. */
export const OrgChartPage = () => {
  const { data } = useSuspenseQuery(orgChartQuery(useCompanyId()));
  // There it is a nested list, which scrolls with the page.
  const isNarrow = useMediaQuery('(max-width: 48em)', undefined, {
    getInitialValueInEffect: false,
  });
  return (
    <>
      <PageHeader
        title="Org chart"
        {...(isNarrow ? {} : { description: 'Drag to move, scroll or pinch to zoom' })}
      />
      {data.roots.length === 0 ? (
        <EmptyState icon={IconSitemap} title="No agents yet" />
      ) : (
        // Another one after a phone was turned: it is fitted when it begins.
        <Chart key={String(isNarrow)} roots={data.roots} isNarrow={isNarrow} />
      )}
    </>
  );
};

const minScale = 0.2;

/** Smaller, a chart that was just opened would have names that nobody can read. */
const openedScaleMin = 0.5;

/** At once, and in place of a zoom that is still shown: a time of 0 would not end it, and it would have the last word. */
const insteadMs = 1;

/** Fits the whole chart into the view, never enlarged. */
const fitChart = ({ instance, centerView }: Fitted, scaleMin: number, ms = insteadMs): void => {
  const { wrapperComponent: frame, contentComponent: chart } = instance;
  if (!frame || !chart) {
    return;
  }
  const set = (scale: number): number => {
    const fitted = Math.min(1, Math.max(scaleMin, scale));
    // What one taps grows in the chart as it shrinks in the window, see org-chart.module.css.
    frame.style.setProperty('--fitted-scale', String(Math.max(openedScaleMin, fitted)));
    return fitted;
  };
  const byWidth = set(frame.offsetWidth / (chart.offsetWidth || 1));
  void centerView(set(Math.min(byWidth, frame.offsetHeight / (chart.offsetHeight || 1))), ms);
};

type Fitted = Pick<ReactZoomPanPinchRef, 'instance' | 'centerView'>;

type ChartProps = {
  readonly roots: readonly Schema<'OrgChartNode'>[];
  /** It is a list, which is neither moved nor scaled. */
  readonly isNarrow: boolean;
};

const Chart = ({ roots, isNarrow }: ChartProps) => {
  const levels = openLevels(roots);
  return (
    <TransformWrapper
      disabled={isNarrow}
      minScale={minScale}
      maxScale={2}
      centerOnInit
      onInit={(chart) => fitChart(chart, openedScaleMin, 0)}
      limitToBounds={false}
      wheel={{ step: 0.1 }}
      doubleClick={{ disabled: true }}
    >
      {!isNarrow && <ZoomButtons />}
      <Frame>
        <TransformComponent
          wrapperClass={classes['canvas'] ?? ''}
          contentClass={classes['content'] ?? ''}
        >
          <OrgChartLevel nodes={roots} label="Org chart">
            {(node) => <OrgChartNode key={node.id} node={node} levels={levels} />}
          </OrgChartLevel>
        </TransformComponent>
      </Frame>
    </TransformWrapper>
  );
};

/** The frame of the chart. What gets the focus by keyboard is moved into sight. */
const Frame = ({ children }: { readonly children: React.ReactNode }) => {
  const { instance, setTransform } = useControls();
  const moveIntoSight = ({ target }: React.FocusEvent): void => {
    const frame = instance.wrapperComponent;
    // A click would miss what moves under it.
    if (!frame || instance.setup.disabled || !target.matches(':focus-visible')) {
      return;
    }
    const { positionX, positionY, scale } = instance.state;
    const [inner, outer] = [target.getBoundingClientRect(), frame.getBoundingClientRect()];
    const x = distanceInto([inner.left, inner.right], [outer.left, outer.right]);
    const y = distanceInto([inner.top, inner.bottom], [outer.top, outer.bottom]);
    if (x !== 0 || y !== 0) {
      void setTransform(positionX + x, positionY + y, scale, 0);
    }
  };
  return (
    <Paper className="panel" withBorder onFocus={moveIntoSight}>
      {children}
    </Paper>
  );
};

type Span = readonly [start: number, end: number];

/** Pixels between what has the focus and the edge of the frame. */
const margin = 40;

/** How far the inner one has to be moved to be in the outer one; if it is longer, its beginning is. */
const distanceInto = ([start, end]: Span, [from, to]: Span): number =>
  Math.max(0, from + margin - start) ||
  Math.max(from + margin - start, Math.min(0, to - margin - end));

const ZoomButtons = () => {
  const controls = useControls();
  const { zoomIn, zoomOut } = controls;
  return (
    <Group gap="xs" mb="sm">
      <Button size="xs" variant="default" onClick={() => void zoomIn()}>
        Zoom in
      </Button>
      <Button size="xs" variant="default" onClick={() => void zoomOut()}>
        Zoom out
      </Button>
      <Button size="xs" variant="default" onClick={() => fitChart(controls, minScale)}>
        Fit
      </Button>
    </Group>
  );
};
