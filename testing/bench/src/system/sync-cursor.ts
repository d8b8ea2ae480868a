import { bearer, type CompanyWorld } from '@commonplace/e2e';
import type { Product } from './product.ts';
import { retryingApi } from './retrying-api.ts';

/** The cursor behind everything that a company has now, if that fits a page. */
export const syncCursorOf = async (
  { url: baseUrl }: Pick<Product, 'url'>,
  { key }: Pick<CompanyWorld, 'key'>,
): Promise<string> => {
  const byKey = retryingApi({ baseUrl, headers: bearer(key) });
  const { body } = await byKey('POST', '/api/sync', { body: {} });
  return (body as { cursor: string }).cursor;
};
