import { Alert, Button, Group } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { sessionQuery } from '../../../api/session-queries.ts';
import { useCompanyId } from '../../../api/use-company-id.ts';
import { PlainList } from '../../../components/plain-list.tsx';
import { TextLink } from '../../../components/links.tsx';
import { RelativeTime } from '../../../components/relative-time.tsx';
import { titleText } from '../../../components/title-text.ts';
import { discardLeft } from './discard-draft.ts';
import { draftKeyOf, listNewDrafts, newDraftsMax, type NamedDraft } from './drafts.ts';

/** The new notes that the operator began in this browser and did not save, besides the one on the page, whose key is given. */
export const useUnsavedNewNotes = (besidesKey?: string) => {
  const companyId = useCompanyId();
  const { data: session } = useSuspenseQuery(sessionQuery);
  const owner = { operatorId: session.operator.id, companyId };
  const [drafts, setDrafts] = useState(() => listNewDrafts(owner));
  const readAgain = useEffectEvent(() => setDrafts(listNewDrafts(owner)));
  // Another tab may have saved or discarded one.
  useEffect(() => {
    const read = (): void => readAgain();
    window.addEventListener('storage', read);
    window.addEventListener('focus', read);
    return () => {
      window.removeEventListener('storage', read);
      window.removeEventListener('focus', read);
    };
  }, []);
  const others = drafts.filter(({ name }) => draftKeyOf(name) !== besidesKey);
  return {
    others,
    isFull: others.length >= newDraftsMax,
    discard: async (name: NamedDraft['name']): Promise<void> => {
      await discardLeft(draftKeyOf(name));
      setDrafts(listNewDrafts(owner));
    },
  };
};

type UnsavedNewNotesProps = { readonly unsaved: ReturnType<typeof useUnsavedNewNotes> };

/** Leads to each of them, and gives it up. Nothing if there is none. */
export const UnsavedNewNotes = ({ unsaved }: UnsavedNewNotesProps) => {
  const { others, isFull, discard } = unsaved;
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? others : others.slice(0, shownMax);
  return others.length === 0 ? null : (
    <Alert
      mb="md"
      role="status"
      title={others.length === 1 ? 'An unsaved new note' : `${others.length} unsaved new notes`}
    >
      {isFull &&
        `This browser keeps ${newDraftsMax} of them. Save or discard one, or another new note is not kept.`}
      <PlainList>
        {shown.map(({ name, draft }) => (
          <li key={name.newId ?? ''}>
            <Group justify="space-between" wrap="nowrap">
              <span className="any-script" style={{ minWidth: 0 }}>
                <TextLink
                  to="/companies/$companyId/notes/new"
                  params={{ companyId: name.companyId }}
                  search={{ draft: name.newId ?? earlierId }}
                  inherit
                >
                  {nameOf(draft)}
                </TextLink>{' '}
                <RelativeTime at={draft.savedAt} />
              </span>
              <Button
                variant="default"
                size="xs"
                flex="none"
                aria-label={`Discard draft ${nameOf(draft)}`}
                onClick={() => void discard(name)}
              >
                Discard draft
              </Button>
            </Group>
          </li>
        ))}
      </PlainList>
      {shown.length < others.length && (
        <Button variant="subtle" size="xs" mt="xs" onClick={() => setWhole(true)}>
          Show all {others.length}
        </Button>
      )}
    </Alert>
  );
};

/** What one came for should stay in view. */
const shownMax = 3;

/** In the address of the one that a console of an earlier version has kept. */
export const earlierId = 'earlier';

const wordsMax = 60;

/** Its title, or else how it begins. */
const nameOf = ({ text: { title, content } }: NamedDraft['draft']): string =>
  titleText(title || content.trim().slice(0, wordsMax));
