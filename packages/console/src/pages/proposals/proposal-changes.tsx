import { Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { LineDiff } from '../notes/diff/line-diff.tsx';
import { Markdown } from '../notes/markdown/markdown.tsx';
import { UnacceptedText } from '../notes/markdown/unaccepted-text.ts';
import { changedFields } from './changed-fields.ts';
import classes from './proposals.module.css';
import type { Comparison, Fields } from './use-comparison.ts';

type Shown = Extract<Comparison, { readonly kind: 'change' | 'new' | 'deleted' }>;

/** What a proposal changes: the fields, then the text by lines and words, or the whole text as it would be. */
export const ProposalChanges = ({ comparison }: { readonly comparison: Shown }) => {
  const before = comparison.kind === 'change' ? comparison.before : null;
  const { after } = comparison;
  const [isWhole, setIsWhole] = useState(before === null);
  const isTextChanged = before?.content !== after.content;
  return (
    <Stack gap="sm">
      <FieldChanges before={before} after={after} />
      {isTextChanged || isWhole ? (
        <>
          <div>
            <Button
              size="xs"
              variant="default"
              aria-pressed={isWhole}
              onClick={() => setIsWhole(!isWhole)}
            >
              Show the whole text
            </Button>
          </div>
          {isWhole ? (
            <section aria-label="The proposed text">
              {after.content === '' ? (
                <Text c="dimmed">The text is empty.</Text>
              ) : (
                <UnacceptedText value>
                  <Markdown>{after.content}</Markdown>
                </UnacceptedText>
              )}
            </section>
          ) : (
            <LineDiff
              before={before?.content ?? ''}
              after={after.content}
              label="Changes"
              isWrapped
            />
          )}
        </>
      ) : (
        <Text size="sm" c="dimmed">
          The text does not change.
        </Text>
      )}
    </Stack>
  );
};

type FieldsProps = { readonly before: Fields | null; readonly after: Fields };

/** The fields beside the text that change. */
export const FieldChanges = ({ before, after }: FieldsProps) => {
  const changes = changedFields(before, after);
  return changes.length === 0 ? null : (
    <dl className={classes['fields']}>
      {changes.map(({ label, removed, added, isEmptied }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            {removed.length > 0 && <del>{removed.join(' ')}</del>}{' '}
            {added.length > 0 && <ins>{added.join(' ')}</ins>}
            {isEmptied && <Text span>none</Text>}
          </dd>
        </div>
      ))}
    </dl>
  );
};
