import { JOB_KEPT_HOURS, JOB_LIMITS } from '#contract/job';
import { PAGES } from '#contract/paths';
import { numberInWords } from '#contract/product';
import { createError } from '../http/errors.ts';
export const premiumRequired = () =>
  createError('jobs.premium_required', 'Jobs are part of the premium plan.');

export const tooManyFiles = () =>
  createError(
    'jobs.too_many_files',
    `A job holds ${numberInWords(JOB_LIMITS.files)} files at most. Please send the others in another one.`,
  );

export const tooLarge = () =>
  createError(
    'jobs.too_large',
    `The files of a job may have ${JOB_LIMITS.megabytes} MB together. Please send some of them in another one.`,
  );

export const tooManyJobs = () =>
  createError(
    'jobs.too_many',
    `You have ${numberInWords(JOB_LIMITS.unfinished)} unfinished jobs, which is the limit. Please wait until one has ended, or cancel one.`,
    { retryAfter: 15 },
  );

export const tooManyUnchargedJobs = (secondsLeft: number) =>
  createError(
    'jobs.too_many_unpaid',
    'Too many of your jobs in the last hour had no page that could be read. Please check the files and try again later.',
    { retryAfter: secondsLeft },
  );

export const storageFull = () =>
  createError(
    'jobs.too_much_kept',
    'Your jobs fill the storage of one person. Please delete those whose result you have, or wait until they are deleted.',
    { retryAfter: 60 },
  );

export const noRoom = () =>
  createError('jobs.no_room', 'There is no room for another job right now. Please try again in a minute.', {
    retryAfter: 60,
  });

export const badWebhook = () =>
  createError(
    'jobs.bad_webhook',
    'This webhook address is not allowed. Use a public https address, at port 443 or 8443, without a user name or password.',
  );

export const noWebhookSecret = () =>
  createError(
    'jobs.no_webhook_secret',
    `Webhooks are signed: please make a webhook secret on ${PAGES.account} first.`,
  );

export const notEnded = () =>
  createError('jobs.not_ended', 'This job is still running. Please ask again soon.', { retryAfter: 2 });

export const noResult = () =>
  createError('jobs.no_result', 'Nothing was read in this job. Its state says why.');

export const resultGone = () =>
  createError(
    'jobs.result_gone',
    `A result is kept for ${numberInWords(JOB_KEPT_HOURS.result)} hour and then deleted. Please send the files again.`,
    { reason: 'the result was deleted' },
  );

export const picturesGone = () =>
  createError(
    'jobs.result_gone',
    'The server was restarted and does not keep pictures, so a PDF cannot be made any more. Please ask for another format, or send the files again.',
    { reason: 'a restart deleted the pictures' },
  );

export const pdfRefused = (why: string) =>
  createError(
    'jobs.pdf_refused',
    `A PDF of this job cannot get a text layer: ${why}. Please ask for another format.`,
  );

export const tooManyResults = () =>
  createError(
    'jobs.too_many_results',
    'You request too many results at once. Please wait until one has arrived, and try again.',
    { retryAfter: 5 },
  );
