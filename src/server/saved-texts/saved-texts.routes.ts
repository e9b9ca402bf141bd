import type { FastifyInstance } from 'fastify';
import {
  changeText,
  deleteText,
  exportTexts,
  listTexts,
  readText,
  saveText,
} from '#contract/calls/saved-texts';
import { requireUser } from '../accounts/browser.ts';
import { jsonStream, route } from '../http/route.ts';
import { premiumRequired } from './saved-texts.errors.ts';
import type { SavedTexts } from './saved-texts.repository.ts';

interface SavedTextsRoutesOptions {
  texts: SavedTexts;
  isPremium: (userId: string) => Promise<boolean>;
}

/** Saving is for premium; saved texts can be read, corrected, exported and deleted without it. */
export async function savedTextsRoutes(
  app: FastifyInstance,
  { texts, isPremium }: SavedTextsRoutesOptions,
): Promise<void> {
  route(
    app,
    saveText,
    async ({ request, body: { language = '', ...body } }) => ({
      text: await texts.save(requireUser(request), { ...body, language }),
    }),
    {
      async preHandler(request) {
        const { userId } = requireUser(request);
        if (!(await isPremium(userId))) throw premiumRequired();
      },
    },
  );

  route(app, listTexts, async ({ request, query: { search, before } }) =>
    texts.list(requireUser(request), {
      ...(search !== undefined && { search }),
      ...(before !== undefined && { before }),
    }),
  );

  route(app, readText, async ({ request, params }) => ({
    text: await texts.read(requireUser(request), params.id),
  }));

  route(app, changeText, async ({ request, params, body }) => ({
    text: await texts.change(requireUser(request), params.id, body),
  }));

  route(app, deleteText, async ({ request, params }) => {
    await texts.remove(requireUser(request), params.id);
  });

  route(app, exportTexts, async ({ request, reply }) => {
    const { userId } = requireUser(request);
    return reply
      .header('content-disposition', 'attachment; filename="glyphlift-texts.json"')
      .type('application/json; charset=utf-8')
      .send(jsonStream(texts.all(userId)));
  });
}
