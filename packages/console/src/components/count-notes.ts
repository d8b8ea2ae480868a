import { plural } from './plural.ts';

/** "1 note", "12 notes". */
export const countNotes = (count: number): string => `${count} ${plural(count, 'note')}`;
