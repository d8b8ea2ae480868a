import { notifications } from '@mantine/notifications';
import type { FileReport } from './read-dropped-files.ts';

/** Says what became of files that were pasted or dropped into a text. */
export const explainFiles = ({ added, images, others }: FileReport): void => {
  if (added.length > 0) {
    notifications.show({
      message: `The text of ${named(added)} was added as it is. The file itself is not kept.`,
    });
  }
  if (images.length > 0) {
    notifications.show({
      color: 'orange',
      message:
        'Notes hold text only, so the image was not added. Paste one from a page, or link to its address.',
    });
  }
  if (others.length > 0) {
    notifications.show({
      color: 'orange',
      message: `Not added: ${named(others)}. Notes hold text of at most 512 KiB.`,
    });
  }
};

const named = (names: readonly string[]): string => names.map((name) => `“${name}”`).join(', ');
