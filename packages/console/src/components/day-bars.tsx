import { memo, useState } from 'react';
import classes from './day-bars.module.css';
import type { DayBarsProps } from './day-bars-props.ts';
import { dayLabels } from './day-labels.ts';
import { valueScale } from './value-scale.ts';

type Row = DayBarsProps['rows'][number];

const percent = (share: number): string => `${100 * share}%`;

/**
 * Bars by day. Made of elements, because libraries for charts take longer to draw a month than the rest of the dashboard does.
 * The chart is an image to screen readers: the table has its numbers.
 */
export const DayBars = ({ label, rows, series, format, limit }: DayBarsProps) => {
  const [pointedAt, setPointedAt] = useState<number | null>(null);
  const { top, ticks } = valueScale([...rows.map(sumOf), limit ?? 0]);
  const valueWidth = Math.max(...ticks.map((value) => format(value).length));
  return (
    <div role="img" aria-label={label} className={classes['chart']}>
      <div
        className={classes['plot']}
        style={{ marginLeft: `calc(${valueWidth}ch + 8px)` }}
        onMouseLeave={() => setPointedAt(null)}
      >
        {ticks.map((value) => (
          <div key={value} className={classes['line']} style={{ bottom: percent(value / top) }}>
            <span className={classes['value']}>{format(value)}</span>
          </div>
        ))}
        <Columns rows={rows} series={series} top={top} onPoint={setPointedAt} />
        {limit !== undefined && limit > 0 && (
          <div className={classes['limit']} style={{ bottom: percent(limit / top) }}>
            <span>{format(limit)}</span>
          </div>
        )}
        {pointedAt !== null && (
          <DayValues at={pointedAt} rows={rows} series={series} format={format} />
        )}
      </div>
      {series.length > 1 && (
        <div className={classes['legend']}>
          {series.map(({ name, label: text, color }) => (
            <span key={name}>
              <span className={classes['mark']} style={{ background: color }} />
              {text}
            </span>
          ))}
        </div>
      )}
    </div>
  );
};

const sumOf = ({ values }: Row): number =>
  Object.values(values).reduce<number>((sum, value) => sum + (value ?? 0), 0);

type ColumnsProps = Pick<DayBarsProps, 'rows' | 'series'> & {
  readonly top: number;
  readonly onPoint: (index: number) => void;
};

/** Not rendered again while the pointer moves over them. */
const Columns = memo(({ rows, series, top, onPoint }: ColumnsProps) => {
  const labels = dayLabels(rows.map(({ day }) => day));
  return (
    <div className={classes['columns']}>
      {rows.map((row, index) => (
        <div key={row.day} className={classes['column']} onMouseEnter={() => onPoint(index)}>
          {series.map(({ name, color }) => {
            const value = row.values[name] ?? 0;
            const style = { background: color, height: percent(value / top) };
            return value > 0 && <div key={name} className={classes['bar']} style={style} />;
          })}
          {labels[index] !== null && <span className={classes['day']}>{labels[index]}</span>}
        </div>
      ))}
    </div>
  );
});

type DayValuesProps = Pick<DayBarsProps, 'rows' | 'series' | 'format'> & { readonly at: number };

/** The values of a day, beside its bars. A tooltip of Mantine would be in the scripts of every list. */
const DayValues = ({ at, rows, series, format }: DayValuesProps) => {
  const row = rows[at];
  const isLeft = at < rows.length / 2;
  const place = percent((isLeft ? at + 1 : rows.length - at) / rows.length);
  return (
    row && (
      <div className={classes['values']} style={isLeft ? { left: place } : { right: place }}>
        <strong>{row.day}</strong>
        {series.map(({ name, label }) => {
          const value = row.values[name] ?? null;
          return (
            <div key={name}>
              {label}: {value === null ? 'not counted' : format(value)}
            </div>
          );
        })}
      </div>
    )
  );
};
