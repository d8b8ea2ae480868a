import { isId } from '../../components/is-id.ts';

/** What a page is about. */
export type Shown = { readonly kind: 'agents' | 'notes' | 'runs'; readonly id: string };

const place = /^\/companies\/[^/]+\/(agents|notes|runs)\/([^/]+)/;

/** The agent, note or run of an address, also below it; null: it has none. */
export const shownAt = (pathname: string): Shown | null => {
  const [, kind, id = ''] = place.exec(pathname) ?? [];
  return kind !== undefined && isId(id) ? { kind: kind as Shown['kind'], id } : null;
};
