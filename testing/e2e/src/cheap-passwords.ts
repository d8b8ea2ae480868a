import { registerHooks } from 'node:module';

/*
 * Loaded into the auth process of a test system with `--import`: hashes passwords with the lowest cost of bcrypt,
 * because nearly every test signs an operator in, which takes a quarter of a second. The service has no switch for this, so
 * it cannot be enabled in production.
 */

const place = '/services/auth/src/passwords/passwords.ts';
const costly = 'bcryptCost = 12;';
const cheap = 'bcryptCost = 4;';

registerHooks({
  load: (url, context, nextLoad) => {
    const loaded = nextLoad(url, context);
    if (!url.endsWith(place)) {
      return loaded;
    }
    const source = textOf(loaded.source);
    if (!source.includes(costly)) {
      throw new Error(`${place} must contain the text that tests replace: ${costly}`);
    }
    return { ...loaded, source: source.replace(costly, cheap) };
  },
});

function textOf(source: unknown): string {
  return typeof source === 'string' ? source : Buffer.from(source as Uint8Array).toString();
}
