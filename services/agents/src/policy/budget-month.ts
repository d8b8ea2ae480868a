/** The UTC month of a moment as budgets name it: its first day, `2026-11-01`. */
export const budgetMonth = (at: Date): string => `${at.toISOString().slice(0, 7)}-01`;
