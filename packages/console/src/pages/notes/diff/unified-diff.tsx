import classes from './line-diff.module.css';

type UnifiedDiffProps = {
  /** Hunks with a sign before each line, as the server writes them. */
  readonly diff: string;
  /** The accessible name. */
  readonly label: string;
};

/** A difference that the server found, which looks like one that the console found. */
export const UnifiedDiff = ({ diff, label }: UnifiedDiffProps) => (
  <pre className={`${classes['diff']} ${classes['wrapped']}`} role="group" aria-label={label}>
    {diff
      .replace(/\n$/, '')
      .split('\n')
      .map((line, index) => {
        const shown = line.startsWith('@@') ? gapBefore(line) : line;
        return (
          shown !== null && (
            // Lines have no identity besides their position.
            <span key={index} className={classOf(line)}>
              {shown === '' ? ' ' : shown}
            </span>
          )
        );
      })}
  </pre>
);

/** What stands for the lines before a hunk, whose header is for programs; null: there are none. */
const gapBefore = (header: string): string | null => (/^@@ -[01]\b/.test(header) ? null : '⋯');

const classOf = (line: string): string | undefined =>
  line.startsWith('+') ? classes['added'] : line.startsWith('-') ? classes['removed'] : undefined;
