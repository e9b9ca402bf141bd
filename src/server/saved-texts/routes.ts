import type { FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { API } from '#contract/paths';
import {
  listTextsQuerySchema,
  renameTextRequestSchema,
  savedTextResponseSchema,
  savedTextSchema,
  savedTextsResponseSchema,
  saveTextRequestSchema,
} from '#contract/saved-text';
import { readBody } from '../http/body.ts';
import { jsonStream } from '../http/json-stream.ts';
import type { Browser } from '../people/browser.ts';
import { premiumRequired } from './errors.ts';
import type { SavedTexts } from './repository.ts';

interface SavedTextsRoutesOptions {
  texts: SavedTexts;
  browser: Browser;
  isPremium: (userId: string) => Promise<boolean>;
}

/** Room for the longest text in characters of four bytes, and some escapes. */
const BODY_BYTES = 6 * 1024 * 1024;

const paramsSchema = z.object({ id: z.string().max(100) });

/** Saving is for premium; what was saved can be read, taken away and deleted for ever. */
export const savedTextsRoutes: FastifyPluginAsyncZod<SavedTextsRoutesOptions> = async (
  app,
  { texts, browser, isPremium },
) => {
  const user = { config: { access: 'user' as const } };
  const person = (request: FastifyRequest) => browser.requirePerson(request);

  app.post(
    API.texts,
    {
      ...user,
      bodyLimit: BODY_BYTES,
      schema: { response: { 201: z.object({ text: savedTextSchema }) } },
    },
    async (request, reply) => {
      const owner = await person(request);
      if (!(await isPremium(owner.userId))) throw premiumRequired();
      const { name, text, language = '' } = readBody(saveTextRequestSchema, request.body);
      return reply.code(201).send({ text: await texts.save(owner, { name, text, language }) });
    },
  );

  app.get(
    API.texts,
    { ...user, schema: { response: { 200: savedTextsResponseSchema } } },
    async (request) => {
      const { search, before } = readBody(listTextsQuerySchema, request.query);
      return texts.list(await person(request), {
        ...(search !== undefined && { search }),
        ...(before !== undefined && { before }),
      });
    },
  );

  app.get(
    API.text,
    { ...user, schema: { params: paramsSchema, response: { 200: savedTextResponseSchema } } },
    async (request) => ({ text: await texts.read(await person(request), request.params.id) }),
  );

  app.patch(
    API.text,
    { ...user, schema: { params: paramsSchema, response: { 200: z.object({ text: savedTextSchema }) } } },
    async (request) => {
      const { name } = readBody(renameTextRequestSchema, request.body);
      return { text: await texts.rename(await person(request), request.params.id, name) };
    },
  );

  app.delete(API.text, { ...user, schema: { params: paramsSchema } }, async (request) => {
    await texts.remove(await person(request), request.params.id);
    return {};
  });

  app.get(API.exportTexts, user, async (request, reply) => {
    const { userId } = await person(request);
    return reply
      .header('content-disposition', 'attachment; filename="glyphlift-texts.json"')
      .type('application/json; charset=utf-8')
      .send(jsonStream(texts.all(userId)));
  });
};
