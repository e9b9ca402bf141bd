import { z } from 'zod';
import { call, DONE } from '../call.ts';
import {
  changeTextRequestSchema,
  listTextsQuerySchema,
  MAX_READING_BYTES,
  savedTextResponseSchema,
  savedTextSchema,
  savedTextsResponseSchema,
  saveTextRequestSchema,
} from '../saved-text.ts';

/* Saved texts: saving is for premium; saved texts can be read, corrected, exported and deleted without it. */

/** The longest text in four-byte characters with some escapes, and its extraction. */
const TEXT_BYTES = 6 * 1024 * 1024 + MAX_READING_BYTES;

const params = z.object({ id: z.string().max(100) });

export const saveText = call({
  method: 'POST',
  path: '/api/texts',
  summary: 'Save a text',
  access: 'user',
  limits: { bodyBytes: TEXT_BYTES },
  body: saveTextRequestSchema,
  answers: { 201: z.object({ text: savedTextSchema }) },
  errors: ['saved_texts.premium_required', 'saved_texts.storage_full'],
});

export const listTexts = call({
  method: 'GET',
  path: '/api/texts',
  summary: 'List saved texts, newest first',
  description:
    'Pass next as before for the following page; next is null on the last one. A search finds texts with all of its words in name or text, regardless of case and accents; found says where. Each call searches a limited amount, so a page may have few texts or none although next is set.',
  access: 'user',
  query: listTextsQuerySchema,
  answers: { 200: savedTextsResponseSchema },
});

export const readText = call({
  method: 'GET',
  path: '/api/texts/:id',
  summary: 'Get a saved text',
  access: 'user',
  params,
  answers: { 200: savedTextResponseSchema },
  errors: ['saved_texts.no_such_text'],
});

export const changeText = call({
  method: 'PATCH',
  path: '/api/texts/:id',
  summary: 'Change a saved text or its name',
  description:
    'Send the version of the text that was loaded. If it has changed since, the call fails and nothing is replaced. The call may be repeated safely.',
  access: 'user',
  limits: { bodyBytes: TEXT_BYTES },
  params,
  body: changeTextRequestSchema,
  answers: { 200: z.object({ text: savedTextSchema }) },
  errors: ['saved_texts.no_such_text', 'saved_texts.storage_full', 'saved_texts.changed_elsewhere'],
});

export const deleteText = call({
  method: 'DELETE',
  path: '/api/texts/:id',
  summary: 'Delete a saved text permanently',
  access: 'user',
  params,
  answers: { 200: DONE },
  errors: ['saved_texts.no_such_text'],
});

export const exportTexts = call({
  method: 'GET',
  path: '/api/texts/export',
  summary: 'Export all saved texts',
  description:
    'Each as its own call returns it, with the stored reading (tables, layout, doubtful words) and edits.',
  access: 'user',
  answers: {
    200: { kind: 'file', type: 'application/json', description: 'An array of texts, oldest first.' },
  },
});
