import { STORAGE_LIMIT_TEXT } from '#contract/product';
import { createError } from '../http/errors.ts';

export const premiumRequired = () =>
  createError('saved_texts.premium_required', 'Saving texts is part of the premium plan.');

export const storageFull = () =>
  createError(
    'saved_texts.storage_full',
    `Your storage of ${STORAGE_LIMIT_TEXT} is full. Delete some texts to make room.`,
  );

export const noSuchText = () => createError('saved_texts.no_such_text', 'This text does not exist any more.');

export const changedElsewhere = () =>
  createError('saved_texts.changed_elsewhere', 'This text was changed in another tab or on another device.');
