/** The one cookie of a header that has this name, as it was sent; the first, where there are several. */
export const findCookie = (header: string | undefined, name: string): string | null =>
  (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(`${name}=`)) ?? null;
