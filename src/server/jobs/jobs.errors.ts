import type { ErrorCode } from '#contract/error-codes';
import { JOB_KEPT_HOURS, JOB_LIMITS } from '#contract/job';
import { PAGES } from '#contract/paths';
import { numberInWords } from '#contract/product';
import { AppError } from '../http/errors.ts';

/** What comes behind `jobs.` in the codes of this slice. */
type ErrorName = ErrorCode extends infer Code ? (Code extends `jobs.${infer Rest}` ? Rest : never) : never;

function refused(name: ErrorName, status: number, message: string, userMessage: string, retryAfter?: number) {
  return new AppError(`jobs.${name}`, message, {
    status,
    userMessage,
    ...(retryAfter !== undefined && { retryAfter }),
  });
}

export const premiumRequired = () =>
  refused('premium_required', 403, 'only premium has jobs done', 'Jobs are part of the premium plan.');

export const tooManyFiles = () =>
  refused(
    'too_many_files',
    413,
    'more files than a job may hold',
    `A job holds ${numberInWords(JOB_LIMITS.files)} files at most. Please send the others in another one.`,
  );

export const tooLarge = () =>
  refused(
    'too_large',
    413,
    'larger than the files of a job may be',
    `The files of a job may have ${JOB_LIMITS.megabytes} MB together. Please send some of them in another one.`,
  );

export const tooManyJobs = () =>
  refused(
    'too_many',
    429,
    'as many jobs under way as one person may have',
    `You have ${numberInWords(JOB_LIMITS.underWay)} jobs under way, as many as there can be. Please wait until one has ended, or cancel one.`,
    15,
  );

export const tooManyUnpaidJobs = (secondsLeft: number) =>
  refused(
    'too_many_unpaid',
    429,
    'too many jobs that charged nothing',
    'Too many of your jobs in the last hour had no page that could be read. Please check the files and try again later.',
    secondsLeft,
  );

export const tooMuchKept = () =>
  refused(
    'too_much_kept',
    429,
    'what is kept for one person is full',
    'Your jobs fill what can be kept for one person. Please delete those whose result you have, or wait until they are forgotten.',
    60,
  );

export const noRoom = () =>
  refused(
    'no_room',
    503,
    'what is kept of all jobs is full',
    'There is no room for another job right now. Please try again in a minute.',
    60,
  );

export const badWebhook = () =>
  refused(
    'bad_webhook',
    400,
    'an address for a webhook that is not called',
    'This address for the webhook is not called. It has to be an https address that everybody can reach, at port 443 or 8443, without a name and a password in it.',
  );

export const noWebhookSecret = () =>
  refused(
    'no_webhook_secret',
    409,
    'no secret to sign webhooks with',
    `Webhooks are signed: please make a webhook secret on ${PAGES.account} first.`,
  );

export const notEnded = () =>
  refused('not_ended', 409, 'the job is under way', 'This job is still under way. Please ask again soon.', 2);

export const noResult = () =>
  refused('no_result', 409, 'nothing was read', 'Nothing was read in this job. Its state says why.');

export const resultGone = () =>
  refused(
    'result_gone',
    410,
    'the result was forgotten',
    `A result is kept for ${numberInWords(JOB_KEPT_HOURS.result)} hour and then forgotten. Please send the files again.`,
  );

export const picturesGone = () =>
  refused(
    'result_gone',
    410,
    'the pictures were forgotten, in a restart',
    'The server was restarted and keeps no picture over that: a PDF cannot be made any more. Please ask for another format, or send the files again.',
  );

export const tooManyResults = () =>
  refused(
    'too_many_results',
    429,
    'as many results are being written as one person may have',
    'You ask for many results at once. Please wait until one of them has come, and try again.',
    5,
  );
