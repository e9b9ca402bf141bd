import type { FastifyInstance } from 'fastify';
import {
  changeText,
  deleteText,
  exportTexts,
  listTexts,
  readText,
  saveText,
} from '#contract/calls/saved-texts';
import type { Browser } from '../accounts/browser.ts';
import { jsonStream } from '../http/json-stream.ts';
import { route } from '../http/route.ts';
import { premiumRequired } from './saved-texts.errors.ts';
import type { SavedTexts } from './saved-texts.repository.ts';

interface SavedTextsRoutesOptions {
  texts: SavedTexts;
  browser: Browser;
  isPremium: (userId: string) => Promise<boolean>;
}

/** Saving is for premium; what was saved can be read, corrected, taken away and deleted for ever. */
export async function savedTextsRoutes(
  app: FastifyInstance,
  { texts, browser, isPremium }: SavedTextsRoutesOptions,
): Promise<void> {
  route(
    app,
    saveText,
    async ({ request, body: { language = '', ...body } }) => ({
      text: await texts.save(await browser.requirePerson(request), { ...body, language }),
    }),
    {
      async preHandler(request) {
        const { userId } = await browser.requirePerson(request);
        if (!(await isPremium(userId))) throw premiumRequired();
      },
    },
  );

  route(app, listTexts, async ({ request, query: { search, before } }) =>
    texts.list(await browser.requirePerson(request), {
      ...(search !== undefined && { search }),
      ...(before !== undefined && { before }),
    }),
  );

  route(app, readText, async ({ request, params }) => ({
    text: await texts.read(await browser.requirePerson(request), params.id),
  }));

  route(app, changeText, async ({ request, params, body }) => ({
    text: await texts.change(await browser.requirePerson(request), params.id, body),
  }));

  route(app, deleteText, async ({ request, params }) => {
    await texts.remove(await browser.requirePerson(request), params.id);
  });

  route(app, exportTexts, async ({ request, reply }) => {
    const { userId } = await browser.requirePerson(request);
    return reply
      .header('content-disposition', 'attachment; filename="glyphlift-texts.json"')
      .type('application/json; charset=utf-8')
      .send(jsonStream(texts.all(userId)));
  });
}
