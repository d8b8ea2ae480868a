import { createRequestStateCodec } from '@modelcontextprotocol/server';

type State = Readonly<Record<string, unknown>>;

/** The process serves both rounds of an exchange; several processes would share a key. */
const codec = createRequestStateCodec<State>({
  key: crypto.getRandomValues(new Uint8Array(32)),
});

/** Seals what the next round needs. */
export const sealState = (state: State): Promise<string> => codec.mint(state);

/** Rejects a state that this process did not seal. */
export const verifyState = (...given: Parameters<typeof codec.verify>) => codec.verify(...given);
