/** "note" of one, "notes" of any other number. */
export const plural = (count: number, noun: string): string => (count === 1 ? noun : `${noun}s`);
