import { type DestinationStream, type Logger, pino } from 'pino';

export type { Logger } from 'pino';

/**
 * JSON lines on standard output. Requests are logged field by field and never whole; the redaction below catches a
 * request or headers that are logged by mistake.
 */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  return pino(
    {
      level,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: plainError },
      redact: {
        paths: [
          'headers',
          '*.headers',
          'cookie',
          '*.cookie',
          'authorization',
          '*.authorization',
          'password',
          '*.password',
        ],
        censor: '[hidden]',
      },
    },
    destination ?? pino.destination(1),
  );
}

/** Causes may form a circle. */
const MAX_CAUSES = 4;

/**
 * An error as it may be logged: its kind and its place. Other properties of libraries' errors stay out: a database's
 * names the row that it refused, a mail server's the recipient.
 */
function plainError(error: unknown, depth = 0): object | undefined {
  if (!(error instanceof Error)) return undefined;
  const { name, message, stack, cause } = error;
  const code = 'code' in error && /^[\w.]{1,60}$/.test(String(error.code)) ? error.code : undefined;
  const because = depth < MAX_CAUSES ? plainError(cause, depth + 1) : undefined;
  return { type: name, code, message, stack, ...(because && { cause: because }) };
}
