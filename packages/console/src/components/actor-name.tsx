import { Name } from './name.tsx';
import { useActorNames, type Actor } from './use-actor-names.ts';

/**
 * The name of an actor, or its kind if it is not in the company any more. A name from right to left does not turn the words
 * and numbers around it.
 */
export const ActorName = ({ actor }: { readonly actor: Actor }) => (
  <Name>{useActorNames().nameOf(actor)}</Name>
);
