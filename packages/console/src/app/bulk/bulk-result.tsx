import { Button, CloseButton, Group, List, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { ProblemError } from '@commonplace/client';
import { TextLink } from '../../components/links.tsx';
import { Said } from '../../components/said.tsx';
import { detailOf } from '../../components/error-alert.tsx';
import classes from './bulk-bar.module.css';
import { RefusedChange } from './refused-change.ts';
import { restOf, summaryOf, tasksBack, type BulkReport } from './bulk-report.ts';

type BulkResultProps = {
  readonly companyId: string;
  readonly report: BulkReport;
  readonly onContinue: () => void;
  readonly onUndo: () => void;
  readonly onDismiss: () => void;
};

/** How many notes were changed, which were not and why, and the way back. */
export const BulkResult = (props: BulkResultProps) => {
  const { companyId, report, onContinue, onUndo, onDismiss } = props;
  return (
    <>
      <Group gap="xs" wrap="nowrap">
        <Summary report={report} />
        {restOf(report).length > 0 && (
          <Button size="xs" variant="default" onClick={onContinue}>
            Continue
          </Button>
        )}
        {tasksBack(report).length > 0 && (
          <Button size="xs" variant="default" onClick={onUndo}>
            Undo
          </Button>
        )}
        <CloseButton aria-label="Dismiss" onClick={onDismiss} />
      </Group>
      {report.failed.length > 0 && (
        <List
          size="sm"
          my="xs"
          tabIndex={0}
          aria-label="Notes that were not changed"
          className={classes['failures']}
        >
          {report.failed.map(({ task, error }) => (
            <List.Item key={task.noteId}>
              <TextLink
                to="/companies/$companyId/notes/$noteId"
                params={{ companyId, noteId: task.noteId }}
                size="sm"
              >
                {task.title}
              </TextLink>
              {`: ${reasonOf(error)}`}
            </List.Item>
          ))}
        </List>
      )}
    </>
  );
};

const said = new WeakSet<BulkReport>();

/** Said once: the bar with it moves between the pages. */
const Summary = ({ report }: Pick<BulkResultProps, 'report'>) => {
  const [isNew] = useState(() => !said.has(report));
  useEffect(() => void said.add(report), [report]);
  const text = summaryOf(report);
  return isNew ? (
    <Said flex={1}>{text}</Said>
  ) : (
    <Text size="sm" flex={1}>
      {text}
    </Text>
  );
};

const reasonOf = (error: unknown): string => {
  const isRefused = error instanceof RefusedChange;
  const code = isRefused || error instanceof ProblemError ? error.code : null;
  switch (code) {
    case 'precondition_failed':
      return 'changed meanwhile, so it was left alone.';
    case 'note_deleted':
    case 'not_found':
      return 'deleted meanwhile.';
    case 'validation_failed':
      return error instanceof ProblemError && error.errors[0]
        ? error.errors[0].message
        : detailOf(error);
    default:
      return isRefused ? error.message : detailOf(error);
  }
};
