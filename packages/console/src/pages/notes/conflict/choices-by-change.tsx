import { Button, Group, Stack, Text } from '@mantine/core';
import { useEffect, useEffectEvent } from 'react';
import { CombinedText } from './combined-text.tsx';
import { ConflictChanges } from './conflict-changes.tsx';
import { textOfChoices, type ChangeChoice, type Choices } from './conflict-parts.ts';
import { NotKept } from '../editor/not-kept.tsx';
import { LeftDraft } from '../editor/left-draft.tsx';
import { ReadOnlyNotice } from '../editor/read-only-notice.tsx';
import { LineDiff } from '../diff/line-diff.tsx';
import { useChoices, type Chosen, type Initial } from './use-choices.ts';
import { useWrittenText, type ChoicesDraft } from './use-written-text.ts';
import type { VersionNames } from './version-names.ts';

type ChoicesByChangeProps = {
  readonly current: string;
  readonly other: string;
  readonly names: VersionNames;
  readonly isPending: boolean;
  readonly failure: React.ReactNode;
  /** Whether the server would refuse to save now. */
  readonly isReadOnly?: boolean;
  /** Absent for those who may change nothing. */
  readonly onSave?: (content: string) => void;
  /** Opens an editor with a text, and guards it. Absent: it is opened below the changes. */
  readonly onWrite?: (content: string) => void;
  /** Where choices and text are kept, and what they begin with. Absent: the page keeps what it has to. */
  readonly draft?: ChoicesDraft;
  /** Choices that the page keeps, and what they begin with. */
  readonly kept?: { readonly initial: Initial | null; readonly onChange: (work: Chosen) => void };
  /** Further choices. */
  readonly children: React.ReactNode;
};

/** What to keep of each change, a text written by hand, or a choice for the whole note. */
export const ChoicesByChange = (props: ChoicesByChangeProps) => {
  const { current, other, isPending, failure, onSave, onWrite, draft, children } = props;
  const { work, choose, dropEarlier, ...found } = useKeptChoices(props);
  const { parts, changes, chosen } = found;
  const { choices, earlier } = work;
  const { written, write, editor, update, isKept } = useWrittenText(work, draft);
  const differences = <Differences {...props} parts={parts} choices={choices} onChoose={choose} />;
  if (!onSave) {
    return differences;
  }
  const combined = parts ? textOfChoices(parts, choices) : `${current}\n${other}`;
  return (
    <>
      {differences}
      <Stack>
        {props.isReadOnly && <ReadOnlyNotice read={() => editor.current?.read() ?? combined} />}
        {failure}
        <NotKept isKept={isKept} />
        <EarlierChoices earlier={earlier} onDiscard={dropEarlier} />
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
            <WriteYourself isPending={isPending} onClick={() => (onWrite ?? write)(combined)} />
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

type WriteYourselfProps = { readonly isPending: boolean; readonly onClick: () => void };

/** Opens an editor, not while something else is saved. */
const WriteYourself = ({ isPending, onClick }: WriteYourselfProps) => (
  <Button variant="default" disabled={isPending} onClick={onClick}>
    Write it yourself
  </Button>
);

/** The choices, each change of which is reported to a page that keeps them. */
const useKeptChoices = (props: ChoicesByChangeProps) => {
  const { draft, kept } = props;
  const found = useChoices(props, draft?.initial ?? kept?.initial ?? null);
  const { work } = found;
  const report = useEffectEvent(() => kept?.onChange(work));
  useEffect(() => report(), [work]);
  return found;
};

type EarlierChoicesProps = {
  readonly earlier: string | null;
  readonly onDiscard: () => void;
};

/** What was chosen of earlier versions, to be copied. */
const EarlierChoices = ({ earlier, onDiscard }: EarlierChoicesProps) =>
  earlier !== null && (
    <LeftDraft
      title="Your earlier choices"
      reason="This text has what you chose from earlier versions. Not every choice applies to the newest ones."
      text={earlier}
      onDiscard={onDiscard}
      discard="Discard earlier choices"
    />
  );

type DifferencesProps = ChoicesByChangeProps & {
  readonly parts: ReturnType<typeof useChoices>['parts'];
  readonly choices: Choices;
  readonly onChoose: (change: number, choice: ChangeChoice) => void;
};

const Differences = (props: DifferencesProps) => {
  const { current, other, names, parts, choices, isPending, onSave, onChoose } = props;
  return parts ? (
    <ConflictChanges
      parts={parts}
      names={names}
      choices={choices}
      isLocked={isPending}
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
