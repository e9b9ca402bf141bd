import { z } from 'zod';
import { call, DONE } from '../call.ts';
import {
  changeTextRequestSchema,
  listTextsQuerySchema,
  MOST_READING_BYTES,
  savedTextResponseSchema,
  savedTextSchema,
  savedTextsResponseSchema,
  saveTextRequestSchema,
} from '../saved-text.ts';

/* Saved texts: saving is for premium; saved texts can be read, corrected, exported and deleted without it. */

/** Room for the longest text in characters of four bytes, with some escapes, and for what it was read as. */
const TEXT_BYTES = 6 * 1024 * 1024 + MOST_READING_BYTES;

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
  summary: 'Saved texts, newest first',
  description:
    'Pass next as before to get the following page; next is null on the last one. A search finds texts that hold all of its words in name or text, whatever their case and accents, and tells where (found). It looks through so much at a time: a page may hold few texts, or none, and next lead on all the same.',
  access: 'user',
  query: listTextsQuerySchema,
  answers: { 200: savedTextsResponseSchema },
});

export const readText = call({
  method: 'GET',
  path: '/api/texts/:id',
  summary: 'One saved text, whole',
  access: 'user',
  params,
  answers: { 200: savedTextResponseSchema },
  errors: ['saved_texts.no_such_text'],
});

export const changeText = call({
  method: 'PATCH',
  path: '/api/texts/:id',
  summary: 'Give a saved text another name, or other words',
  description:
    'Send the version that the text had when it was read: where it has been changed since, that is told and nothing is replaced. To send the same again does no harm.',
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
  summary: 'Delete a saved text for ever',
  access: 'user',
  params,
  answers: { 200: DONE },
  errors: ['saved_texts.no_such_text'],
});

export const exportTexts = call({
  method: 'GET',
  path: '/api/texts/export',
  summary: 'All saved texts, as a file',
  description:
    'Each as a call for it alone answers it: with what it was read as (tables, layout, doubtful words) and what was done to it, where that is kept.',
  access: 'user',
  answers: {
    200: { kind: 'file', type: 'application/json', description: 'An array of texts, oldest first.' },
  },
});
