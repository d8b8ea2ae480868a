import { Button, Group, Stack, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useLeaveGuard } from '../../../app/use-leave-guard.ts';
import { CombinedText } from './combined-text.tsx';
import { ConflictChanges } from './conflict-changes.tsx';
import { conflictParts, textOfChoices, type ChangeChoice } from './conflict-parts.ts';
import { LineDiff } from '../diff/line-diff.tsx';
import type { VersionNames } from './version-names.ts';

type ChoicesByChangeProps = {
  readonly current: string;
  readonly other: string;
  readonly names: VersionNames;
  readonly isPending: boolean;
  readonly failure: React.ReactNode;
  /** Absent for those who may change nothing. */
  readonly onSave?: (content: string) => void;
  /** Opens an editor with a text, and guards it. Absent: it is opened below the changes. */
  readonly onWrite?: (content: string) => void;
  /** Further choices. */
  readonly children: React.ReactNode;
};

/** What to keep of each change, a text written by hand, or a choice for the whole note. */
export const ChoicesByChange = (props: ChoicesByChangeProps) => {
  const { current, other, names, isPending, failure, onSave, onWrite, children } = props;
  const { parts, changes, choices, choose, chosen } = useChoices(current, other);
  const [written, setWritten] = useState<string | null>(null);
  // The editor of a text written by hand has its own guard.
  useLeaveGuard(() => chosen > 0 && written === null && onWrite === undefined);
  const differences = parts ? (
    <ConflictChanges
      parts={parts}
      names={names}
      choices={choices}
      {...(onSave ? { onChoose: choose } : {})}
    />
  ) : (
    <LineDiff before={current} after={other} label="Differences" />
  );
  if (!onSave) {
    return differences;
  }
  const combined = parts ? textOfChoices(parts, choices) : `${current}\n${other}`;
  return (
    <>
      {differences}
      <Stack>
        {failure}
        <Group>
          {changes > 0 && (
            <Button
              loading={isPending}
              disabled={chosen < changes}
              onClick={() => onSave(combined)}
            >
              Save these choices
            </Button>
          )}
          {children}
          {written === null && (
            <Button variant="default" onClick={() => (onWrite ?? setWritten)(combined)}>
              Write it yourself
            </Button>
          )}
          <Chosen chosen={chosen} changes={changes} />
        </Group>
        {written !== null && (
          <CombinedText initial={written} isPending={isPending} onSave={onSave} />
        )}
      </Stack>
    </>
  );
};

const Chosen = ({ chosen, changes }: { readonly chosen: number; readonly changes: number }) =>
  changes > 0 && (
    <Text size="sm" c="dimmed" role="status">
      {chosen} of {changes} {changes === 1 ? 'change' : 'changes'} chosen
    </Text>
  );

/** What is chosen of each change of two texts. */
const useChoices = (current: string, other: string) => {
  const parts = useMemo(() => conflictParts(current, other), [current, other]);
  const changes = (parts ?? []).filter(({ kind }) => kind === 'change').length;
  const [state, setState] = useState<{
    readonly of: typeof parts;
    readonly choices: readonly (ChangeChoice | undefined)[];
  }>({ of: parts, choices: [] });
  // A newer version has other changes.
  const choices = state.of === parts ? state.choices : [];
  const chosen = choices.filter((choice) => choice !== undefined).length;
  return {
    parts,
    changes,
    choices,
    chosen,
    choose: (change: number, choice: ChangeChoice): void =>
      setState({
        of: parts,
        choices: Array.from({ length: changes }, (_, index) =>
          index === change ? choice : choices[index],
        ),
      }),
  };
};
