import { useQuery } from '@tanstack/react-query';
import { PAGES } from '#contract/paths';
import { useDialogs } from '../../dialogs/dialogs.tsx';
import { SavedTextView } from '../../features/saved-texts/saved-text-view.tsx';
import { savedTextQuery } from '../../features/saved-texts/saved-texts-calls.ts';
import type { Page } from '../../router/page.ts';
import { useParams } from '../../router/router.tsx';
import { userQuery } from '../../session/queries.ts';
import { Link } from '../../ui/basics/button.tsx';
import { SignedOut } from './signed-out.tsx';

/** A saved text in the same workspace as a new result. */
function SavedTextPage() {
  const { id = '' } = useParams();
  const user = useQuery(userQuery).data;
  const { openFor } = useDialogs();
  return (
    <div className="page-width py-7 md:py-10">
      {user ? (
        <>
          <p className="mb-4">
            <Link to={PAGES.texts} className="text-link inline-flex min-h-11 items-center">
              Saved texts
            </Link>
          </p>
          <SavedTextView
            key={`${user.username} ${id}`}
            id={id}
            owner={user.username}
            onUpgrade={() => openFor('upgrade')}
          />
        </>
      ) : (
        <>
          <h1 className="text-4xl">Saved text</h1>
          <SignedOut />
        </>
      )}
    </div>
  );
}

export const page: Page = {
  Component: SavedTextPage,
  isPrivate: true,
  async load({ params: { id = '' }, queryClient, data }) {
    if (!queryClient.getQueryData(userQuery.queryKey)) return undefined;
    const found = await data.savedText(id);
    queryClient.setQueryData(savedTextQuery(id).queryKey, found);
    return found ? 200 : 404;
  },
  meta: () => ({ title: 'Saved text', description: 'One of your saved texts, to edit and download.' }),
};
