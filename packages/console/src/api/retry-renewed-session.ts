type Send = (request: Request) => Promise<Response>;

/** By then the browser has the new cookie of a session that was confirmed while a request was under way. */
const renewedWithinMs = 1_000;

/**
 * Makes a `fetch` that sends a request once more if its session was not found, after one of this page was: the first may
 * have had a cookie that a confirmation, in this tab or another, replaced meanwhile. It changed nothing, but those that
 * show a proof have used it up, so they are not sent again. Where the session is not found twice it has ended; no other
 * request waits for that again.
 */
export const retryRenewedSession = (send: Send, pauseMs = renewedWithinMs): Send => {
  let isSignedIn = false;
  return async (request) => {
    // A body can be read only once.
    const copy = request.clone();
    const response = await send(request);
    isSignedIn ||= response.ok && new URL(request.url).pathname === '/api/auth/session';
    if (!isSignedIn || isProof(request) || !(await isExpired(response))) {
      return response;
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    const second = await send(copy);
    isSignedIn = !(await isExpired(second));
    return second;
  };
};

/** Whether it sends a code or a response to a challenge, which count once. */
const isProof = ({ method, url }: Request): boolean =>
  method === 'POST' &&
  ['/api/auth/reauthenticate', '/api/auth/passkeys'].includes(new URL(url).pathname);

/** A browser without any cookie gets another code, and a proxy may send what is not JSON. */
const isExpired = async (response: Response): Promise<boolean> =>
  response.status === 401 && (await response.clone().text()).includes('"session_expired"');
