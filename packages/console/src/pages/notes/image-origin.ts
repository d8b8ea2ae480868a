/** Other paths of this server are no images: a note must not make a browser call the API as its operator. */
const imagePath = /\.(?:avif|gif|jpe?g|png|svg|webp)$/i;

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
    return imagePath.test(url.pathname) ? 'own' : null;
  }
  return url.protocol === 'https:' ? 'foreign' : null;
};
