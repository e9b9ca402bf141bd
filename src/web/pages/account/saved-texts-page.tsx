import { useQuery } from '@tanstack/react-query';
import { savedTextsQuery } from '../../features/saved-texts/saved-texts-calls.ts';
import { SavedTextsList } from '../../features/saved-texts/saved-texts-list.tsx';
import type { Page } from '../../router/page.ts';
import { userQuery } from '../../session/queries.ts';
import { SignedOut } from './signed-out.tsx';

/** A subscriber's saved texts. The navigation bar links to this page; the account page lists the texts too. */
function SavedTextsPage() {
  const user = useQuery(userQuery).data;
  return (
    <div className="page-width py-10 md:py-16">
      <h1 className="text-4xl">Saved texts</h1>
      {user ? (
        <>
          <p className="mt-3 mb-8 text-ink-soft">Texts you chose to keep. Never the pictures.</p>
          <h2 className="sr-only">Your texts</h2>
          <SavedTextsList key={user.username} premium={user.isPremium} />
        </>
      ) : (
        <SignedOut />
      )}
    </div>
  );
}

export const page: Page = {
  Component: SavedTextsPage,
  isPrivate: true,
  async load({ queryClient, data }) {
    if (!queryClient.getQueryData(userQuery.queryKey)) return undefined;
    await queryClient.prefetchInfiniteQuery({
      ...savedTextsQuery(''),
      queryFn: async () => {
        const texts = await data.savedTexts();
        if (!texts) throw new Error('no texts');
        return texts;
      },
    });
    return undefined;
  },
  meta: () => ({
    title: 'Saved texts',
    description: 'Your saved texts, to search, open and download.',
  }),
};
