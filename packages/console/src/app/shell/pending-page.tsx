import { useRouter } from '@tanstack/react-router';
import { PageSkeleton } from '../../components/skeletons.tsx';
import { CardSkeleton } from './card-skeleton.tsx';

/** The placeholder of a page that loads, in the layout that it will have. */
export const PendingPage = () => {
  const router = useRouter();
  const isSignedIn = router
    .matchRoutes(router.latestLocation)
    .some(({ routeId }) => routeId === '/signed-in');
  return isSignedIn ? <PageSkeleton /> : <CardSkeleton />;
};
