/** What a list is ordered by (a time, a title or a rank) and the id, of the row before a page. */
export type PagePosition = readonly [sortValue: string | number, id: string];
