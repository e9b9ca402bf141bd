import { JOB_KEPT_HOURS, JOB_LIMITS } from '#contract/job';
import { PAGES } from '#contract/paths';
import { numberInWords } from '#contract/product';
import { createError } from '../http/errors.ts';
export const premiumRequired = () =>
  createError('jobs.premium_required', 'only premium has jobs done', 'Jobs are part of the premium plan.');

export const tooManyFiles = () =>
  createError(
    'jobs.too_many_files',
    'more files than a job may hold',
    `A job holds ${numberInWords(JOB_LIMITS.files)} files at most. Please send the others in another one.`,
  );

export const tooLarge = () =>
  createError(
    'jobs.too_large',
    'larger than the files of a job may be',
    `The files of a job may have ${JOB_LIMITS.megabytes} MB together. Please send some of them in another one.`,
  );

export const tooManyJobs = () =>
  createError(
    'jobs.too_many',
    'as many jobs under way as one person may have',
    `You have ${numberInWords(JOB_LIMITS.underWay)} jobs under way, as many as there can be. Please wait until one has ended, or cancel one.`,
    { retryAfter: 15 },
  );

export const tooManyUnpaidJobs = (secondsLeft: number) =>
  createError(
    'jobs.too_many_unpaid',
    'too many jobs that charged nothing',
    'Too many of your jobs in the last hour had no page that could be read. Please check the files and try again later.',
    { retryAfter: secondsLeft },
  );

export const tooMuchKept = () =>
  createError(
    'jobs.too_much_kept',
    'what is kept for one person is full',
    'Your jobs fill what can be kept for one person. Please delete those whose result you have, or wait until they are forgotten.',
    { retryAfter: 60 },
  );

export const noRoom = () =>
  createError(
    'jobs.no_room',
    'what is kept of all jobs is full',
    'There is no room for another job right now. Please try again in a minute.',
    { retryAfter: 60 },
  );

export const badWebhook = () =>
  createError(
    'jobs.bad_webhook',
    'an address for a webhook that is not called',
    'This address for the webhook is not called. It has to be an https address that everybody can reach, at port 443 or 8443, without a name and a password in it.',
  );

export const noWebhookSecret = () =>
  createError(
    'jobs.no_webhook_secret',
    'no secret to sign webhooks with',
    `Webhooks are signed: please make a webhook secret on ${PAGES.account} first.`,
  );

export const notEnded = () =>
  createError(
    'jobs.not_ended',
    'the job is under way',
    'This job is still under way. Please ask again soon.',
    { retryAfter: 2 },
  );

export const noResult = () =>
  createError('jobs.no_result', 'nothing was read', 'Nothing was read in this job. Its state says why.');

export const resultGone = () =>
  createError(
    'jobs.result_gone',
    'the result was forgotten',
    `A result is kept for ${numberInWords(JOB_KEPT_HOURS.result)} hour and then forgotten. Please send the files again.`,
  );

export const picturesGone = () =>
  createError(
    'jobs.result_gone',
    'the pictures were forgotten, in a restart',
    'The server was restarted and keeps no picture over that: a PDF cannot be made any more. Please ask for another format, or send the files again.',
  );

export const tooManyResults = () =>
  createError(
    'jobs.too_many_results',
    'as many results are being written as one person may have',
    'You ask for many results at once. Please wait until one of them has come, and try again.',
    { retryAfter: 5 },
  );
