/** The title of a note as it is displayed. */
export const titleText = (title: string): string => (title === '' ? 'Untitled' : title);
