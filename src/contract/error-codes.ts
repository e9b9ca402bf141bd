/** `status`: two where it depends on the caller. `when`: for authors of programs that call the API. */
interface KnownError {
  status: number | readonly number[];
  when: string;
}

/**
 * Every failure by its code. Codes are stable; the sentence that a person is shown, in each slice's `errors.ts`, may change.
 */
export const ERRORS = {
  'http.not_understood': { status: 400, when: 'The request is not HTTP or JSON that can be read.' },
  'http.no_host': { status: 400, when: 'The request has no Host header.' },
  'http.bad_host': { status: 400, when: 'The request has several Host headers, or one that names no host.' },
  'http.odd_address': { status: 400, when: 'The address could be read in two ways.' },
  'http.unkeepable_text': { status: 400, when: 'A field holds the character U+0000.' },
  'http.invalid_request': { status: 400, when: 'Something in the path or the query is not as it has to be.' },
  'http.invalid_body': { status: 400, when: 'A field of the body is missing or not as it has to be.' },
  'http.invalid_report': { status: 400, when: 'No report that a browser would send.' },
  'http.foreign_origin': { status: 403, when: 'A page of another site asked for a change.' },
  'http.not_found': { status: 404, when: 'There is nothing at this address.' },
  'http.method_not_allowed': { status: 405, when: 'The address takes other methods.' },
  'http.method_unknown': { status: 501, when: 'HTTP has no such method, or this server does not know it.' },
  'http.too_slow': { status: 408, when: 'The request did not arrive in time.' },
  'http.body_too_large': { status: 413, when: 'The body is larger than this call takes.' },
  'http.address_too_long': { status: 414, when: 'The address is too long.' },
  'http.unknown_type': { status: 415, when: 'The body has a content type that this call does not take.' },
  'http.too_many_requests': { status: 429, when: 'Too many calls in a minute. See Retry-After.' },
  'http.headers_too_large': { status: 431, when: 'The headers are too large.' },
  'http.failed': { status: 500, when: 'Something went wrong on our side.' },
  'http.outcome_unknown': {
    status: 500,
    when: 'The database broke off at the last moment: it may have been done. Look before you repeat it.',
  },
  'http.unavailable': { status: 503, when: 'The database does not answer. See Retry-After.' },
  'http.stopping': { status: 503, when: 'The server is restarting. See Retry-After.' },

  'accounts.sign_in_required': { status: 401, when: 'Nobody is signed in.' },
  'accounts.session_ended': { status: 401, when: 'The page shows a person whose session has ended.' },
  'accounts.signed_in_as_another': {
    status: 409,
    when: 'The page shows another person than is signed in. Nothing was done.',
  },
  'accounts.wrong_credentials': { status: 401, when: 'Username and password do not belong together.' },
  'accounts.second_factor_required': {
    status: 401,
    when: 'The password is right, and the account asks for a code.',
  },
  'accounts.wrong_password': { status: 403, when: 'The current password is not right.' },
  'accounts.too_many_attempts': { status: 429, when: 'Too many attempts. See Retry-After.' },
  'accounts.too_many_mails': { status: 429, when: 'Enough mails for now. See Retry-After.' },
  'accounts.payment_required': {
    status: 402,
    when: 'The registration is kept for this browser until it is paid for.',
  },
  'accounts.username_taken': { status: 409, when: 'The username is taken or reserved.' },
  'accounts.email_taken': { status: 409, when: 'The address belongs to an account.' },
  'accounts.payment_under_way': {
    status: 409,
    when: 'The registration is being paid for in another browser.',
  },
  'accounts.already_registered': {
    status: 409,
    when: 'The payment has arrived and the account is there: sign in.',
  },
  'accounts.registration_paid': { status: 409, when: 'A registration that is paid for cannot be dropped.' },
  'accounts.registration_unavailable': { status: 503, when: 'Nothing can be paid on this server.' },
  'accounts.common_password': { status: 400, when: 'The password is among the most common ones.' },
  'accounts.password_is_username': { status: 400, when: 'The password is the username.' },
  'accounts.password_is_address': { status: 400, when: 'The password is the address, or its first part.' },
  'accounts.password_is_brand': { status: 400, when: 'The password is the name of this service.' },
  'accounts.passwords_busy': { status: 503, when: 'Too many passwords wait to be checked. See Retry-After.' },
  'accounts.link_spent': { status: 400, when: 'The mailed token is unknown, used or expired.' },
  'accounts.wrong_username': { status: 400, when: 'The username typed again is another.' },
  'accounts.last_sign_in': { status: 409, when: 'It is the only way to sign in: set a password first.' },
  'accounts.sign_in_provider_missing': { status: 503, when: 'No sign-in provider is set up on this server.' },

  'second_factor.wrong_code': {
    status: [401, 403],
    when: 'The code is wrong, used or too old. 401 while signing in.',
  },
  'second_factor.wrong_recovery_code': {
    status: [401, 403],
    when: 'The recovery code is unknown or used. 401 while signing in.',
  },
  'second_factor.sign_in_over': { status: 401, when: 'No sign-in waits for a code in this browser.' },
  'second_factor.already_on': { status: 409, when: 'Two-step sign-in is on.' },
  'second_factor.not_started': { status: 409, when: 'No secret waits to be confirmed: begin again.' },
  'second_factor.off': { status: 409, when: 'Two-step sign-in is off.' },
  'second_factor.unreadable_secret': { status: 503, when: 'Codes cannot be checked at the moment.' },

  'billing.email_required': { status: 400, when: 'The payment names no address.' },
  'billing.wrong_price': { status: 400, when: 'The payment names another amount or currency.' },
  'billing.nothing_to_pay_for': {
    status: 409,
    when: 'This browser has neither a session nor a registration: register first.',
  },
  'billing.other_address': { status: 409, when: 'The address is not that of the account paid for.' },
  'billing.already_premium': { status: 409, when: 'The account has premium. Nothing was charged.' },
  'billing.already_paid_for': {
    status: 409,
    when: 'The payment has arrived: choose a name and an address to finish.',
  },
  'billing.registration_lapsed': { status: 409, when: 'The name or the address was taken meanwhile.' },
  'billing.unavailable': { status: 503, when: 'No payment provider is set up on this server.' },
  'billing.provider_failed': {
    status: 502,
    when: 'The payment provider could not be reached. Nothing was done.',
  },
  'billing.too_many_events': { status: [429, 503], when: 'Too many events. See Retry-After.' },
  'billing.forged_event': { status: 400, when: 'The event is not signed by the payment provider.' },
  'billing.nothing_to_claim': { status: 400, when: 'No payment waits to be claimed with this link.' },
  'billing.no_subscription': { status: 409, when: 'There is no subscription to cancel.' },

  'api_keys.unknown': { status: 401, when: 'The key is no key, or was revoked.' },
  'api_keys.out_of_scope': { status: 403, when: 'The key was not made for this call.' },
  'api_keys.not_for_this_call': { status: 403, when: 'No key opens this call.' },
  'api_keys.premium_over': {
    status: 403,
    when: 'The premium of the key’s owner is over. The key works again when it is back.',
  },
  'api_keys.premium_required': { status: 403, when: 'Only premium makes keys.' },
  'api_keys.too_many': { status: 409, when: 'There are as many keys as one person may have.' },

  'jobs.premium_required': { status: 403, when: 'Only premium has jobs done.' },
  'jobs.too_many_files': { status: 413, when: 'The form holds more files than a job may.' },
  'jobs.too_large': { status: 413, when: 'The files are larger than those of a job may be together.' },
  'jobs.too_many': {
    status: 429,
    when: 'There are as many jobs under way as one person may have. See Retry-After.',
  },
  'jobs.too_many_unpaid': {
    status: 429,
    when: 'Too many of your jobs in the last hour charged nothing: no page of them could be read. See Retry-After.',
  },
  'jobs.too_much_kept': {
    status: 429,
    when: 'Your jobs fill what one person may have kept: delete those that you need no more. See Retry-After.',
  },
  'jobs.no_room': { status: 503, when: 'There is no room for another job at the moment. See Retry-After.' },
  'jobs.bad_webhook': {
    status: 400,
    when: 'The address for the webhook is none that is called: https, port 443 or 8443, a public host, no credentials.',
  },
  'jobs.no_webhook_secret': {
    status: 409,
    when: 'There is no secret to sign a webhook with: make one in your account.',
  },
  'jobs.not_ended': { status: 409, when: 'The job is still under way. See Retry-After.' },
  'jobs.no_result': { status: 409, when: 'The job has failed or was cancelled: nothing was read.' },
  'jobs.result_gone': {
    status: 410,
    when: 'The result was forgotten, an hour after the end of the job. As a PDF: also after a restart, which keeps no picture.',
  },
  'jobs.pdf_refused': {
    status: 422,
    when: 'A PDF cannot get a text layer: it is signed, or its structure cannot be repaired. Other formats can be had.',
  },
  'jobs.too_many_results': {
    status: 429,
    when: 'You have as many results being written as one person may. See Retry-After.',
  },
  'jobs.interrupted': {
    status: 500,
    when: 'Of a job and its pages: the server broke off. What was not read is not counted; send it again.',
  },
  'jobs.too_many_pages': { status: 422, when: 'Of a job: its files have more pages than a job may.' },
  'jobs.nothing_read': { status: 422, when: 'Of a job: none of its pages could be read.' },

  'saved_texts.premium_required': { status: 403, when: 'Only premium saves texts.' },
  'saved_texts.storage_full': { status: 409, when: 'The saved texts would pass their limit.' },
  'saved_texts.changed_elsewhere': {
    status: 409,
    when: 'The text has been changed since it was read. Nothing was replaced.',
  },
  'saved_texts.no_such_text': { status: 404, when: 'There is no such text of this person.' },

  'waitlist.bad_link': { status: 400, when: 'The token is not one of ours.' },

  'content.article_not_found': { status: 404, when: 'No article has this slug.' },

  'recognition.no_file': { status: 400, when: 'The form or the JSON holds no file.' },
  'recognition.empty_file': { status: 400, when: 'The file has no bytes.' },
  'recognition.several_files': { status: 400, when: 'The form holds more than one file.' },
  'recognition.bad_field': { status: 400, when: 'A field of the form or the JSON is not as it has to be.' },
  'recognition.bad_form': { status: 400, when: 'The form or the JSON arrived incomplete.' },
  'recognition.bad_idempotency_key': { status: 400, when: 'The Idempotency-Key is not valid.' },
  'recognition.language_unknown': { status: 400, when: 'The language is not installed on this server.' },
  'recognition.format_not_in_plan': { status: 403, when: 'The plan does not hold this format.' },
  'recognition.no_table': {
    status: 422,
    when: 'CSV and Excel hold tables, and none was found. Nothing is counted; of a job: ask for another format.',
  },
  'recognition.format_not_acceptable': {
    status: 406,
    when: 'Nothing that Accept names is offered. The answer lists what is.',
  },
  'recognition.language_not_in_plan': { status: 403, when: 'The plan does not hold this language.' },
  'recognition.on_device_off': {
    status: 403,
    when: 'This server lets no device read for itself.',
  },
  'recognition.upload_too_slow': { status: 408, when: 'The upload was too slow or stood still.' },
  'recognition.image_too_large': { status: 413, when: 'The picture is larger than an upload may be.' },
  'recognition.not_a_form': { status: 415, when: 'The body is of no content type that the call takes.' },
  'recognition.unsupported': { status: 415, when: 'The file is not a picture that can be read.' },
  'recognition.pdf': {
    status: 415,
    when: 'The file is a PDF, and no page is named or a PDF is asked for; jobs do that.',
  },
  'recognition.vector': { status: 415, when: 'SVG drawings are not read.' },
  'recognition.damaged': { status: 422, when: 'The picture is damaged or incomplete.' },
  'recognition.too_many_pixels': { status: 422, when: 'The picture has too many pixels.' },
  'recognition.too_costly': { status: 422, when: 'The picture takes too long to open.' },
  'recognition.encrypted': { status: 422, when: 'The document opens with a password only.' },
  'recognition.too_many_pages': { status: 422, when: 'The document has too many pages.' },
  'recognition.no_such_page': { status: 422, when: 'The document does not have the page.' },
  'recognition.idempotency_key_reused': {
    status: 422,
    when: 'The Idempotency-Key came with another picture or option before.',
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
    when: 'Too many pictures from this network could not be read today. See Retry-After.',
  },
  'recognition.failed_too_much': {
    status: 429,
    when: 'Too much work on pictures of this person was not charged, because nothing came of it. See Retry-After.',
  },
  'recognition.previews_used_up': { status: 429, when: 'No more previews today. See Retry-After.' },
  'recognition.too_many_uploads_of_one': {
    status: 429,
    when: 'Too many pictures of one visitor at once. See Retry-After.',
  },
  'recognition.too_many_uploads_from_network': {
    status: 429,
    when: 'Too many pictures from one network at once. See Retry-After.',
  },
  'recognition.too_many_watchers': {
    status: 429,
    when: 'Too many extractions are watched at once. See Retry-After.',
  },
  'recognition.client_gone': { status: 499, when: 'The caller has gone: nobody reads this.' },
  'recognition.aborted': { status: 499, when: 'The caller has gone: nobody reads this.' },
  'recognition.failed': { status: 500, when: 'The picture could not be read. Nothing is counted.' },
  'recognition.language_unavailable': {
    status: 500,
    when: 'The data of a language cannot be used. Nothing is counted.',
  },
  'recognition.crashed': { status: 500, when: 'Reading broke off. Nothing is counted.' },
  'recognition.internal': { status: 500, when: 'Reading failed. Nothing is counted.' },
  'recognition.too_many_uploads': { status: 503, when: 'Too many pictures at once. See Retry-After.' },
  'recognition.queue_full': { status: 503, when: 'Too many pictures wait. See Retry-After.' },
  'recognition.stopping': { status: 503, when: 'The engine is restarting. See Retry-After.' },
  'recognition.language_not_fetched': {
    status: 503,
    when: 'The data of a language could not be fetched, or not yet. Nothing is counted. See Retry-After.',
  },
  'recognition.unavailable': {
    status: 503,
    when: 'Nobody can read pictures at the moment. See Retry-After.',
  },
  'recognition.timed_out': { status: 504, when: 'Reading took too long. Nothing is counted.' },
} as const satisfies Record<string, KnownError>;

export type ErrorCode = keyof typeof ERRORS;

/** A chosen password may be refused for what it is. */
export const WEAK_PASSWORD = [
  'accounts.common_password',
  'accounts.password_is_username',
  'accounts.password_is_address',
  'accounts.password_is_brand',
] as const satisfies ErrorCode[];

/** Passwords are compared slowly, and not many at once. */
export const PASSWORD_CHECK = [
  'accounts.too_many_attempts',
  'accounts.passwords_busy',
] as const satisfies ErrorCode[];

/** A name, an address and a password are chosen. */
export const ACCOUNT_CHOSEN = [
  'accounts.username_taken',
  'accounts.email_taken',
  ...WEAK_PASSWORD,
  ...PASSWORD_CHECK,
] as const satisfies ErrorCode[];
