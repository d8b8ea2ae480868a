/** A title as links compare it: single spaces. PostgreSQL compares the rest, with `notes.title_key`. */
export const linkedTitle = (title: string): string => title.replace(/\s+/gu, ' ').trim();
