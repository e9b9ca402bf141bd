import { STORAGE_SHOWN } from '#contract/product';
import { createError } from '../http/errors.ts';

export const premiumRequired = () =>
  createError(
    'saved_texts.premium_required',
    'only premium saves texts',
    'Saving texts is part of the premium plan.',
  );

export const storageFull = () =>
  createError(
    'saved_texts.storage_full',
    'the saved texts would pass their limit',
    `Your storage of ${STORAGE_SHOWN} is full. Delete some texts to make room.`,
  );

export const noSuchText = () =>
  createError(
    'saved_texts.no_such_text',
    'no such saved text of this person',
    'This text does not exist any more.',
  );

export const changedElsewhere = () =>
  createError(
    'saved_texts.changed_elsewhere',
    'the saved text has another version by now',
    'This text was changed in another tab or on another device.',
  );
