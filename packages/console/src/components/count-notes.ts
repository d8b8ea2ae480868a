/** "1 note", "12 notes". */
export const countNotes = (count: number): string => (count === 1 ? '1 note' : `${count} notes`);
