/** Only these paths of this server are loaded as images. */
const imagePath = /\.(?:avif|gif|jpe?g|png|svg|webp)$/i;

/** Whatever they end with: a note must not make a browser call the API as its operator. */
const apiPath = /^\/+(?:api|internal|mcp|connect|packages|\.well-known)(?:\/|$)/i;

/** Where an image of a note is: on this server, on another one over HTTPS, or nowhere that it may be loaded from. */
export const imageOrigin = (
  src: string | undefined,
  ownOrigin: string,
): 'own' | 'foreign' | null => {
  const url = URL.parse(src ?? '', ownOrigin);
  if (src === undefined || url === null) {
    return null;
  }
  if (url.origin === ownOrigin) {
    return isImagePath(url.pathname) ? 'own' : null;
  }
  return url.protocol === 'https:' ? 'foreign' : null;
};

const isImagePath = (written: string): boolean => {
  try {
    const path = decodeURIComponent(written);
    return imagePath.test(path) && !apiPath.test(path);
  } catch {
    return false;
  }
};
