import { Button, Group, Stack, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import { CombinedText } from './combined-text.tsx';
import { ConflictChanges } from './conflict-changes.tsx';
import type { ConflictWork } from './conflict-draft.ts';
import { conflictParts, textOfChoices, type ChangeChoice } from './conflict-parts.ts';
import { NotKept } from '../editor/not-kept.tsx';
import { LineDiff } from '../diff/line-diff.tsx';
import { useWrittenText, type ChoicesDraft } from './use-written-text.ts';
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
  /** Where choices and text are kept, and what they begin with. Absent: the page keeps what it has to. */
  readonly draft?: ChoicesDraft;
  /** Further choices. */
  readonly children: React.ReactNode;
};

/** What to keep of each change, a text written by hand, or a choice for the whole note. */
export const ChoicesByChange = (props: ChoicesByChangeProps) => {
  const { current, other, isPending, failure, onSave, onWrite, draft, children } = props;
  const { parts, changes, choices, choose, chosen } = useChoices(
    { current, other },
    draft?.initial?.choices,
  );
  const { written, write, editor, update, isKept } = useWrittenText(choices, draft);
  const differences = <Differences {...props} parts={parts} choices={choices} onChoose={choose} />;
  if (!onSave) {
    return differences;
  }
  const combined = parts ? textOfChoices(parts, choices) : `${current}\n${other}`;
  return (
    <>
      {differences}
      <Stack>
        {failure}
        <NotKept isKept={isKept} />
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
            <Button variant="default" onClick={() => (onWrite ?? write)(combined)}>
              Write it yourself
            </Button>
          )}
          <Chosen chosen={chosen} changes={changes} />
        </Group>
        {written !== null && (
          <CombinedText
            initial={written}
            isPending={isPending}
            editor={editor}
            onChange={update}
            onSave={onSave}
          />
        )}
      </Stack>
    </>
  );
};

type DifferencesProps = ChoicesByChangeProps & {
  readonly parts: ReturnType<typeof useChoices>['parts'];
  readonly choices: Choices;
  readonly onChoose: (change: number, choice: ChangeChoice) => void;
};

const Differences = (props: DifferencesProps) => {
  const { current, other, names, parts, choices, onSave, onChoose } = props;
  return parts ? (
    <ConflictChanges
      parts={parts}
      names={names}
      choices={choices}
      {...(onSave ? { onChoose } : {})}
    />
  ) : (
    <LineDiff before={current} after={other} label="Differences" />
  );
};

const Chosen = ({ chosen, changes }: { readonly chosen: number; readonly changes: number }) =>
  changes > 0 && (
    <Text size="sm" c="dimmed" role="status">
      {chosen} of {changes} {changes === 1 ? 'change' : 'changes'} chosen
    </Text>
  );

type Choices = readonly (ChangeChoice | undefined)[];

/** What is chosen of each change of two texts. */
const useChoices = (
  { current, other }: Pick<ChoicesByChangeProps, 'current' | 'other'>,
  initial: ConflictWork['choices'] = [],
) => {
  const parts = useMemo(() => conflictParts(current, other), [current, other]);
  const changes = (parts ?? []).filter(({ kind }) => kind === 'change').length;
  const [state, setState] = useState<{ readonly of: typeof parts; readonly choices: Choices }>({
    of: parts,
    choices: initial.slice(0, changes).map((choice) => choice ?? undefined),
  });
  // A newer version has other changes.
  const choices = state.of === parts ? state.choices : none;
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

const none: Choices = [];
