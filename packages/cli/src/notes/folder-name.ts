/** A folder as the API names it: people and completion write a slash at its end. */
export const folderName = (text: string): string => text.replace(/\/$/, '');
