const yearSeconds = 31_536_000;

/**
 * The cookie of the choice. The gateway reads it: the content security policy of the page has to allow what the page shows. With
 * the prefix, which needs HTTPS, no other host of the site can set it.
 */
const cookie = (): string =>
  `${location.protocol === 'https:' ? '__Host-' : ''}commonplace_images=all`;

/** Whether this browser shows images of other servers in notes. Those servers learn who reads a note, and when. */
export const foreignImages = {
  areShown: (): boolean => document.cookie.split('; ').includes(cookie()),
  /** The policy is that of the page, so the page has to be loaded again. */
  choose: (areShown: boolean): void => {
    const secure = location.protocol === 'https:' ? '; Secure' : '';
    document.cookie = `${cookie()}; Path=/; SameSite=Lax; Max-Age=${areShown ? yearSeconds : 0}${secure}`;
    location.reload();
  },
};
