import { STORAGE_SHOWN } from '#contract/product';
import { AppError } from '../http/errors.ts';

export function premiumRequired(): AppError {
  return new AppError('saved_texts.premium_required', 'only premium saves texts', {
    status: 403,
    userMessage: 'Saving texts is part of the premium plan.',
  });
}

export function storageFull(): AppError {
  return new AppError('saved_texts.storage_full', 'the saved texts would pass their limit', {
    status: 409,
    userMessage: `Your storage of ${STORAGE_SHOWN} is full. Delete some texts to make room.`,
  });
}

export function noSuchText(): AppError {
  return new AppError('saved_texts.no_such_text', 'no such saved text of this person', {
    status: 404,
    userMessage: 'This text does not exist any more.',
  });
}

export function changedElsewhere(): AppError {
  return new AppError('saved_texts.changed_elsewhere', 'the saved text has another version by now', {
    status: 409,
    userMessage: 'This text was changed in another tab or on another device.',
  });
}
