import { diffLines } from 'diff';
import classes from './line-diff.module.css';

type LineDiffProps = {
  readonly before: string;
  readonly after: string;
  /** What a screen reader calls it. */
  readonly label: string;
};

/** The difference of two texts by lines; signs say what colours say. */
export const LineDiff = ({ before, after, label }: LineDiffProps) => (
  <pre className={classes['diff']} tabIndex={0} aria-label={label}>
    {diffLines(before, after).map(({ added, removed, value }, index) => {
      const sign = added ? '+' : removed ? '-' : ' ';
      const lines = value.replace(/\n$/, '').split('\n');
      return (
        // The parts of a difference have no names but their places.
        <span
          key={`${index} ${sign}`}
          className={added ? classes['added'] : removed ? classes['removed'] : undefined}
        >
          {lines.map((line) => `${sign} ${line}\n`).join('')}
        </span>
      );
    })}
  </pre>
);
