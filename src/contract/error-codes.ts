/** `status`: two if it depends on the caller. `when`: documentation for API clients. */
interface KnownError {
  status: number | readonly number[];
  when: string;
}

/**
 * All errors by code. Codes are stable; user messages (in each slice's `errors.ts`) may change.
 */
export const ERRORS = {
  'http.not_understood': { status: 400, when: 'The request is malformed HTTP or JSON.' },
  'http.no_host': { status: 400, when: 'The request has no Host header.' },
  'http.bad_host': { status: 400, when: 'The request has several Host headers, or an invalid one.' },
  'http.odd_address': { status: 400, when: 'The address is ambiguous.' },
  'http.unkeepable_text': { status: 400, when: 'A field contains the character U+0000.' },
  'http.invalid_request': { status: 400, when: 'The path or the query is invalid.' },
  'http.invalid_body': { status: 400, when: 'A field of the body is missing or invalid.' },
  'http.invalid_report': { status: 400, when: 'The report has an unknown form.' },
  'http.foreign_origin': { status: 403, when: 'A page of another site requested a change.' },
  'http.not_found': { status: 404, when: 'The address does not exist.' },
  'http.method_not_allowed': { status: 405, when: 'The address has other methods.' },
  'http.method_unknown': { status: 501, when: 'The method is unknown.' },
  'http.too_slow': { status: 408, when: 'The request did not arrive in time.' },
  'http.body_too_large': { status: 413, when: 'The body is too large for this call.' },
  'http.address_too_long': { status: 414, when: 'The address is too long.' },
  'http.unknown_type': { status: 415, when: 'The call does not accept the content type of the body.' },
  'http.too_many_requests': { status: 429, when: 'Too many calls in a minute. See Retry-After.' },
  'http.headers_too_large': { status: 431, when: 'The headers are too large.' },
  'http.failed': { status: 500, when: 'An internal error.' },
  'http.outcome_unknown': {
    status: 500,
    when: 'The database connection broke at the commit; the change may have been made. Check before you repeat the call.',
  },
  'http.unavailable': { status: 503, when: 'The database does not answer. See Retry-After.' },
  'http.stopping': { status: 503, when: 'The server is restarting. See Retry-After.' },

  'accounts.sign_in_required': { status: 401, when: 'No one is signed in.' },
  'accounts.session_ended': { status: 401, when: 'The page shows a user whose session has ended.' },
  'accounts.signed_in_as_another': {
    status: 409,
    when: 'The page shows another user than the one who is signed in. Nothing was done.',
  },
  'accounts.wrong_credentials': { status: 401, when: 'The username or the password is wrong.' },
  'accounts.second_factor_required': {
    status: 401,
    when: 'The password is correct, and the account requires a code.',
  },
  'accounts.wrong_password': { status: 403, when: 'The current password is wrong.' },
  'accounts.too_many_attempts': { status: 429, when: 'Too many attempts. See Retry-After.' },
  'accounts.too_many_mails': { status: 429, when: 'Too many mails. See Retry-After.' },
  'accounts.payment_required': {
    status: 402,
    when: 'The registration is kept for this browser until it is paid.',
  },
  'accounts.username_taken': { status: 409, when: 'The username is taken or reserved.' },
  'accounts.email_taken': { status: 409, when: 'The address belongs to an account.' },
  'accounts.payment_under_way': {
    status: 409,
    when: 'The registration is being paid in another browser.',
  },
  'accounts.already_registered': {
    status: 409,
    when: 'The payment has arrived and the account exists. Sign in.',
  },
  'accounts.registration_paid': { status: 409, when: 'A paid registration cannot be discarded.' },
  'accounts.registration_unavailable': { status: 503, when: 'This server takes no payments.' },
  'accounts.common_password': { status: 400, when: 'The password is among the most common ones.' },
  'accounts.password_is_username': { status: 400, when: 'The password is the username.' },
  'accounts.password_is_address': { status: 400, when: 'The password is the address, or its first part.' },
  'accounts.password_is_brand': { status: 400, when: 'The password is the name of this service.' },
  'accounts.passwords_busy': {
    status: 503,
    when: 'Too many passwords are waiting to be checked. See Retry-After.',
  },
  'accounts.link_spent': { status: 400, when: 'The mailed token is unknown, used or expired.' },
  'accounts.wrong_username': { status: 400, when: 'The repeated username differs.' },
  'accounts.last_sign_in': { status: 409, when: 'It is the only way to sign in. Set a password first.' },
  'accounts.sign_in_provider_missing': { status: 503, when: 'No sign-in provider is set up on this server.' },

  'second_factor.wrong_code': {
    status: [401, 403],
    when: 'The code is wrong, used or expired. 401 during sign-in.',
  },
  'second_factor.wrong_recovery_code': {
    status: [401, 403],
    when: 'The recovery code is unknown or used. 401 during sign-in.',
  },
  'second_factor.sign_in_over': { status: 401, when: 'This browser has no sign-in that waits for a code.' },
  'second_factor.already_on': { status: 409, when: 'Two-step sign-in is on.' },
  'second_factor.not_started': {
    status: 409,
    when: 'There is no secret to confirm. Set up two-step sign-in again.',
  },
  'second_factor.off': { status: 409, when: 'Two-step sign-in is off.' },
  'second_factor.unreadable_secret': { status: 503, when: 'Codes cannot be checked at the moment.' },

  'billing.email_required': { status: 400, when: 'The payment has no email address.' },
  'billing.wrong_price': { status: 400, when: 'The payment has another amount or currency.' },
  'billing.nothing_to_pay_for': {
    status: 409,
    when: 'This browser has neither a session nor a registration. Register first.',
  },
  'billing.other_address': { status: 409, when: 'The email address is not that of the paid account.' },
  'billing.already_premium': { status: 409, when: 'The account has premium. Nothing was charged.' },
  'billing.already_paid_for': {
    status: 409,
    when: 'The payment has arrived. Choose a username and an email address to finish.',
  },
  'billing.registration_lapsed': {
    status: 409,
    when: 'The username or the email address was taken meanwhile.',
  },
  'billing.unavailable': { status: 503, when: 'No payment provider is set up on this server.' },
  'billing.provider_failed': {
    status: 502,
    when: 'The payment provider could not be reached. Nothing was done.',
  },
  'billing.too_many_events': { status: [429, 503], when: 'Too many events. See Retry-After.' },
  'billing.forged_event': { status: 400, when: 'The event is not signed by the payment provider.' },
  'billing.nothing_to_claim': { status: 400, when: 'There is no payment to claim with this link.' },
  'billing.no_subscription': { status: 409, when: 'There is no subscription to cancel.' },

  'api_keys.unknown': { status: 401, when: 'The key is unknown or revoked.' },
  'api_keys.out_of_scope': { status: 403, when: 'The key lacks the scope of this call.' },
  'api_keys.not_for_this_call': { status: 403, when: 'The call does not accept API keys.' },
  'api_keys.premium_over': {
    status: 403,
    when: 'The key’s owner no longer has premium. The key works again with premium.',
  },
  'api_keys.premium_required': { status: 403, when: 'API keys require premium.' },
  'api_keys.too_many': { status: 409, when: 'The user has the maximum number of keys.' },

  'jobs.premium_required': { status: 403, when: 'Jobs require premium.' },
  'jobs.too_many_files': { status: 413, when: 'The form has more files than a job may have.' },
  'jobs.too_large': { status: 413, when: 'The files together are too large for a job.' },
  'jobs.too_many': {
    status: 429,
    when: 'The user has the maximum number of running jobs. See Retry-After.',
  },
  'jobs.too_many_unpaid': {
    status: 429,
    when: 'Too many of the user’s jobs in the last hour had no readable page. See Retry-After.',
  },
  'jobs.too_much_kept': {
    status: 429,
    when: 'The user’s jobs fill their storage. Delete finished jobs. See Retry-After.',
  },
  'jobs.no_room': { status: 503, when: 'The server has no room for another job. See Retry-After.' },
  'jobs.bad_webhook': {
    status: 400,
    when: 'The webhook address is not allowed. It needs https, port 443 or 8443 and a public host, without credentials.',
  },
  'jobs.no_webhook_secret': {
    status: 409,
    when: 'The account has no webhook secret. Create one in the account.',
  },
  'jobs.not_ended': { status: 409, when: 'The job is still running. See Retry-After.' },
  'jobs.no_result': { status: 409, when: 'The job failed or was cancelled.' },
  'jobs.result_gone': {
    status: 410,
    when: 'The result was deleted an hour after the end of the job. A PDF is also unavailable after a restart, because images are not kept.',
  },
  'jobs.pdf_refused': {
    status: 422,
    when: 'The PDF cannot get a text layer, because it is signed or damaged. Other formats are available.',
  },
  'jobs.too_many_results': {
    status: 429,
    when: 'Too many results of the user are being written. See Retry-After.',
  },
  'jobs.interrupted': {
    status: 500,
    when: 'Of a job or its pages: the server stopped. Unread pages are not counted. Send them again.',
  },
  'jobs.too_many_pages': { status: 422, when: 'Of a job: its files have too many pages.' },
  'jobs.nothing_read': { status: 422, when: 'Of a job: none of its pages could be read.' },

  'saved_texts.premium_required': { status: 403, when: 'Saved texts require premium.' },
  'saved_texts.storage_full': { status: 409, when: 'The saved texts would exceed their limit.' },
  'saved_texts.changed_elsewhere': {
    status: 409,
    when: 'The text has changed since it was loaded. Nothing was replaced.',
  },
  'saved_texts.no_such_text': { status: 404, when: 'The user has no such text.' },

  'waitlist.bad_link': { status: 400, when: 'The token is invalid.' },

  'content.article_not_found': { status: 404, when: 'No article has this slug.' },

  'recognition.no_file': { status: 400, when: 'The form or the JSON has no file.' },
  'recognition.empty_file': { status: 400, when: 'The file is empty.' },
  'recognition.several_files': { status: 400, when: 'The form has more than one file.' },
  'recognition.bad_field': { status: 400, when: 'A field of the form or the JSON is invalid.' },
  'recognition.bad_form': { status: 400, when: 'The form or the JSON is incomplete.' },
  'recognition.bad_idempotency_key': { status: 400, when: 'The Idempotency-Key is not valid.' },
  'recognition.language_unknown': { status: 400, when: 'The language is not installed on this server.' },
  'recognition.format_not_in_plan': { status: 403, when: 'The plan does not include this format.' },
  'recognition.no_table': {
    status: 422,
    when: 'CSV and Excel need a table, and none was found. Nothing is counted. Of a job: request another format.',
  },
  'recognition.format_not_acceptable': {
    status: 406,
    when: 'No media type of Accept is available. The answer lists those that are.',
  },
  'recognition.language_not_in_plan': { status: 403, when: 'The plan does not include this language.' },
  'recognition.on_device_off': {
    status: 403,
    when: 'Reading on the device is turned off on this server.',
  },
  'recognition.upload_too_slow': { status: 408, when: 'The upload was too slow or stalled.' },
  'recognition.image_too_large': { status: 413, when: 'The image is too large.' },
  'recognition.not_a_form': { status: 415, when: 'The call does not accept the content type of the body.' },
  'recognition.unsupported': { status: 415, when: 'The file is not an image in a supported format.' },
  'recognition.pdf': {
    status: 415,
    when: 'The file is a PDF, and no page is named or a PDF is requested. Use a job.',
  },
  'recognition.vector': { status: 415, when: 'SVG images are not supported.' },
  'recognition.damaged': { status: 422, when: 'The image is damaged or incomplete.' },
  'recognition.too_many_pixels': { status: 422, when: 'The image has too many pixels.' },
  'recognition.too_costly': { status: 422, when: 'The image takes too long to decode.' },
  'recognition.encrypted': { status: 422, when: 'The document is protected by a password.' },
  'recognition.too_many_pages': { status: 422, when: 'The document has too many pages.' },
  'recognition.no_such_page': { status: 422, when: 'The document has no such page.' },
  'recognition.idempotency_key_reused': {
    status: 422,
    when: 'The Idempotency-Key was used with another image or other options.',
  },
  'recognition.quota_used_up': {
    status: 429,
    when: 'The extractions of the day or the month are used up. `limitExceeded` is true.',
  },
  'recognition.address_used_up': {
    status: 429,
    when: 'The free extractions of the network address are used up. `limitExceeded` is true.',
  },
  'recognition.address_failed_too_much': {
    status: 429,
    when: 'Too many images of this network could not be read today. See Retry-After.',
  },
  'recognition.failed_too_much': {
    status: 429,
    when: 'Too many images of this user could not be read. See Retry-After.',
  },
  'recognition.previews_used_up': { status: 429, when: 'No more previews today. See Retry-After.' },
  'recognition.too_many_uploads_of_one': {
    status: 429,
    when: 'Too many uploads of one visitor at once. See Retry-After.',
  },
  'recognition.too_many_uploads_from_network': {
    status: 429,
    when: 'Too many uploads of one network at once. See Retry-After.',
  },
  'recognition.too_many_watchers': {
    status: 429,
    when: 'Too many extractions are followed at once. See Retry-After.',
  },
  'recognition.client_gone': { status: 499, when: 'The caller has disconnected.' },
  'recognition.aborted': { status: 499, when: 'The caller has disconnected.' },
  'recognition.failed': { status: 500, when: 'The image could not be read. Nothing is counted.' },
  'recognition.language_unavailable': {
    status: 500,
    when: 'The data of a language cannot be used. Nothing is counted.',
  },
  'recognition.crashed': { status: 500, when: 'Recognition crashed. Nothing is counted.' },
  'recognition.internal': { status: 500, when: 'Recognition failed. Nothing is counted.' },
  'recognition.too_many_uploads': { status: 503, when: 'Too many uploads at once. See Retry-After.' },
  'recognition.queue_full': { status: 503, when: 'Too many images are waiting. See Retry-After.' },
  'recognition.stopping': { status: 503, when: 'The engine is restarting. See Retry-After.' },
  'recognition.language_not_fetched': {
    status: 503,
    when: 'The data of a language is not downloaded yet, or could not be. Nothing is counted. See Retry-After.',
  },
  'recognition.unavailable': {
    status: 503,
    when: 'Recognition is not available. See Retry-After.',
  },
  'recognition.timed_out': { status: 504, when: 'Recognition took too long. Nothing is counted.' },
} as const satisfies Record<string, KnownError>;

export type ErrorCode = keyof typeof ERRORS;

/** Errors of calls that set a password. */
export const WEAK_PASSWORD = [
  'accounts.common_password',
  'accounts.password_is_username',
  'accounts.password_is_address',
  'accounts.password_is_brand',
] as const satisfies ErrorCode[];

/** Errors of calls that verify a password. */
export const PASSWORD_CHECK = [
  'accounts.too_many_attempts',
  'accounts.passwords_busy',
] as const satisfies ErrorCode[];

/** Errors of calls that set name, address and password. */
export const ACCOUNT_CHOSEN = [
  'accounts.username_taken',
  'accounts.email_taken',
  ...WEAK_PASSWORD,
  ...PASSWORD_CHECK,
] as const satisfies ErrorCode[];

/** Errors of calls that take files. */
export const UPLOAD = [
  'recognition.no_file',
  'recognition.empty_file',
  'recognition.several_files',
  'recognition.bad_field',
  'recognition.bad_form',
  'recognition.upload_too_slow',
  'recognition.image_too_large',
  'recognition.not_a_form',
  'recognition.too_many_uploads',
  'recognition.too_many_uploads_of_one',
  'recognition.too_many_uploads_from_network',
] as const satisfies ErrorCode[];
