import { notifications } from '@mantine/notifications';
import type { FileReport } from './read-dropped-files.ts';

/** Says what became of files that were pasted or dropped into a text. */
export const explainFiles = (report: FileReport): void => {
  if (report.added.length > 0) {
    notifications.show({
      message: `The text of ${named(report.added)} was added as it is. The file itself is not kept.`,
    });
  }
  for (const message of warnings(report)) {
    notifications.show({ color: 'orange', message });
  }
};

const warnings = ({ assumed, images, tooLarge, notText, unreadable }: FileReport): string[] => [
  ...(assumed.length > 0
    ? [
        `The text of ${named(assumed)} is not UTF-8 and was added as Windows-1252. Check letters with accents and signs such as €.`,
      ]
    : []),
  ...(images.length > 0
    ? [
        'Notes hold text only, so the image was not added. Paste one from a page, or link to its address.',
      ]
    : []),
  ...(tooLarge.length > 0
    ? [`Not added: ${named(tooLarge)}. Notes hold text of at most 512 KiB.`]
    : []),
  ...(notText.length > 0
    ? [`Not added: ${named(notText)}. Notes hold text only, and this is none.`]
    : []),
  ...(unreadable.length > 0
    ? [`Not added: ${named(unreadable)}. It is a folder, or the browser cannot read it.`]
    : []),
];

const named = (names: readonly string[]): string => names.map((name) => `“${name}”`).join(', ');
