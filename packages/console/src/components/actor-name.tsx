import { useActorNames, type Actor } from './use-actor-names.ts';

/** The name of an actor, or its kind if it is not in the company any more. */
export const ActorName = ({ actor }: { readonly actor: Actor }) => useActorNames().nameOf(actor);
