import { Text } from '@mantine/core';
import { TextLink } from '../../../components/links.tsx';
import { newTab } from '../../../components/new-tab.ts';
import type { TitleTwin } from './use-title-twins.ts';

type TitleHintProps = {
  readonly companyId: string;
  readonly folder: string;
  readonly twins: readonly TitleTwin[];
  /** The newest note of a title is the one that links lead to. */
  readonly isNew: boolean;
};

/** Says that the folder has a note of this title already, and links to it. It may have another one. */
export const TitleHint = ({ companyId, folder, twins, isNew }: TitleHintProps) => {
  const [newest] = twins;
  return (
    <Text component="div" size="sm" c="dimmed" role="status" className="any-script">
      {newest && (
        <>
          {folder === '' ? 'A note without a folder' : `A note in ${folder}`} has this title
          already: {/* Beside an editor, a link that replaced the page would leave the text. */}
          <TextLink
            to="/companies/$companyId/notes/$noteId"
            params={{ companyId, noteId: newest.id }}
            {...newTab}
            size="sm"
            underline="always"
          >
            <bdi>{newest.title}</bdi>
          </TextLink>
          {isNew && '. Links by this title will lead to the new one.'}
        </>
      )}
    </Text>
  );
};
