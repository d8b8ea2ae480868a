import { Text } from '@mantine/core';
import { useId } from 'react';
import classes from './conflict-changes.module.css';
import type { ChangeChoice, ConflictPart } from './conflict-parts.ts';
import { withChangedWords, type DiffLines } from '../diff/diff-words.ts';
import { capitalised, type VersionNames } from './version-names.ts';

type ConflictChangesProps = {
  readonly parts: readonly ConflictPart[];
  readonly names: VersionNames;
  readonly choices: readonly (ChangeChoice | undefined)[];
  /** While they are saved. */
  readonly isLocked: boolean;
  /** Absent for those who may change nothing. */
  readonly onChoose?: (change: number, choice: ChangeChoice) => void;
};

/** The changes of two versions beside each other, each with a choice, and the lines around them. */
export const ConflictChanges = (props: ConflictChangesProps) => {
  const { parts, names, choices, isLocked, onChoose } = props;
  let change = -1;
  if (parts.every(({ kind }) => kind === 'same')) {
    return (
      <Text size="sm" mb="lg">
        The text is the same.
      </Text>
    );
  }
  return (
    <section aria-label="Differences" className={classes['changes']}>
      {parts.map((part, index) => {
        if (part.kind === 'same') {
          // Parts have no identity besides their position.
          return (
            <Shared
              key={index}
              text={part.text}
              isFirst={index === 0}
              isLast={index === parts.length - 1}
            />
          );
        }
        change += 1;
        const at = change;
        return (
          <Change
            key={index}
            number={at + 1}
            part={part}
            names={names}
            choice={choices[at]}
            isLocked={isLocked}
            {...(onChoose ? { onChoose: (choice: ChangeChoice) => onChoose(at, choice) } : {})}
          />
        );
      })}
    </section>
  );
};

/** How many lines are shown before and after a change. */
const contextLines = 3;

type SharedProps = { readonly text: string; readonly isFirst: boolean; readonly isLast: boolean };

const Shared = ({ text, isFirst, isLast }: SharedProps) => {
  const lines = text.replace(/\n$/, '').split('\n');
  const before = isFirst ? [] : lines.slice(0, contextLines);
  const after = isLast ? [] : lines.slice(-contextLines);
  const hidden = lines.length - before.length - after.length;
  return hidden <= 1 ? (
    <Lines lines={isFirst && isLast ? [] : lines} />
  ) : (
    <>
      <Lines lines={before} />
      <Text size="xs" c="dimmed" className={classes['hidden']}>
        {hidden} unchanged lines
      </Text>
      <Lines lines={after} />
    </>
  );
};

const Lines = ({ lines }: { readonly lines: readonly string[] }) =>
  lines.length > 0 && <div className={classes['same']}>{lines.join('\n')}</div>;

type ChangeProps = {
  readonly number: number;
  readonly part: Extract<ConflictPart, { readonly kind: 'change' }>;
  readonly names: ConflictChangesProps['names'];
  readonly choice: ChangeChoice | undefined;
  readonly isLocked: boolean;
  readonly onChoose?: (choice: ChangeChoice) => void;
};

const Change = ({ number, part, names, choice, isLocked, onChoose }: ChangeProps) => {
  const group = useId();
  const [current, other] = sidesOf(part);
  const radioOf = (value: ChangeChoice, label: string, describedBy?: string) =>
    onChoose && (
      <input
        type="radio"
        name={group}
        aria-label={`${label}, change ${number}`}
        aria-describedby={describedBy}
        checked={choice === value}
        disabled={isLocked}
        onChange={() => onChoose(value)}
      />
    );
  return (
    <fieldset className={classes['change']}>
      <legend className={classes['legend']}>Change {number}</legend>
      <Side
        sign="-"
        linesId={`${group}current`}
        name={names.current}
        lines={current}
        isKept={isKept(choice, 'current')}
      >
        {radioOf('current', capitalised(names.current), `${group}current`)}
      </Side>
      <Side
        sign="+"
        linesId={`${group}other`}
        name={names.other}
        lines={other}
        isKept={isKept(choice, 'other')}
      >
        {radioOf('other', capitalised(names.other), `${group}other`)}
      </Side>
      {onChoose && (
        <label className={classes['both']}>
          {radioOf('both', 'Both')} Both, {names.current} first
        </label>
      )}
    </fieldset>
  );
};

/** Undefined: not decided. */
const isKept = (choice: ChangeChoice | undefined, side: ChangeChoice): boolean | undefined =>
  choice && (choice === side || choice === 'both');

type SideProps = {
  readonly sign: '-' | '+';
  /** The id of the lines, which say what one chooses. */
  readonly linesId: string;
  readonly name: string;
  readonly lines: DiffLines['lines'];
  readonly isKept: boolean | undefined;
  /** The choice. */
  readonly children: React.ReactNode;
};

const Side = ({ sign, linesId, name, lines, isKept: kept, children }: SideProps) => (
  <label className={classes['side']} data-sign={sign} data-kept={kept}>
    <span className={classes['name']}>
      {children} {capitalised(name)}
    </span>
    <span id={linesId} className={`any-script ${classes['lines']}`}>
      {lines.length === 0 ? (
        <span className={classes['nothing']}>nothing here</span>
      ) : (
        lines.map((pieces, line) => (
          <span key={line} className={classes['line']}>
            {pieces.map(({ text, isChanged }, place) =>
              isChanged ? <mark key={place}>{text}</mark> : text,
            )}
            {'\n'}
          </span>
        ))
      )}
    </span>
  </label>
);

/** The lines of the two sides with the changed words. */
const sidesOf = ({ current, other }: ChangeProps['part']) => {
  const sides = withChangedWords([
    ...(current === '' ? [] : [{ value: current, added: false, removed: true }]),
    ...(other === '' ? [] : [{ value: other, added: true, removed: false }]),
  ]);
  return (['-', '+'] as const).map(
    (sign) => sides.find((side) => side.sign === sign)?.lines ?? [],
  ) as [DiffLines['lines'], DiffLines['lines']];
};
