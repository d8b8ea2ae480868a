import { Switch } from '@mantine/core';
import { useState } from 'react';
import type { NoteText } from '../note-text.ts';

type LinkUpdatesProps = {
  readonly title: string;
  readonly links: ReturnType<typeof useLinkUpdates>;
};

/** Offers to change the links of other notes with the title of this one. */
export const LinkUpdates = ({ title, links }: LinkUpdatesProps) =>
  links.isOffered && (
    <Switch
      label={`Change the links of other notes to “${title}” as well`}
      checked={links.isUpdated}
      onChange={(event) => links.setUpdated(event.currentTarget.checked)}
    />
  );

/** Whether a rename changes the links of other notes too, which is offered for a note that is saved already. */
export const useLinkUpdates = (
  {
    saved,
    baseRevision,
  }: { readonly saved: Pick<NoteText, 'title'>; readonly baseRevision: number | null },
  title: string,
) => {
  const [isUpdated, setUpdated] = useState(false);
  const isOffered =
    baseRevision !== null && saved.title !== '' && title !== '' && title !== saved.title;
  return { isOffered, isUpdated, setUpdated };
};
