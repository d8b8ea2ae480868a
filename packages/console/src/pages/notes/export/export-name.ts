import { dayOf } from '../../../api/days.ts';

type Exported = {
  readonly company: string;
  /** Undefined: all notes. */
  readonly folder: string | undefined;
  readonly now: Date;
};

const partMax = 60;

/** The name of the file of an export: what is in it, and its day where the operator is. */
export const exportName = ({ company, folder, now }: Exported): string => {
  const parts = [company, ...(folder === undefined ? [] : [folder.split('/').at(-1) ?? ''])];
  return `${[...parts.map(asPart), dayOf(now)].filter((part) => part !== '').join(' ')}.zip`;
};

/** Without what file systems refuse, and without a dot that would hide the file. */
const asPart = (text: string): string =>
  text
    .replaceAll(/[\u0000-\u001f\u007f<>:"/\\|?*]/g, '-')
    .replace(/^\.+/, '')
    .slice(0, partMax)
    // The cut may be inside a character.
    .replace(/[\ud800-\udbff]$/, '')
    .trim();
