/** What a link has that opens in a new tab: screen readers say so. */
export const newTab = { target: '_blank', 'aria-description': 'Opens in a new tab' } as const;
