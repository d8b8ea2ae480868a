import { Stream } from 'node:stream';

/**
 * The body of a request that has none. To pipe the request itself takes eight listeners and two turns of the
 * event loop, only to find that nothing comes.
 */
export const emptyBody: Stream = Object.assign(new Stream(), {
  pipe: <Target extends NodeJS.WritableStream>(target: Target): Target => {
    target.end();
    return target;
  },
});
